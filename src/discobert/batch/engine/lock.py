"""One run at a time for one output; the lock of a run that was killed goes with it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from discobert.batch.engine.parts import LOCK, Parts, writing
from discobert.errors import UsageError
from discobert.store.text import printable


@contextlib.contextmanager
def only_run(parts: Parts) -> Iterator[None]:
    """Keep other runs away; leaves no folder behind if nothing was begun in it."""
    with writing(parts.folder):
        parts.folder.mkdir(parents=True, exist_ok=True)
        file = (parts.folder / LOCK).open("ab")
    try:
        with file:
            _take(file, parts.folder)
            yield
    finally:
        if not parts.job.exists():
            with contextlib.suppress(OSError):
                (parts.folder / LOCK).unlink()
                parts.folder.rmdir()


def _take(file: BinaryIO, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # not a POSIX system: shards are still written whole
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(f"{printable(folder)}: another run is at work there") from error
    except OSError:  # a file system without locks
        return
