"""A folder of text files; the summary of ``NAME.txt`` is ``NAME.summary.txt``."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from discobert.errors import InputError
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import FIRST_ENTRY, Entry, LocatedEntry, Location, rejected
from discobert.store.corpora.folders import require_folder, walk
from discobert.store.text import printable, read_text

_TEXT, _SUMMARY = ".txt", ".summary.txt"


@dataclass(frozen=True, slots=True)
class TextFolder:
    """Every text file of a folder and those below it, byte for byte."""

    folder: Path

    def read(self, start: Location = FIRST_ENTRY) -> Iterator[LocatedEntry]:
        """Yield an entry for each file, sorted by name; ids are paths without ``.txt``."""
        require_folder(self.folder)
        files = (p for p in walk(self.folder, (_TEXT,)) if not p.name.endswith(_SUMMARY))
        for number, path in enumerate(islice(files, start.record, None), start.record):
            yield LocatedEntry(Location(0, number), self._entry(path))

    def expected(self) -> int | None:
        """Return nothing: files are counted by reading them."""
        return None

    def _entry(self, path: Path) -> Entry:
        name = printable(path.relative_to(self.folder)).removesuffix(_TEXT)
        try:
            return Article(name, "", read_text(path), _summary(path))
        except InputError as error:
            return rejected(name, "unreadable", str(error))


def _summary(path: Path) -> tuple[str, ...]:
    beside = path.with_name(path.name.removesuffix(_TEXT) + _SUMMARY)
    lines = read_text(beside).splitlines() if beside.exists() else []
    return tuple(line for line in lines if line.strip())
