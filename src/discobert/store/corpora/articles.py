"""Corpora of articles with reference summaries."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from discobert.data.fields import Field
from discobert.errors import FormatError
from discobert.language.boilerplate import Boilerplate, without_boilerplate
from discobert.store.corpora.folders import require_rereadable
from discobert.store.jsonl import Row, read_lines, read_rows


@dataclass(frozen=True, slots=True)
class Article:
    """A text with the lines of its reference summary; offsets into it are offsets into ``text``."""

    id: str
    source: str
    text: str
    reference: tuple[str, ...]


def read_articles(
    path: Path,
    *,
    skip: int = 0,
    limit: int | None = None,
    boilerplate: Boilerplate = Boilerplate.KEEP,
) -> Iterator[Article]:
    """Stream ``{"id", "source", "article", "highlights"}`` lines.

    Paragraphs of the article are joined by line feeds. Both may be one string instead of a list,
    and the text may be called ``text``; ``source`` may be missing.
    """
    for row in read_rows(path, skip=skip, limit=limit):
        yield _article(row, boilerplate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """Which articles of a file to take; the same ones each time."""

    path: Path
    skip: int = 0
    limit: int | None = None
    sample: int | None = None
    """So many, drawn at random from what ``skip`` and ``limit`` leave, in the file's order."""
    seed: int = 0
    boilerplate: Boilerplate = Boilerplate.KEEP

    def articles(self) -> Iterator[Article]:
        """Stream the articles."""
        found = read_articles(
            self.path, skip=self.skip, limit=self.limit, boilerplate=self.boilerplate
        )
        if self.sample is None:
            return found
        drawn = self._drawn(self.sample)
        return (article for place, article in enumerate(found) if place in drawn)

    def _drawn(self, size: int) -> frozenset[int]:
        require_rereadable(self.path)
        end = None if self.limit is None else self.skip + self.limit
        count = sum(1 for _ in islice(read_lines(self.path), self.skip, end))
        return frozenset(random.Random(self.seed).sample(range(count), min(size, count)))


def _article(row: Row, boilerplate: Boilerplate) -> Article:
    paragraphs = _paragraphs(row.field)
    if boilerplate is Boilerplate.DROP:
        paragraphs = without_boilerplate(paragraphs)
    return Article(
        id=_identifier(row),
        source=row.field.optional("source", "").text(),
        text="\n".join(paragraphs),
        reference=_lines(row.field.member("highlights")),
    )


def text_of(row: Row) -> tuple[str, str]:
    """Return the id and the text of a line that may lack all else."""
    return _identifier(row), "\n".join(_paragraphs(row.field))


def _identifier(row: Row) -> str:
    """Return the id, or the number of the line for files without ids."""
    field = row.field.optional("id", row.line)
    return str(field.value) if isinstance(field.value, int) else field.text()


def _paragraphs(field: Field) -> tuple[str, ...]:
    members = field.object()
    for name in ("article", "text"):
        if name in members:
            return _lines(field.member(name))
    raise FormatError(f"{field.path} lacks the member 'article' (paragraphs) or 'text'")


def _lines(field: Field) -> tuple[str, ...]:
    if isinstance(field.value, str):
        return tuple(field.value.split("\n"))
    return field.items(Field.text)


def read_summaries(path: Path) -> dict[str, tuple[str, ...]]:
    """Read another system's ``{"id", "summary": [lines]}`` lines; no id may come twice."""
    summaries: dict[str, tuple[str, ...]] = {}
    for row in read_rows(path):
        name = _identifier(row)
        if name in summaries:
            raise FormatError(f"{row.field.path}: the id {name!r} came before; ids must be unique")
        summaries[name] = _lines(row.field.member("summary"))
    return summaries
