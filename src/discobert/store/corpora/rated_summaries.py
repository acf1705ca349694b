"""Rated summaries: which spans of a text several summaries showed, and how readers rated each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from discobert.data.codecs.fields import Field
from discobert.data.document import Span
from discobert.errors import InputError
from discobert.store.corpora.json_lines import ArticleSample
from discobert.store.jsonl import read_rows
from discobert.store.text import printable
from discobert.store.treebanks.gum import read_gum


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
    reference: tuple[str, ...] = ()
    """Lines of the reference summary; none if the text has no reference."""


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


def with_texts(
    path: Path, rated: Sequence[RatedText], *, articles: Sequence[Path], gum: Path | None
) -> list[RatedText]:
    """Add the texts of rated summaries, found by their ids in files of articles and in GUM.

    ``path`` is the file of ratings, for the error if a text is not there.
    """
    wanted = {each.id for each in rated}
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for file in articles:
        for article in ArticleSample(path=file).articles():
            if article.id in wanted:
                found[article.id] = (article.text, article.reference)
    if gum is not None:
        found |= {gold.id: (gold.text, ()) for gold in read_gum(gum) if gold.id in wanted}
    missing = sorted(wanted - found.keys())
    if missing:
        message = f"neither --articles nor --gum has the text {missing[0]}"
        raise InputError(f"{printable(path)}: {message}")
    return [replace(each, text=found[each.id][0], reference=found[each.id][1]) for each in rated]
