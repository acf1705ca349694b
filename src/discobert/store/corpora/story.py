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
from discobert.store.corpora.entries import START, Entry, Place, Placed, rejected
from discobert.store.corpora.folders import require_folder, walk, walk_folders
from discobert.store.text import read_text

SUFFIX = ".story"
_HIGHLIGHT = "@highlight"
# What tells where a story is from, in its URL or the name of its folder.
_SOURCES = ("dailymail", "cnn")


@dataclass(frozen=True, slots=True)
class Stories:
    """Stories of a folder and those below it: of a list of URLs in its order, or all by name."""

    folder: Path
    urls: Path | None = None
    boilerplate: Boilerplate = Boilerplate.KEEP

    def read(self, start: Place = START) -> Iterator[Placed]:
        """Yield an entry for each URL of the list or for each file."""
        require_folder(self.folder)
        found = self._by_name() if self.urls is None else self._by_url(self.urls)
        for number, story in enumerate(islice(found, start.record, None), start.record):
            yield Placed(Place(0, number), self._entry(story))

    def expected(self) -> int | None:
        """Return the length of the list."""
        return None if self.urls is None else sum(1 for _ in read_list(self.urls))

    def _by_name(self) -> Iterator["_Found"]:
        for path in walk(self.folder, (SUFFIX,)):
            yield _Found(path.stem, path, path.parent.as_posix())

    def _by_url(self, urls: Path) -> Iterator["_Found"]:
        folders = list(walk_folders(self.folder))
        for url in read_list(urls):
            name = story_id(url)
            places = (folder / f"{name}{SUFFIX}" for folder in folders)
            yield _Found(name, next((path for path in places if path.exists()), None), url)

    def _entry(self, story: "_Found") -> Entry:
        if story.path is None:
            message = f"no {story.id}{SUFFIX} below the folder, for {story.hint}"
            return rejected(story.id, "missing-file", message)
        try:
            paragraphs, highlights = parse_story(read_text(story.path))
        except InputError as error:
            return rejected(story.id, "unreadable", str(error))
        if self.boilerplate is Boilerplate.DROP and paragraphs:
            paragraphs = without_boilerplate(paragraphs)
        source = next((name for name in _SOURCES if name in story.hint.lower()), "")
        return Article(story.id, source, "\n".join(paragraphs), highlights)


class _Found(NamedTuple):
    """A story, where it lies if anywhere, and a text that tells where it was published."""

    id: str
    path: Path | None
    hint: str


def story_id(url: str) -> str:
    """Return the id of the story at a URL, exactly as the list writes the URL."""
    return hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()


def parse_story(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the paragraphs of the article and the highlights."""
    lines = [line.strip() for line in text.split("\n")]
    spoken = [line for line in lines if line]
    end = spoken.index(_HIGHLIGHT) if _HIGHLIGHT in spoken else len(spoken)
    return tuple(spoken[:end]), tuple(line for line in spoken[end:] if line != _HIGHLIGHT)


def read_list(path: Path) -> Iterator[str]:
    """Yield the lines of a split list that are not blank."""
    try:
        with path.open(encoding="utf-8") as file:
            yield from filter(None, map(str.strip, file))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: the list cannot be read: {error}") from error
