"""Texts from files and standard input."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from discobert.cli.exit_codes import INPUT, Exit
from discobert.cli.streams import tell
from discobert.data.document import SourceText
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.errors import InputError, MissingExtra, UsageError
from discobert.store.inputs import InputKind, read_documents
from discobert.store.inputs.read import read_whole
from discobert.store.text import printable

if TYPE_CHECKING:
    from discobert.data.analysis import Analysis

STDIN = "-"
_TREE_SUFFIXES = frozenset({".rs3", ".rs4", ".dis", ".rsd"})


@dataclass(slots=True)
class FileErrors:
    """Errors of single files, which do not stop the others; one file alone is refused at once."""

    several: bool
    """Whether there are others."""
    found: bool = False

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Print an error of the input inside the block instead of raising it."""
        try:
            yield
        except (InputError, MissingExtra) as error:
            if not self.several:
                raise
            self.found = True
            tell(f"error: {' '.join(str(error).split())}")

    def finish(self) -> None:
        """Leave with the code of unreadable input if there was any."""
        if self.found:
            raise Exit(INPUT)


def read_sources(
    files: Sequence[str],
    errors: FileErrors,
    *,
    encoding: str | None = None,
    kind: InputKind | None = None,
    limits: TextLimits = DEFAULT_LIMITS,
) -> "list[SourceText | Analysis]":
    """Read texts, and of tree files (.rs3, .dis, …) the analyses that they hold."""
    _refuse_second_stdin(files)
    found: list[SourceText | Analysis] = []
    for name in files or _piped():
        with errors.kept():
            if kind is None and _is_tree_file(name):
                found.append(_read_tree(name))
            else:
                found += _read(name, encoding, kind, limits)
    errors.several = errors.several or len(found) > 1
    return found


def _read_tree(name: str) -> "Analysis":
    from discobert.store.treebanks.analyses import read_analysis

    return read_analysis(Path(name))


def _refuse_second_stdin(files: Sequence[str]) -> None:
    if files.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")


def _is_tree_file(name: str) -> bool:
    return Path(name).suffix.lower() in _TREE_SUFFIXES


def refuse_overwriting(output: Path | None, inputs: Sequence[str]) -> None:
    """Raise an error if the output is one of the inputs."""
    if output is None or not output.exists():
        return
    for name in inputs:
        if Path(name).exists() and output.samefile(name):
            raise UsageError(f"{printable(output)}: is an input too; name another output")


def _read(
    name: str, encoding: str | None, kind: InputKind | None, limits: TextLimits
) -> list[SourceText]:
    source = _stdin() if name == STDIN else Path(name)
    found = read_documents(source, kind=kind, encoding=encoding, limits=limits)
    for document in found:
        limits.check_chars(document.id, len(document.text))
    return found


def _piped() -> tuple[str, ...]:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("no input: name a file, or pipe a text into the command")
    return (STDIN,)


def _stdin() -> bytes:
    if sys.stdin is None:
        raise InputError("stdin: closed; name a file, or pipe a text into the command")
    return read_whole(sys.stdin.buffer, name="stdin")
