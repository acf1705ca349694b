"""Files written whole or not at all."""

import contextlib
import os
import tempfile
from pathlib import Path

from discobert.errors import UsageError
from discobert.store.text import printable


def write_whole(path: Path, data: bytes) -> None:
    """Put the data beside its place, then rename: readers see the old file or all of the new one.

    A symbolic link keeps pointing at what it named, and a file that existed keeps its permissions.
    """
    try:
        _write(path.resolve(), data)
    except OSError as error:
        raise UsageError(f"{printable(path)}: cannot be written: {error.strerror}") from error


def _write(path: Path, data: bytes) -> None:
    if path.is_dir():
        raise IsADirectoryError(None, "it is a directory; name a file")
    if path.exists() and not path.is_file():  # a device or pipe holds no old content to protect
        path.write_bytes(data)
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".discobert-", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_permissions(path))
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        raise


def _permissions(path: Path) -> int:
    if path.exists():
        return path.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
