"""CNN/DailyMail as distributed: a ``.story`` file an article, named by the SHA-1 of its URL.

The official splits are lists of URLs. An article's paragraphs are separated by blank lines, and
each highlight follows a line ``@highlight``.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from discobert.errors import InputError
from discobert.language.boilerplate import Boilerplate, without_boilerplate
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import FIRST_ENTRY, Entry, LocatedEntry, Location, rejected
from discobert.store.corpora.folders import require_folder, walk, walk_folders
from discobert.store.text import read_text

SUFFIX = ".story"
_HIGHLIGHT = "@highlight"
# Sources, as they occur in the URL of a story or the name of its folder.
_SOURCES = ("dailymail", "cnn")


@dataclass(frozen=True, slots=True)
class Stories:
    """Stories of a folder and those below it: of a list of URLs in its order, or all by name."""

    folder: Path
    urls: Path | None = None
    boilerplate: Boilerplate = Boilerplate.KEEP

    def read(self, start: Location = FIRST_ENTRY) -> Iterator[LocatedEntry]:
        """Yield an entry for each URL of the list or for each file."""
        require_folder(self.folder)
        found = self._by_name() if self.urls is None else self._by_url(self.urls)
        for number, story in enumerate(islice(found, start.record, None), start.record):
            yield LocatedEntry(Location(0, number), self._entry(story))

    def expected(self) -> int | None:
        """Return the length of the list."""
        return None if self.urls is None else sum(1 for _ in read_list(self.urls))

    def _by_name(self) -> Iterator["_StoryFile"]:
        for path in walk(self.folder, (SUFFIX,)):
            yield _StoryFile(path.stem, path, path.parent.as_posix())

    def _by_url(self, urls: Path) -> Iterator["_StoryFile"]:
        folders = list(walk_folders(self.folder))
        for url in read_list(urls):
            name = story_id(url)
            places = (folder / f"{name}{SUFFIX}" for folder in folders)
            yield _StoryFile(name, next((path for path in places if path.exists()), None), url)

    def _entry(self, story: "_StoryFile") -> Entry:
        if story.path is None:
            message = f"no {story.id}{SUFFIX} below the folder, for {story.origin}"
            return rejected(story.id, "missing-file", message)
        try:
            paragraphs, highlights = parse_story(read_text(story.path))
        except InputError as error:
            return rejected(story.id, "unreadable", str(error))
        if self.boilerplate is Boilerplate.DROP and paragraphs:
            paragraphs = without_boilerplate(paragraphs)
        source = next((name for name in _SOURCES if name in story.origin.lower()), "")
        return Article(story.id, source, "\n".join(paragraphs), highlights)


class _StoryFile(NamedTuple):
    """The id of a story, its path if it exists, and its URL or folder, which names the source."""

    id: str
    path: Path | None
    origin: str


def story_id(url: str) -> str:
    """Return the id of the story at a URL, exactly as the list writes the URL."""
    return hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()


def parse_story(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the paragraphs of the article and the highlights."""
    lines = [line.strip() for line in text.split("\n")]
    filled = [line for line in lines if line]
    end = filled.index(_HIGHLIGHT) if _HIGHLIGHT in filled else len(filled)
    return tuple(filled[:end]), tuple(line for line in filled[end:] if line != _HIGHLIGHT)


def read_list(path: Path) -> Iterator[str]:
    """Yield the lines of a split list that are not blank."""
    try:
        with path.open(encoding="utf-8") as file:
            yield from filter(None, map(str.strip, file))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: the list cannot be read: {error}") from error
