"""Editors' extracts: which sentences of a text an editor chose, and which belong in no summary."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from discobert.data.codecs.fields import Field
from discobert.data.document import Span
from discobert.errors import InputError
from discobert.store.jsonl import read_rows
from discobert.store.text import printable
from discobert.store.treebanks.gum import read_gum

GUM = "gum"


@dataclass(frozen=True, slots=True)
class Extract:
    """One text, its sentences, and the indices of those that an editor chose."""

    id: str
    source: str
    split: str
    spans: tuple[Span, ...]
    best: tuple[int, ...]
    more: tuple[int, ...]
    never: tuple[int, ...]

    @property
    def is_gum(self) -> bool:
        """Whether the text is one of GUM's."""
        return self.source.startswith(GUM)


def read_extracts(path: Path) -> list[Extract]:
    """Read a file of extracts."""
    return [_extract(row.field) for row in read_rows(path)]


def _extract(record: Field) -> Extract:
    def indices(name: str) -> tuple[int, ...]:
        return record.member(name).items(Field.integer)

    return Extract(
        record.member("id").text(),
        record.member("source").text(),
        record.member("split").text(),
        record.member("spans").items(lambda span: Span(*span.pair())),
        *(indices(name) for name in ("best", "more", "never")),
    )


def extract_texts(
    path: Path, extracts: Sequence[Extract], *, gum: Path | None, articles: Path | None
) -> dict[str, str]:
    """Find the texts of extracts by their ids; paragraphs of news are joined by line breaks."""
    texts = _texts({extract.id for extract in extracts}, gum=gum, articles=articles)
    for extract in extracts:
        if extract.id not in texts:
            message = f"neither --articles nor --gum has the text {extract.id}"
            raise InputError(f"{printable(path)}: {message}")
    return texts


def _texts(wanted: set[str], *, gum: Path | None, articles: Path | None) -> dict[str, str]:
    """Find texts by their ids; paragraphs of news are joined by line breaks."""
    found: dict[str, str] = {}
    if articles is not None:
        for row in read_rows(articles):
            if (name := row.field.member("id").text()) in wanted:
                found[name] = "\n".join(row.field.member("article").items(Field.text))
    if gum is not None:
        found |= {gold.id: gold.text for gold in read_gum(gum) if gold.id in wanted}
    return found
