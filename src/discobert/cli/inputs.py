"""Texts from files and standard input."""

import sys
from collections.abc import Sequence
from pathlib import Path

from discobert.data.document import SourceText
from discobert.errors import InputError, UsageError
from discobert.store.inputs import InputKind, read_documents
from discobert.store.text import printable

STDIN = "-"


def read_inputs(
    files: Sequence[str], *, encoding: str | None = None, kind: InputKind | None = None
) -> list[SourceText]:
    """Read texts in the order given; no file at all means standard input."""
    if files.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")
    return [text for name in files or _piped() for text in _read(name, encoding, kind)]


def refuse_overwriting(output: Path | None, inputs: Sequence[str]) -> None:
    """Raise an error if the output is one of the inputs."""
    if output is None or not output.exists():
        return
    for name in inputs:
        if Path(name).exists() and output.samefile(name):
            raise UsageError(f"{printable(output)}: is an input too; name another output")


def _read(name: str, encoding: str | None, kind: InputKind | None) -> list[SourceText]:
    source = _stdin() if name == STDIN else Path(name)
    return read_documents(source, kind=kind, encoding=encoding)


def _piped() -> tuple[str, ...]:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("no input: name a file, or pipe a text into the command")
    return (STDIN,)


def _stdin() -> bytes:
    if sys.stdin is None:
        raise InputError("stdin: closed; name a file, or pipe a text into the command")
    return sys.stdin.buffer.read()
