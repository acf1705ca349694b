"""Editors' extracts: which sentences of a text an editor chose, and which belong in no summary."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from discobert.data.codecs.fields import Field
from discobert.data.document import Span
from discobert.errors import InputError
from discobert.language.sentences import FINAL_STOP
from discobert.store.jsonl import read_rows
from discobert.store.text import printable
from discobert.store.treebanks.gum import GoldDocument, read_gum

GUM, NEWS = "gum", "news"
_FOLDS_APART = 1_000
"""Folds are drawn from other digits of the hash than what is kept for measuring."""


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
    genre: str = NEWS
    text: str | None = None
    """The text itself, of extracts whose file holds it."""

    @property
    def is_news(self) -> bool:
        """Whether the text is news."""
        return self.genre == NEWS

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
        best=indices("best"),
        more=indices("more"),
        never=indices("never"),
        genre=record.optional("genre", NEWS).text(),
        text=record.member("text").text() if "text" in record.object() else None,
    )


def extract_texts(
    path: Path,
    extracts: Sequence[Extract],
    *,
    gum: Path | None,
    articles: Sequence[Path],
    amalgum: Path | None = None,
) -> dict[str, str]:
    """Find the texts of extracts by their ids, but for those that the file itself holds.

    Paragraphs of news are joined by line breaks; in texts of AMALGUM, which has no paragraphs,
    headings stand apart.
    """
    texts = {extract.id: extract.text for extract in extracts if extract.text is not None}
    texts |= _texts({extract.id for extract in extracts} - texts.keys(), gum=gum, articles=articles)
    missing = {extract.id for extract in extracts} - texts.keys()
    if amalgum is not None and missing:
        texts |= {gold.id: headings_apart(gold) for gold in read_gum(amalgum) if gold.id in missing}
    for extract in extracts:
        if extract.id not in texts:
            message = f"neither the articles nor GUM nor AMALGUM have the text {extract.id}"
            raise InputError(f"{printable(path)}: {message}")
    return texts


def fold_of(name: str, n_folds: int) -> int:
    """Return the fold of cross-validation that a text belongs to, by its name."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) // _FOLDS_APART % n_folds


def headings_apart(gold: GoldDocument) -> str:
    """Return a text whose sentences without a final stop stand in lines of their own."""
    text = list(gold.text)
    for sentence in gold.sentences:
        if not FINAL_STOP.search(sentence.of(gold.text)):
            for place in (sentence.start - 1, sentence.end):
                if 0 <= place < len(text) and text[place] == " ":
                    text[place] = "\n"
    return "".join(text)


def _texts(wanted: set[str], *, gum: Path | None, articles: Sequence[Path]) -> dict[str, str]:
    """Find texts by their ids; paragraphs of news are joined by line breaks."""
    found: dict[str, str] = {}
    for path in articles:
        for row in read_rows(path):
            if (name := row.field.member("id").text()) in wanted:
                found[name] = "\n".join(row.field.member("article").items(Field.text))
    if gum is not None:
        found |= {gold.id: gold.text for gold in read_gum(gum) if gold.id in wanted}
    return found
