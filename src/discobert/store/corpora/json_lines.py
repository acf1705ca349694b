"""Articles, analyses and summaries from files with one JSON object per line, plain, gzip or xz."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from discobert.data.codecs.analysis import decode_analysis
from discobert.data.codecs.fields import Field
from discobert.errors import FormatError, InputError, UsageError
from discobert.language.boilerplate import Boilerplate
from discobert.store.corpora.articles import Article
from discobert.store.corpora.columns import (
    Columns,
    RowRules,
    article_of,
    fallback_id,
    lines_of,
)
from discobert.store.corpora.entries import (
    FIRST_ENTRY,
    Analysed,
    Entry,
    LocatedEntry,
    Location,
    Rejected,
    rejected,
)
from discobert.store.corpora.folders import require_rereadable
from discobert.store.jsonl import Row, read_lines, read_rows, row_of
from discobert.store.text import printable
from discobert.store.treebanks.gum import read_gum
from discobert.store.treebanks.gum_summaries import read_gum_summaries

T = TypeVar("T")
_ARTICLE = ("id", "source", "text", "reference")
_TEXTS = RowRules(columns=Columns(reference=()), reference=False)
_SUMMARIES = RowRules(columns=Columns(text=("summary",), reference=()), reference=False)


@dataclass(frozen=True, slots=True)
class JsonLines:
    """The reader of articles; ids default to line numbers."""

    files: tuple[Path, ...]
    rules: RowRules

    def read(self, start: Location = FIRST_ENTRY) -> Iterator[LocatedEntry]:
        """Yield an entry for each line that is not blank."""
        return _read(self.files, start, self._entry)

    def _entry(self, row: Field, name: str) -> Entry:
        return article_of(row, self.rules, fallback_id=name)

    def expected(self) -> int | None:
        """Return nothing: lines are counted by reading them."""
        return None


@dataclass(frozen=True, slots=True)
class AnalysisLines:
    """The reader of articles with their analyses: our JSON, with a ``reference`` member."""

    files: tuple[Path, ...]

    def read(self, start: Location = FIRST_ENTRY) -> Iterator[LocatedEntry]:
        """Yield an entry for each line that is not blank."""
        return _read(self.files, start, _analysed)

    def expected(self) -> int | None:
        """Return nothing: lines are counted by reading them."""
        return None


def _read(
    files: tuple[Path, ...], start: Location, entry_of: Callable[[Field, str], Entry]
) -> Iterator[LocatedEntry]:
    for index in range(start.file, len(files)):
        path = files[index]
        here = start if index == start.file else FIRST_ENTRY
        for line in read_lines(path, skip=here.record, offset=here.offset):
            name = fallback_id(files, path, line.number)
            try:
                entry = entry_of(row_of(line, path.name), name)
            except InputError as error:
                entry = rejected(name, "malformed-json", str(error))
            yield LocatedEntry(Location(index, line.number - 1, line.offset), entry)


def _analysed(row: Field, name: str) -> Entry:
    try:
        analysis = decode_analysis(row.value)
        reference = row.optional("reference", []).items(Field.text)
        source = row.optional("source", "").text()
    except FormatError as error:
        found = row.object().get("id")
        name = found if isinstance(found, str) else name
        return rejected(name, "invalid-analysis", f"{row.path}: {error}")
    document = analysis.document
    return Analysed(Article(document.id, source, document.text, reference), analysis)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleSample:
    """The articles of a JSONL file or a prepared folder, or some of them; always the same ones."""

    path: Path
    skip: int = 0
    limit: int | None = None
    sample: int | None = None
    """How many to draw at random from what ``skip`` and ``limit`` leave; the order is kept."""
    seed: int = 0
    boilerplate: Boilerplate = Boilerplate.KEEP
    gum_splits: tuple[str, ...] = ()
    """Parts of GUM to read, if the file is GUM's: its human summaries are the references."""

    def articles(self) -> Iterator[Article]:
        """Yield the articles; a line without a text or a reference is an error."""
        if self.path.is_dir():
            return self._prepared()
        if self.gum_splits:
            return self._gum()
        require_rereadable(self.path)
        rules = RowRules(boilerplate=self.boilerplate)
        rows = read_rows(self.path, skip=self.skip, limit=self.limit)
        chosen = self._drawn(rows, lambda: read_lines(self.path))
        return (_required_article(row, rules) for row in chosen)

    def _gum(self) -> Iterator[Article]:
        require_rereadable(self.path)
        chosen = [gold for gold in read_gum(self.path) if gold.split in self.gum_splits]
        if not chosen:
            splits = ", ".join(self.gum_splits)
            raise UsageError(f"{printable(self.path)}: no document is of {splits}: use dev or test")
        summaries = read_gum_summaries(self.path)
        rows = islice(chosen, self.skip, self._end)
        for gold in self._drawn(rows, lambda: chosen):
            references = tuple((summary,) for summary in summaries[gold.id])
            if not references:
                raise InputError(f"{printable(self.path)}: {gold.id} has no human summary")
            yield Article(gold.id, gold.genre, gold.text, references[0], references[1:])

    def _prepared(self) -> Iterator[Article]:
        from discobert.store.prepared.manifest import open_prepared  # brings pyarrow

        if self.boilerplate is not Boilerplate.KEEP:
            raise UsageError(
                f"{printable(self.path)}: what a prepared corpus holds was decided by "
                "prepare --boilerplate; leave --boilerplate out"
            )
        corpus = open_prepared(self.path)
        rows = islice(corpus.rows(_ARTICLE), self.skip, self._end)
        for row in self._drawn(rows, lambda: range(corpus.documents)):
            yield Article(row["id"], row["source"], row["text"], tuple(row["reference"]))

    @property
    def _end(self) -> int | None:
        return None if self.limit is None else self.skip + self.limit

    def _drawn(self, rows: Iterator[T], everything: Callable[[], Iterable[object]]) -> Iterator[T]:
        """Keep the rows of the sample; all there are is counted first."""
        if self.sample is None:
            return rows
        count = sum(1 for _ in islice(everything(), self.skip, self._end))
        size = min(self.sample, count)
        drawn = frozenset(random.Random(self.seed).sample(range(count), size))
        return (row for place, row in enumerate(rows) if place in drawn)


def _required_article(row: Row, rules: RowRules) -> Article:
    entry = article_of(row.field, rules, fallback_id=str(row.line))
    if isinstance(entry, Rejected):
        raise FormatError(entry.message)
    return entry


def text_of(row: Row) -> tuple[str, str]:
    """Return the id and the text of a line, which needs no reference."""
    article = _required_article(row, _TEXTS)
    return article.id, article.text


def read_summaries(path: Path) -> dict[str, tuple[str, ...]]:
    """Read the ``{"id", "summary"}`` lines of another system; an id may occur only once."""
    summaries: dict[str, tuple[str, ...]] = {}
    for row in read_rows(path):
        name = _required_article(row, _SUMMARIES).id
        if name in summaries:
            raise FormatError(f"{row.field.path}: the id {name!r} came before; ids must be unique")
        summaries[name] = lines_of(row.field.member("summary"))
    return summaries
