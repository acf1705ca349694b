"""Rated summaries: which spans of a text several summaries showed, and how readers rated each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from discobert.data.codecs.fields import Field
from discobert.data.document import Span
from discobert.errors import InputError
from discobert.store.corpora.extracts import headings_apart, read_extracts
from discobert.store.corpora.json_lines import ArticleSample
from discobert.store.jsonl import read_rows
from discobert.store.text import printable
from discobert.store.treebanks.gum import read_gum
from discobert.store.treebanks.gum_summaries import read_gum_summaries


@dataclass(frozen=True, slots=True)
class RatedSummary:
    """The parts of a text that a summary showed, and the rating from 1 to 5."""

    spans: tuple[Span, ...]
    overall: float


@dataclass(frozen=True, slots=True)
class RatedText:
    """Summaries of one text that one reader compared."""

    id: str
    summaries: tuple[RatedSummary, ...]
    text: str = ""
    references: tuple[tuple[str, ...], ...] = ()
    """Reference summaries, each as its lines."""


def read_rated(path: Path) -> list[RatedText]:
    """Read ``{"id", "summaries": [{"spans": [[start, end], …], "overall"}]}`` from each line."""
    return [
        RatedText(
            row.field.member("id").text(), row.field.member("summaries").items(_rated_summary)
        )
        for row in read_rows(path)
    ]


def _rated_summary(record: Field) -> RatedSummary:
    spans = record.member("spans").items(lambda span: Span(*span.pair()))
    return RatedSummary(spans, record.member("overall").number())


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSources:
    """Files that may hold the texts of rated summaries."""

    articles: Sequence[Path] = ()
    """Articles with reference summaries."""
    gum: Path | None = None
    amalgum: Path | None = None
    extracts: Path | None = None
    """Extracts; some of them hold their texts."""


def with_texts(path: Path, rated: Sequence[RatedText], sources: TextSources) -> list[RatedText]:
    """Add the texts of rated summaries, and their reference summaries, found by their ids.

    ``path`` is the file of ratings, for the error if a text is not there.
    """
    wanted = {each.id for each in rated}
    found = {name: known for name, known in _known_texts(sources, wanted) if name in wanted}
    missing = sorted(wanted - found.keys())
    if missing:
        message = f"no file that was named has the text {missing[0]}"
        raise InputError(f"{printable(path)}: {message}")
    return [replace(each, text=found[each.id][0], references=found[each.id][1]) for each in rated]


_References = tuple[tuple[str, ...], ...]


_Known = tuple[str, tuple[str, _References]]
"""The name of a text, the text, and its reference summaries."""


def _known_texts(sources: TextSources, wanted: set[str]) -> Iterator[_Known]:
    for file in sources.articles:
        for article in ArticleSample(path=file).articles():
            yield article.id, (article.text, (article.reference,))
    if sources.gum is not None:
        yield from _of_gum(sources.gum)
    if sources.amalgum is not None:
        yield from _of_amalgum(sources.amalgum, wanted)
    if sources.extracts is not None:
        yield from _of_extracts(sources.extracts)


def _of_gum(path: Path) -> Iterator[_Known]:
    summaries = read_gum_summaries(path)
    for gold in read_gum(path):
        yield gold.id, (gold.text, tuple((summary,) for summary in summaries[gold.id]))


def _of_amalgum(path: Path, wanted: set[str]) -> Iterator[_Known]:
    for gold in read_gum(path):
        if gold.id in wanted:
            yield gold.id, (headings_apart(gold), ())


def _of_extracts(path: Path) -> Iterator[_Known]:
    for extract in read_extracts(path):
        if extract.text is not None:
            yield extract.id, (extract.text, ())
