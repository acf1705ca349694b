"""What the reader of a corpus yields: articles, and records that are none, each with its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from discobert.data.summary import Analysis
from discobert.store.corpora.articles import Article

_HALF_PAIR = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record begins: its file, the records before it there, and the bytes before it.

    A reader can start again at any place it has yielded; bytes are 0 where it does not need them.
    """

    file: int = 0
    record: int = 0
    offset: int = 0


START = Place()


@dataclass(frozen=True, slots=True)
class Analysed:
    """An article whose discourse structure its owner brings along."""

    article: Article
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that cannot be used; ``code`` names the kind of fault for programs."""

    id: str
    code: str
    message: str


Entry = Article | Analysed | Rejected


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry and where it stands."""

    place: Place
    entry: Entry


class Reader(Protocol):
    """A corpus that is streamed, from its start or from any place in it."""

    def read(self, start: Place = START) -> Iterator[Placed]:
        """Yield the entries from ``start`` on; nothing is kept in memory."""
        ...

    def expected(self) -> int | None:
        """Return how many entries a list of the corpus promises, if there is such a list."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What makes an article usable."""

    reference: bool = True
    """Whether it must have a summary."""
    max_chars: int = 1_000_000
    """Longest text; each further character costs time and memory of a worker."""


USUAL_DEMANDS = Demands()


def entry_id(entry: Entry) -> str:
    """Return the id of whatever a reader has yielded."""
    return entry.article.id if isinstance(entry, Analysed) else entry.id


def checked(entry: Entry, demands: Demands) -> Entry:
    """Return the entry, or why it cannot be used."""
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
    found = _HALF_PAIR.search("\n".join((article.id, article.text, *article.reference)))
    if found is not None:
        return "invalid-text", f"half a surrogate pair or a stray byte: {found[0]!a}"
    return None


def _clean(name: str) -> str:
    return _HALF_PAIR.sub("�", name)


def rejected(name: str, code: str, message: str) -> Rejected:
    """Reject a record; its id may hold anything, what is written down may not."""
    return Rejected(_clean(name), code, _clean(message))
