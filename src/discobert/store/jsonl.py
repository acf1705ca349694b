"""Lines of JSON from a file, plain or compressed, one object at a time."""

import gzip
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from discobert.data.fields import Field
from discobert.data.json_text import loads
from discobert.errors import InputError, UsageError
from discobert.store.text import decode, printable

_XZ = b"\xfd7zXZ\x00"
_GZIP = b"\x1f\x8b"
_MARK = b"\xef\xbb\xbf"
_DAMAGED = (EOFError, OSError, lzma.LZMAError, zlib.error)


@dataclass(frozen=True, slots=True)
class Row:
    """An object of a file and the number of its line, from 1."""

    line: int
    field: Field


def read_rows(path: Path, *, skip: int = 0, limit: int | None = None) -> Iterator[Row]:
    """Stream the objects of a JSONL file (plain, gzip or xz, told by its content).

    ``skip`` and ``limit`` count objects; blank lines are none. Nothing is read ahead or kept.
    """
    if skip < 0 or (limit is not None and limit < 1):
        raise UsageError(f"need skip >= 0 and limit >= 1, got skip {skip} and limit {limit}")
    name = printable(path)
    end = None if limit is None else skip + limit
    with _open(path) as file:
        index = 0
        for number, line in enumerate(_lines(file, name), start=1):
            if not line.strip():
                continue
            if index >= skip:
                yield Row(number, _object(line, f"{name}, line {number}"))
            index += 1
            if index == end:
                return


def _object(line: bytes, name: str) -> Field:
    field = Field(loads(decode(line, name=name, encoding="utf-8"), name=name), name)
    field.object()
    return field


def _open(path: Path) -> BinaryIO:
    name = printable(path)
    try:
        with path.open("rb") as file:
            start = file.read(len(_XZ))
        if start.startswith(_XZ):
            return cast("BinaryIO", lzma.open(path))
        if start.startswith(_GZIP):
            return cast("BinaryIO", gzip.open(path))
        return path.open("rb")
    except FileNotFoundError as error:
        raise InputError(f"{name}: no such file") from error
    except IsADirectoryError as error:
        raise InputError(f"{name}: a directory, not a file; name the files in it") from error
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}") from error


def _lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield lines that end in a line feed alone: JSON may hold other line separators."""
    number = 0
    while True:
        try:
            line = file.readline()
        except _DAMAGED as error:
            raise InputError(
                f"{name}: the compressed data is damaged or cut short after line {number}: {error}"
            ) from error
        if not line:
            return
        yield line.removeprefix(_MARK) if number == 0 else line
        number += 1
