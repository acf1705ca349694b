"""Results to standard output or a file, notes and progress to standard error."""

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from discobert.cli.streams import on_terminal, show_result, tell
from discobert.errors import UsageError
from discobert.store.files import write_whole
from discobert.store.text import printable

T = TypeVar("T")
_LONG_TEXT = 20_000
"""Characters from which on a single text takes seconds."""


def emit(text: str, output: Path | None) -> None:
    """Write a result as UTF-8, the same bytes on every system."""
    if output is None:
        show_result(text)
    else:
        write_whole(output, text.encode("utf-8", "backslashreplace"))


def refuse_one_file_for_two(*outputs: Path | None) -> None:
    """Raise an error if two outputs are the same file."""
    named = [output.absolute() for output in outputs if output is not None]
    for output in named:
        if named.count(output) > 1:
            raise UsageError(f"{printable(output)}: named for two outputs; name another file")


def note(messages: Iterable[str], *, quiet: bool) -> None:
    """Print messages to standard error."""
    if not quiet:
        for message in messages:
            tell(message)


@contextlib.contextmanager
def spinner(n_chars: int, *, quiet: bool) -> Iterator[None]:
    """Show the stage of a long text and its share, if stderr is a terminal."""
    if quiet or n_chars < _LONG_TEXT or not on_terminal(sys.stderr):
        yield
        return
    from rich.console import Console

    from discobert.runtime.stages import watched

    with Console(stderr=True).status("Loading") as status:

        def show(stage: str, share: float) -> None:
            status.update(f"{stage.capitalize()}{f' {share:.0%}' if share else ''}")

        with watched(show):
            yield


def progress(items: Sequence[T], *, label: str, quiet: bool) -> Iterator[T]:
    """Yield the items, with a progress bar if there are several and stderr is a terminal."""
    if quiet or len(items) < 2 or not on_terminal(sys.stderr):
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=label, console=Console(stderr=True), transient=True)
