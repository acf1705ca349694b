"""The kinds of corpora and their readers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from discobert.errors import UsageError
from discobert.language.boilerplate import Boilerplate
from discobert.store.corpora.columns import DEFAULT_COLUMNS, Columns, RowRules
from discobert.store.corpora.entries import (
    DEFAULT_DEMANDS,
    FIRST_ENTRY,
    Demands,
    LocatedEntry,
    Location,
    Reader,
    checked_entry,
)
from discobert.store.corpora.folders import find_files
from discobert.store.corpora.json_lines import AnalysisLines, JsonLines
from discobert.store.corpora.nyt import NytCorpus
from discobert.store.corpora.story import Stories
from discobert.store.corpora.tables import CsvTable, ParquetTable
from discobert.store.corpora.text_folder import TextFolder

_COMPRESSED = ("", ".gz", ".xz")
_JSONL = tuple(f".jsonl{end}" for end in _COMPRESSED)
_CSV = tuple(f"{kind}{end}" for kind in (".csv", ".tsv") for end in _COMPRESSED)


class CorpusKind(Enum):
    """File formats of corpora."""

    CNNDM_JSONL = "cnndm-jsonl"
    """Lines of ``{"id", "source", "article": [paragraphs], "highlights": [lines]}``."""
    STORY = "story"
    """CNN/DailyMail ``.story`` files and lists of URLs."""
    NYT = "nyt"
    """The New York Times Annotated Corpus."""
    JSONL = "jsonl"
    """JSON lines with named columns."""
    CSV = "csv"
    PARQUET = "parquet"
    TEXT = "text"
    """A folder of text files."""
    ANALYSES = "analyses"
    """Lines of our JSON of analyses, each with a ``reference``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A corpus and how to read it; plain values, which can be sent to other machines."""

    kind: CorpusKind
    path: Path
    columns: Columns = DEFAULT_COLUMNS
    listing: Path | None = None
    """Which articles: a list of URLs for stories, of article numbers for the New York Times."""
    boilerplate: Boilerplate = Boilerplate.KEEP
    demands: Demands = DEFAULT_DEMANDS

    def __post_init__(self) -> None:
        if self.listing is not None and self.kind not in (CorpusKind.STORY, CorpusKind.NYT):
            raise UsageError(f"a corpus of kind {self.kind.value} takes no list of articles")
        named = self.columns != DEFAULT_COLUMNS
        if named and self.kind not in (CorpusKind.JSONL, CorpusKind.CSV, CorpusKind.PARQUET):
            raise UsageError(f"a corpus of kind {self.kind.value} has no columns to name")


def open_corpus(source: Source) -> Reader:
    """Return the reader of a corpus; its files are opened when they are read."""
    return _READERS[source.kind](source)


def read_entries(
    source: Source, start: Location = FIRST_ENTRY, *, limit: int | None = None
) -> Iterator[LocatedEntry]:
    """Yield entries from a location on; those that break a demand of the source are rejected."""
    for located in islice(open_corpus(source).read(start), limit):
        yield LocatedEntry(located.location, checked_entry(located.entry, source.demands))


def _rules(source: Source) -> RowRules:
    return RowRules(
        columns=source.columns,
        boilerplate=source.boilerplate,
        reference=source.demands.reference,
    )


def _json_lines(source: Source) -> Reader:
    return JsonLines(find_files(source.path, _JSONL), _rules(source))


_READERS: Mapping[CorpusKind, Callable[[Source], Reader]] = MappingProxyType(
    {
        CorpusKind.CNNDM_JSONL: _json_lines,
        CorpusKind.JSONL: _json_lines,
        CorpusKind.STORY: lambda s: Stories(s.path, s.listing, s.boilerplate),
        CorpusKind.NYT: lambda s: NytCorpus(s.path, s.listing),
        CorpusKind.CSV: lambda s: CsvTable(find_files(s.path, _CSV), _rules(s)),
        CorpusKind.PARQUET: lambda s: ParquetTable(find_files(s.path, (".parquet",)), _rules(s)),
        CorpusKind.TEXT: lambda s: TextFolder(s.path),
        CorpusKind.ANALYSES: lambda s: AnalysisLines(find_files(s.path, _JSONL)),
    }
)
