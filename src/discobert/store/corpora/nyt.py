"""The New York Times Annotated Corpus (LDC2008T19): NITF files in archives by month or year.

Articles are ``block class="full_text"``, summaries the abstracts that the newspaper's librarians
wrote. The corpus is licensed: users supply it, and a list of the article numbers of a split.
"""

import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO

from discobert.errors import FormatError, InputError
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import FIRST_ENTRY, Entry, LocatedEntry, Location, rejected
from discobert.store.corpora.folders import walk
from discobert.store.corpora.nitf import Nitf, parse_nitf
from discobert.store.corpora.story import read_list
from discobert.store.jsonl import READ_ERRORS
from discobert.store.text import printable

_ARCHIVES = (".tgz", ".tar.gz", ".tar")
_FILE = ".xml"
_LEAD = "LEAD:"
# Notes of the librarians after an abstract: its size, and what was printed beside the article.
_SIZE = re.compile(r"\s*\((?:S|M|L)\)\s*$")
_PRINTED = re.compile(
    r"\s*[;,.]?\s*\b(?:photo|graph|chart|map|table|drawing|diagram|illustration)s?\s*[;.]?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NytCorpus:
    """Articles of the archives and loose files below a folder, or of one archive.

    With a list, exactly the articles it names, by number or file name; without, all that have an
    abstract.
    """

    path: Path
    listing: Path | None = None

    def read(self, start: Location = FIRST_ENTRY) -> Iterator[LocatedEntry]:
        """Yield an entry for each wanted article, archive by archive."""
        wanted = None if self.listing is None else read_numbers(self.listing)
        for index, path in enumerate(self._files()):
            if index < start.file:
                continue
            skip = start.record if index == start.file else 0
            for number, (name, data) in enumerate(islice(_members(path), skip, None), skip):
                if wanted is None or article_number(name) in wanted:
                    entry = _entry(name, data)
                    if wanted is not None or not _lacks_abstract(entry):
                        yield LocatedEntry(Location(index, number), entry)

    def expected(self) -> int | None:
        """Return the length of the list."""
        return None if self.listing is None else len(read_numbers(self.listing))

    def _files(self) -> Iterator[Path]:
        if self.path.is_dir():
            return walk(self.path, (*_ARCHIVES, _FILE))
        if not self.path.exists():
            raise InputError(f"{printable(self.path)}: no such file or folder")
        return iter((self.path,))


def read_numbers(listing: Path) -> frozenset[int]:
    """Read a split list: an article number, file name or path a line."""
    numbers = []
    for line in read_list(listing):
        number = article_number(line)
        if number is None:
            raise FormatError(
                f"{listing.name}: {line!r} names no article; "
                "a line is a number such as 1459527, or a path such as 2003/01/26/1459527.xml"
            )
        numbers.append(number)
    return frozenset(numbers)


def article_number(name: str) -> int | None:
    """Return the number of an article by the name of its file, or none."""
    stem = PurePosixPath(name.replace("\\", "/")).name.removesuffix(_FILE)
    return int(stem) if stem.isascii() and stem.isdigit() else None


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the XML files, in the order of the archive."""
    try:
        if path.name.endswith(_FILE):
            yield path.name, path.read_bytes()
            return
        with path.open("rb") as file:
            yield from _unpack(file)
    except (*READ_ERRORS, tarfile.TarError) as error:
        raise InputError(f"{printable(path)}: the archive cannot be read: {error}") from error


def _unpack(file: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Stream an archive; archives inside it are unpacked on the way."""
    with tarfile.open(fileobj=file, mode="r|*") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is None:
                continue
            if member.name.endswith(_ARCHIVES):
                yield from _unpack(content)
            elif member.name.endswith(_FILE):
                yield member.name, content.read()


def _entry(name: str, data: bytes) -> Entry:
    stem = PurePosixPath(name).name.removesuffix(_FILE)
    try:
        nitf = parse_nitf(data, name=name)
    except FormatError as error:
        return rejected(stem, "malformed-xml", str(error))
    return article_of_nitf(stem, nitf)


def article_of_nitf(name: str, nitf: Nitf) -> Article:
    """Take the full text without its repeated lead, and the abstract without librarians' notes."""
    reference = tuple(filter(None, map(clean_abstract, nitf.abstract)))
    return Article(name, "nyt", "\n".join(without_lead(nitf.full_text)), reference)


def _lacks_abstract(entry: Entry) -> bool:
    return isinstance(entry, Article) and not entry.reference


def without_lead(paragraphs: tuple[str, ...]) -> tuple[str, ...]:
    """Drop a first paragraph marked ``LEAD:`` if the second one repeats it."""
    if not paragraphs or not paragraphs[0].startswith(_LEAD):
        return paragraphs
    lead = paragraphs[0].removeprefix(_LEAD).strip()
    repeated = any(paragraph.startswith(lead) for paragraph in paragraphs[1:2])
    return paragraphs[1:] if repeated or not lead else (lead, *paragraphs[1:])


def clean_abstract(abstract: str) -> str:
    """Drop the marks of size, such as (M), and of photographs, maps and tables from the end."""
    text = abstract.strip()
    while True:
        shorter = _PRINTED.sub("", _SIZE.sub("", text)).strip()
        if shorter == text:
            return text
        text = shorter
