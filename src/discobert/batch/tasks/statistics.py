"""Statistics of a prepared corpus, beside those of the paper's Table 1."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from discobert.batch.tasks.labels import edus_before, label_article, read_oracle
from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import Json, JsonObject
from discobert.errors import InputError
from discobert.metrics.oracle import OracleConfig
from discobert.runtime.pieces import sentences_within
from discobert.store.prepared.documents import Prepared
from discobert.store.prepared.manifest import MANIFEST, PreparedCorpus
from discobert.store.prepared.shards import small_cells

FIRST_SENTENCES = 10
"""The paper counts oracle sentences after the first ten."""

PAPER: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "CNN/DM (paper)": {
            "sentences": 24,
            "EDUs": 67,
            "tokens": 541,
            "summary tokens": 54,
            "RST edges": 66,
            "coreference edges": 233,
            "oracle sentences after the tenth, %": 25,
        },
        "NYT (paper)": {
            "sentences": 22,
            "EDUs": 66,
            "tokens": 591,
            "summary tokens": 87,
            "RST edges": 65,
            "coreference edges": 143,
        },
    }
)

_AVERAGED = MappingProxyType(
    {
        "sentences": "n_sentences",
        "EDUs": "n_edus",
        "tokens": "n_tokens",
        "summary tokens": "n_reference_tokens",
        "RST edges": "n_rst_edges",
        "coreference edges": "n_coref_edges",
        "oracle words, EDUs": "edu_oracle_words",
        "oracle words, sentences": "sentence_oracle_words",
        "oracle score, EDUs": "edu_oracle_score",
        "oracle score, sentences": "sentence_oracle_score",
    }
)
_COLUMNS = (
    *_AVERAGED.values(),
    "source",
    "edu_oracle",
    "sentence_oracle",
    "edu_sentences",
)
_CUT = "cut"
"""The key that marks the row of a document which was cut."""
_TOKENS_A_BAR = 10
_LAST_PLACE, _MOST_EDUS, _LAST_LENGTH = 30, 10, 20


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts by label; the last label includes all larger values."""

    title: str
    axis: str
    labels: tuple[str, ...]
    series: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Averages per document, and histograms."""

    documents: int
    sources: Mapping[str, int]
    averages: Mapping[str, float]
    histograms: tuple[Histogram, ...]
    max_pieces: int | None = None
    """The length to which documents were cut, in word pieces."""


def statistics_of(corpus: PreparedCorpus, *, max_pieces: int | None = None) -> Statistics:
    """Read the small columns of all documents, one document at a time.

    ``max_pieces`` cuts each after the last sentence that fits, as the paper does at 768, and finds
    the oracles of what is left.
    """
    tally = _Tally(max_pieces)
    for row in corpus.rows(_COLUMNS) if max_pieces is None else _cut_rows(corpus, max_pieces):
        tally.add(row)
    return tally.finish()


def _cut_rows(corpus: PreparedCorpus, max_pieces: int) -> Iterator[Mapping[str, Any]]:
    manifest = Field(corpus.manifest, MANIFEST)
    config = read_oracle(manifest.member("job").member("oracle"))
    for document in corpus.read():
        yield _cut_row(document, max_pieces, config)


def _cut_row(document: Prepared, max_pieces: int, config: OracleConfig) -> Mapping[str, Any]:
    article, analysis, layout = document.article, document.analysis, document.layout
    if layout is None:
        raise InputError(
            f"{article.id}: prepared without word pieces, so it cannot be cut; "
            "prepare it with a model that has weights, or leave --max-pieces out"
        )
    end = sentences_within(layout, max_pieces)
    if end == len(analysis.document.sentences):
        return small_cells(document)
    found = label_article(article, analysis, config=config, end=end)
    part = replace(document, edus=found.edus, sentences=found.sentences, counts=found.counts)
    cells = small_cells(part)
    places = cells["edu_sentences"][: edus_before(analysis, end)]
    return {**cells, "n_sentences": end, "n_edus": len(places), "edu_sentences": places, _CUT: True}


@dataclass(slots=True)
class _Tally:
    """Sums and counts over documents."""

    max_pieces: int | None = None
    documents: int = 0
    cut: int = 0
    sums: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    oracle_sentences: Counter[int] = field(default_factory=Counter)
    oracle_edus: Counter[int] = field(default_factory=Counter)
    edus_a_sentence: Counter[int] = field(default_factory=Counter)
    lengths: dict[str, Counter[int]] = field(
        default_factory=lambda: {
            name: Counter() for name in ("reference", "EDU oracle", "sentence oracle")
        }
    )

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a document."""
        self.documents += 1
        self.cut += row.get(_CUT, False)
        self.sources[row["source"]] += 1
        for name, column in _AVERAGED.items():
            self.sums[name] += row[column]
        places = row["edu_sentences"]
        self.oracle_sentences.update(row["sentence_oracle"])
        self.oracle_edus.update(places[edu] for edu in row["edu_oracle"])
        self.edus_a_sentence.update(Counter(places).values())
        columns = ("n_reference_tokens", "edu_oracle_words", "sentence_oracle_words")
        for counts, column in zip(self.lengths.values(), columns, strict=True):
            counts[row[column] // _TOKENS_A_BAR] += 1

    def finish(self) -> Statistics:
        """Return averages and histograms."""
        averages = {name: self.sums[name] / max(self.documents, 1) for name in _AVERAGED}
        averages["EDUs a sentence"] = averages["EDUs"] / max(averages["sentences"], 1e-9)
        share = _share_after(self.oracle_sentences)
        averages["oracle sentences after the tenth, %"] = share
        averages["oracle EDUs after the tenth sentence, %"] = _share_after(self.oracle_edus)
        if self.max_pieces is not None:
            averages["documents that were cut, %"] = 100 * self.cut / max(self.documents, 1)
        sources = dict(sorted(self.sources.items()))
        histograms = tuple(self._histograms())
        return Statistics(self.documents, sources, averages, histograms, self.max_pieces)

    def _histograms(self) -> Iterator[Histogram]:
        places = [str(place + 1) for place in range(_LAST_PLACE)]
        yield Histogram(
            "Where oracle units stand",
            "sentence of the document",
            (*places, f"{_LAST_PLACE + 1}+"),
            {
                "EDUs": _bars(self.oracle_edus, _LAST_PLACE),
                "sentences": _bars(self.oracle_sentences, _LAST_PLACE),
            },
        )
        sizes = [str(size + 1) for size in range(_MOST_EDUS)]
        shifted = Counter({size - 1: n for size, n in self.edus_a_sentence.items()})
        yield Histogram(
            "EDUs a sentence",
            "EDUs",
            (*sizes, f"{_MOST_EDUS + 1}+"),
            {"sentences": _bars(shifted, _MOST_EDUS)},
        )
        starts = [_TOKENS_A_BAR * bar for bar in range(_LAST_LENGTH)]
        yield Histogram(
            "Length of summaries",
            "tokens of the reference, words of the oracles",
            (*(f"{start}–{start + _TOKENS_A_BAR - 1}" for start in starts), f"{starts[-1] + 10}+"),
            {name: _bars(counts, _LAST_LENGTH) for name, counts in self.lengths.items()},
        )


def _share_after(places: Mapping[int, int]) -> float:
    later = sum(count for place, count in places.items() if place >= FIRST_SENTENCES)
    return 100 * later / max(sum(places.values()), 1)


def _bars(counts: Mapping[int, int], last: int) -> tuple[int, ...]:
    """Return the counts of 0 to ``last`` - 1, then of all from ``last`` on."""
    rest = sum(count for value, count in counts.items() if value >= last)
    return (*(counts.get(value, 0) for value in range(last)), rest)


def table(statistics: Statistics) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the heading and rows of a table of the averages, beside those of the paper."""
    cut = "" if statistics.max_pieces is None else f", cut at {statistics.max_pieces:,} pieces"
    heading = ("average a document", f"this corpus{cut}", *PAPER)
    rows: list[tuple[str, ...]] = [("documents", f"{statistics.documents:,}", "", "")]
    for name, value in statistics.averages.items():
        theirs = (paper.get(name) for paper in PAPER.values())
        cells = ("" if number is None else f"{number:g}" for number in theirs)
        rows.append((name, _shown(value), *cells))
    return heading, rows


def _shown(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def to_json(statistics: Statistics) -> JsonObject:
    """Return all statistics as a JSON object."""
    histograms: list[Json] = [
        {
            "title": histogram.title,
            "axis": histogram.axis,
            "labels": list(histogram.labels),
            "series": {name: list(counts) for name, counts in histogram.series.items()},
        }
        for histogram in statistics.histograms
    ]
    return {
        "format": 1,
        "documents": statistics.documents,
        "max_pieces": statistics.max_pieces,
        "sources": dict(statistics.sources),
        "averages": dict(statistics.averages),
        "paper": {name: dict(values) for name, values in PAPER.items()},
        "histograms": histograms,
    }


def shares(counts: Sequence[int]) -> tuple[float, ...]:
    """Return counts as per cent of their sum."""
    total = max(sum(counts), 1)
    return tuple(100 * count / total for count in counts)
