"""What the reader of a corpus yields: articles and unusable records, each with its location."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from discobert.data.summary import Analysis
from discobert.store.corpora.articles import Article

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Location:
    """Where a record begins: index of its file, records and bytes before it in the file.

    A reader can start at any location that it has yielded. Bytes are 0 where it needs none.
    """

    file: int = 0
    record: int = 0
    offset: int = 0


FIRST_ENTRY = Location()


@dataclass(frozen=True, slots=True)
class Analysed:
    """An article whose discourse structure is part of the corpus."""

    article: Article
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that cannot be used; ``code`` names the kind of error for programs."""

    id: str
    code: str
    message: str


Entry = Article | Analysed | Rejected


@dataclass(frozen=True, slots=True)
class LocatedEntry:
    """An entry and its location."""

    location: Location
    entry: Entry


class Reader(Protocol):
    """A corpus that is streamed, from its start or from any location in it."""

    def read(self, start: Location = FIRST_ENTRY) -> Iterator[LocatedEntry]:
        """Yield the entries from ``start`` on; nothing is kept in memory."""
        ...

    def expected(self) -> int | None:
        """Return how many entries a list of the corpus names, if there is such a list."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """Conditions of a usable article."""

    reference: bool = True
    """Whether it must have a summary."""
    max_chars: int = 1_000_000
    """Longest text; each further character costs time and memory of a worker."""


DEFAULT_DEMANDS = Demands()


def entry_id(entry: Entry) -> str:
    """Return the id of an entry of any kind."""
    return entry.article.id if isinstance(entry, Analysed) else entry.id


def checked_entry(entry: Entry, demands: Demands) -> Entry:
    """Return the entry, or a rejection if it breaks one of the demands."""
    if isinstance(entry, Rejected):
        return entry
    article = entry.article if isinstance(entry, Analysed) else entry
    fault = _fault(article, demands)
    return entry if fault is None else Rejected(_clean(article.id), *fault)


def _fault(article: Article, demands: Demands) -> tuple[str, str] | None:
    if not article.text.strip():
        return "empty-text", "the text is empty"
    if len(article.text) > demands.max_chars:
        return "too-long", (
            f"the text has {len(article.text):,} characters, the limit is {demands.max_chars:,}; "
            "--max-chars sets another"
        )
    if demands.reference and not any(line.strip() for line in article.reference):
        return "no-reference", "there is no reference summary"
    if "\0" in article.text:
        return "invalid-text", f"a NUL character at offset {article.text.index(chr(0))}"
    found = _SURROGATE.search("\n".join((article.id, article.text, *article.reference)))
    if found is not None:
        return "invalid-text", f"half a surrogate pair or a stray byte: {found[0]!a}"
    return None


def _clean(name: str) -> str:
    return _SURROGATE.sub("�", name)


def rejected(name: str, code: str, message: str) -> Rejected:
    """Return a rejection without lone surrogates, which cannot be written to a file."""
    return Rejected(_clean(name), code, _clean(message))
