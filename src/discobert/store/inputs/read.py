"""Files of any kind to named texts."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from discobert.errors import InputError
from discobert.store.corpora.articles import text_of
from discobert.store.corpora.story import parse_story
from discobert.store.inputs.extract import LIMITS, check_size, extract_text
from discobert.store.inputs.kinds import InputKind, recognise
from discobert.store.inputs.markdown import plain_text
from discobert.store.jsonl import Line, Row, read_rows, row_of
from discobert.store.text import decode, printable, read_bytes

_LOOK = 4096


class Named(NamedTuple):
    """A text and what it is called; offsets of a summary are offsets into this text."""

    name: str
    text: str


def read_documents(
    source: Path | bytes,
    *,
    name: str | None = None,
    kind: InputKind | None = None,
    encoding: str | None = None,
) -> list[Named]:
    """Read a file, or its content, as what it is or is said to be; JSONL gives several texts.

    Plain text comes back exactly as it stands; of every other kind, the text that it holds does.
    """
    called = name or (printable(source) if isinstance(source, Path) else "stdin")
    start = source[:_LOOK] if isinstance(source, bytes) else _start(source)
    chosen = kind or recognise(called, start)
    if chosen is InputKind.JSONL:
        return list(_lines(source, called))
    if isinstance(source, Path) and chosen in LIMITS and source.exists():
        check_size(source.stat().st_size, name=called, kind=chosen)
    data = source if isinstance(source, bytes) else read_bytes(source)
    return [Named(called, _text(data, called, chosen, encoding))]


def _start(path: Path) -> bytes:
    """Read the first bytes of a file; what cannot be opened is told when it is read whole."""
    try:
        with path.open("rb") as file:
            return file.read(_LOOK)
    except OSError:
        return b""


def _text(data: bytes, name: str, kind: InputKind, encoding: str | None) -> str:
    if kind is InputKind.HTML and encoding is not None:
        data = decode(data, name=name, encoding=encoding).encode()
    if kind in LIMITS:
        return extract_text(data, name=name, kind=kind)
    text = decode(data, name=name, encoding=encoding)
    return _READERS[kind](text)


def _story(text: str) -> str:
    return "\n".join(parse_story(text)[0])


_READERS: Mapping[InputKind, Callable[[str], str]] = {
    InputKind.TEXT: str,
    InputKind.MARKDOWN: plain_text,
    InputKind.STORY: _story,
}


def _lines(source: Path | bytes, name: str) -> Iterator[Named]:
    """Read a text from each line; a text without an id is called after its file and line."""
    found = False
    for row in read_rows(source) if isinstance(source, Path) else _rows(source, name):
        found = True
        given, text = text_of(row)
        yield Named(given if "id" in row.field.object() else f"{name}:{row.line}", text)
    if not found:
        raise InputError(f"{name}: no lines in it, but JSONL needs one for each text")


def _rows(data: bytes, name: str) -> Iterator[Row]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            yield Row(number, row_of(Line(number, 0, line), name))
