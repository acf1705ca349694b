"""Lines of JSON from a file, plain or compressed, one object at a time."""

import codecs
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import loads
from discobert.errors import InputError, UsageError
from discobert.store.text import decode, printable, reading

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of a line that are read into memory; a longer line is skipped."""

_XZ = b"\xfd7zXZ\x00"
_GZIP = b"\x1f\x8b"
_MARK = b"\xef\xbb\xbf"
READ_ERRORS = (EOFError, OSError, lzma.LZMAError, zlib.error)
"""Exceptions of the standard library while it reads damaged data."""


@dataclass(frozen=True, slots=True)
class Row:
    """An object of a file and the number of its line, from 1."""

    line: int
    field: Field


@dataclass(frozen=True, slots=True)
class RawLine:
    """The bytes of a line; ``whole`` is false, and they are empty, if it was too long."""

    number: int
    offset: int
    """Bytes before it, uncompressed."""
    data: bytes
    whole: bool = True


def read_rows(path: Path, *, skip: int = 0, limit: int | None = None) -> Iterator[Row]:
    """Yield the objects of a JSONL file (plain, gzip or xz, recognised by its content).

    ``skip`` and ``limit`` count objects; blank lines are none. Nothing is read ahead or kept.
    """
    if skip < 0 or (limit is not None and limit < 1):
        raise UsageError(f"need skip >= 0 and limit >= 1, got skip {skip} and limit {limit}")
    name = printable(path)
    end = None if limit is None else skip + limit
    for line in islice(read_lines(path), skip, end):
        yield Row(line.number, row_of(line, name))


def rows_of(data: bytes, *, name: str, encoding: str | None = None) -> Iterator[Row]:
    """Yield the objects of a JSONL file's content (plain, gzip or xz).

    Without an encoding, it is UTF-8 or what the byte order mark says.
    """
    with _open_content(data) as file:
        content = _as_utf8(file, name, encoding)
        for line in _filled_lines(content, name):
            yield Row(line.number, row_of(line, name))


def _as_utf8(file: BinaryIO, name: str, encoding: str | None) -> BinaryIO:
    """Return the content in UTF-8, in which a line end is a byte of its own."""
    try:
        start = file.read(len(_XZ))
        file.seek(0)
        if encoding is None and not start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return file
        data = file.read()
    except READ_ERRORS as error:
        raise InputError(f"{name}: the compressed data is damaged: {error}") from error
    return io.BytesIO(decode(data, name=name, encoding=encoding).encode("utf-8", "surrogatepass"))


def read_lines(path: Path, *, skip: int = 0, offset: int = 0) -> Iterator[RawLine]:
    """Yield the lines that are not blank.

    The first ``skip`` lines, blank ones counted, are left out; they take ``offset`` bytes. An
    uncompressed file is read from there, a compressed one from its start.
    """
    with open_data(path) as file:
        if skip and _seekable(file):
            file.seek(offset)
        else:
            _skip_lines(file, skip, printable(path))
        yield from _filled_lines(file, printable(path), skip, offset)


def row_of(line: RawLine, name: str) -> Field:
    """Return the object of a line; ``name`` is that of its file."""
    place = f"{name}, line {line.number}"
    if not line.whole:
        raise InputError(f"{place}: longer than {LONGEST_LINE:,} bytes")
    field = Field(loads(decode(line.data, name=place, encoding="utf-8"), name=place), place)
    field.object()
    return field


def open_data(path: Path) -> BinaryIO:
    """Open a file for reading, through gzip or xz if its first bytes are theirs.

    A pipe can be opened only once, so its content is read into memory.
    """
    with reading(path):
        with path.open("rb") as file:
            if not file.seekable():
                return _open_content(file.read())
            start = file.read(len(_XZ))
        return _opener(start)(path)


def _open_content(data: bytes) -> BinaryIO:
    return _opener(data)(io.BytesIO(data))


def _opener(start: bytes) -> Callable[[Path | io.BytesIO], BinaryIO]:
    """Return the function that opens a file which begins with these bytes."""
    if start.startswith(_XZ):
        return cast("Callable[[Path | io.BytesIO], BinaryIO]", lzma.open)
    if start.startswith(_GZIP):
        return cast("Callable[[Path | io.BytesIO], BinaryIO]", gzip.open)
    return lambda file: file.open("rb") if isinstance(file, Path) else file


def _seekable(file: BinaryIO) -> bool:
    """Return whether the file can be read from an offset on."""
    return not isinstance(file, gzip.GzipFile | lzma.LZMAFile)


def _skip_lines(file: BinaryIO, n_lines: int, name: str) -> None:
    for number in range(n_lines):
        _next_line(file, name, number)


def _filled_lines(file: BinaryIO, name: str, number: int = 0, offset: int = 0) -> Iterator[RawLine]:
    """Yield lines that are not blank; only a line feed ends one, for JSON may hold others."""
    while True:
        data, size = _next_line(file, name, number)
        if not size:
            return
        start = data.removeprefix(_MARK) if number == 0 else data
        line = RawLine(number + 1, offset, start, whole=len(data) == size)
        if line.data.strip() or not line.whole:
            yield line
        number, offset = number + 1, offset + size


def _next_line(file: BinaryIO, name: str, number: int) -> tuple[bytes, int]:
    """Return a line and its size; of a line that is too long, the size alone."""
    data = _read(file, name, number)
    size = len(data)
    if size <= LONGEST_LINE or data.endswith(b"\n"):
        return data, size
    while not data.endswith(b"\n") and (data := _read(file, name, number)):
        size += len(data)
    return b"", size


def _read(file: BinaryIO, name: str, number: int) -> bytes:
    try:
        return file.readline(LONGEST_LINE + 1)
    except READ_ERRORS as error:
        raise InputError(
            f"{name}: the compressed data is damaged or cut short after line {number}: {error}"
        ) from error
