"""What a prepared corpus looks like, beside the paper's Table 1."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from discobert.data.json_text import Json, JsonObject
from discobert.store.manifest import PreparedCorpus

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
_TOKENS_A_BAR = 10
_LAST_PLACE, _MOST_EDUS, _LAST_LENGTH = 30, 10, 20


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many of each; the last label takes all that is larger."""

    title: str
    axis: str
    labels: tuple[str, ...]
    series: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Averages a document, and how things are spread."""

    documents: int
    sources: Mapping[str, int]
    averages: Mapping[str, float]
    histograms: tuple[Histogram, ...]


def statistics_of(corpus: PreparedCorpus) -> Statistics:
    """Read the small columns of all documents, one document at a time."""
    tally = _Tally()
    for row in corpus.rows(_COLUMNS):
        tally.add(row)
    return tally.finish()


@dataclass(slots=True)
class _Tally:
    """Sums and counts of the documents met so far."""

    documents: int = 0
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
        """Count a document."""
        self.documents += 1
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
        return Statistics(
            self.documents, dict(sorted(self.sources.items())), averages, tuple(self._histograms())
        )

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
    """Lay the averages out beside the paper's."""
    heading = ("average a document", "this corpus", *PAPER)
    rows: list[tuple[str, ...]] = [("documents", f"{statistics.documents:,}", "", "")]
    for name, value in statistics.averages.items():
        theirs = (paper.get(name) for paper in PAPER.values())
        cells = ("" if number is None else f"{number:g}" for number in theirs)
        rows.append((name, _shown(value), *cells))
    return heading, rows


def _shown(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def to_json(statistics: Statistics) -> JsonObject:
    """Lay everything out for programs."""
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
        "sources": dict(statistics.sources),
        "averages": dict(statistics.averages),
        "paper": {name: dict(values) for name, values in PAPER.items()},
        "histograms": histograms,
    }


def shares(counts: Sequence[int]) -> tuple[float, ...]:
    """Return counts as per cent of their sum."""
    total = max(sum(counts), 1)
    return tuple(100 * count / total for count in counts)
