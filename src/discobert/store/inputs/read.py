"""Texts from files of any kind."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from discobert.data.document import SourceText
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.data.markup import Markup
from discobert.errors import InputError, TooLarge
from discobert.store.corpora.json_lines import text_of
from discobert.store.corpora.story import parse_story
from discobert.store.inputs.extract import LIMITS, check_size, extract_text
from discobert.store.inputs.kinds import (
    RECOGNISED_BYTES,
    InputKind,
    recognise,
    refuse_binary,
)
from discobert.store.jsonl import rows_of
from discobert.store.text import decode, printable, reading

_URL = re.compile(r"(?:https?|ftp):/{1,2}|www\.", re.IGNORECASE)
MOST_BYTES = 1_000_000_000
"""Bytes of a file or pipe that are read: all of it is in memory at once."""
_PART_BYTES = 1 << 20


def read_documents(
    source: Path | bytes,
    *,
    name: str | None = None,
    kind: InputKind | None = None,
    encoding: str | None = None,
    limits: TextLimits = DEFAULT_LIMITS,
) -> list[SourceText]:
    """Return the texts of a file, or of the content of one; only JSONL holds several.

    ``kind`` is recognised by name and content if it is not given. Plain text is returned unchanged,
    of every other kind the text without its markup. A path is opened once, so it may be a pipe.
    What is certain to exceed ``limits`` is refused before it is read.
    """
    if isinstance(source, Path):
        called = name or printable(source)
        data = _read_file(source, called, kind, limits)
    else:
        called, data = name or "stdin", source
    chosen = kind or recognise(called, data)
    if chosen in _READERS:
        limits.check_bytes(called, len(data))
    if chosen is InputKind.JSONL:
        return list(_json_texts(data, called, encoding))
    found = _read(data, called, chosen, encoding)
    if not found.text.strip() and found.markup.notes:
        left = "; ".join(note.message for note in found.markup.notes)
        raise InputError(f"{called}: nothing else is in it: {left}")
    return [found]


def read_whole(file: BinaryIO, *, name: str, start: bytes = b"", most: int = MOST_BYTES) -> bytes:
    """Read all that follows the ``start`` of a file, but no more than ``most`` bytes in all."""
    data = _read_at_most(most + 1, file, start)
    if len(data) > most:
        raise TooLarge(f"{name}: more than {most:,} bytes, the most that is read; split it first")
    return data


def _read_at_most(most: int, file: BinaryIO, start: bytes) -> bytes:
    """Read in parts: asked for a gigabyte, Python takes memory for one before it reads."""
    parts, left = [start], most - len(start)
    while left > 0 and (part := file.read(min(left, _PART_BYTES))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _read_file(path: Path, name: str, kind: InputKind | None, limits: TextLimits) -> bytes:
    """Read a file whole, but no more of it than is allowed."""
    if _URL.match(str(path)) and not path.exists():
        address = re.sub(r":/(?!/)", "://", name)  # as it was before it became a path
        raise InputError(
            f"{address}: an address, and nothing is fetched from the network; "
            "save the page and name the file"
        )
    with reading(path), path.open("rb") as file:
        start = file.read(RECOGNISED_BYTES)
        chosen = kind or recognise(name, start)
        if chosen not in LIMITS:
            if chosen in _READERS:
                limits.check_bytes(name, os.fstat(file.fileno()).st_size)
            return read_whole(file, name=name, start=start)
        check_size(os.fstat(file.fileno()).st_size, name=name, kind=chosen)
        data = _read_at_most(LIMITS[chosen].file + 1, file, start)  # a pipe has no size
        check_size(len(data), name=name, kind=chosen)
        return data


def _read(data: bytes, name: str, kind: InputKind, encoding: str | None) -> SourceText:
    if kind is InputKind.HTML and encoding is not None:
        data = decode(data, name=name, encoding=encoding).encode()
    if kind in LIMITS:
        return extract_text(data, name=name, kind=kind)
    if encoding is None:
        refuse_binary(name, data)
    return _READERS[kind](decode(data, name=name, encoding=encoding), name)


def _plain(text: str, name: str) -> SourceText:
    return SourceText(name, text)


def _story(text: str, name: str) -> SourceText:
    return SourceText(name, "\n".join(parse_story(text)[0]), Markup("story"))


def _markdown(text: str, name: str) -> SourceText:
    from discobert.store.inputs.markdown import read_markdown  # 30 ms of imports

    return read_markdown(text, name)


def _transcript(text: str, name: str) -> SourceText:
    from discobert.store.inputs.transcript import read_transcript

    return read_transcript(text, name)


_READERS: Mapping[InputKind, Callable[[str, str], SourceText]] = {
    InputKind.TEXT: _plain,
    InputKind.MARKDOWN: _markdown,
    InputKind.STORY: _story,
    InputKind.TRANSCRIPT: _transcript,
}


def _json_texts(data: bytes, name: str, encoding: str | None) -> Iterator[SourceText]:
    """Yield the text of each line; a line without an id is named after its file and number."""
    found = False
    for row in rows_of(data, name=name, encoding=encoding):
        found = True
        given, text = text_of(row)
        called = given if "id" in row.field.object() else f"{name}:{row.line}"
        if "\0" in text:
            at = text.index("\0")
            raise InputError(f"{row.field.path}: not text: a NUL character at offset {at}")
        yield SourceText(called, text)
    if not found:
        raise InputError(f"{name}: no lines in it, but JSONL needs one for each text")
