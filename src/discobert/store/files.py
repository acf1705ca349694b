"""Atomic writes, and checksums of what was written.

A file or folder appears with all of its content, or not at all.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from discobert.errors import UsageError
from discobert.store.text import printable

_PREFIX = ".discobert-"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; readers find the old content or all of the new one.

    A symbolic link is followed, and a file that exists keeps its permissions.
    """
    try:
        _write(path.resolve(), data)
    except FileNotFoundError:
        message = (
            f"{printable(path)}: cannot be written: there is no folder {printable(path.parent)}"
        )
        raise UsageError(message) from None
    except OSError as error:
        raise UsageError(f"{printable(path)}: cannot be written: {error.strerror}") from error


def _write(path: Path, data: bytes) -> None:
    if path.is_dir():
        raise IsADirectoryError(None, "it is a directory; name a file")
    if path.exists() and not path.is_file():  # a device or pipe holds no old content to protect
        path.write_bytes(data)
        return
    with replacing(path) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: Path, *, temporary: Path | None = None) -> Iterator[BinaryIO]:
    """Yield a new file that takes the place of ``path`` when the block ends without an error.

    Until then it lies under a unique name in the folder ``temporary``, which must be on the same
    disk; without one, beside the path. Errors of the system are not translated.
    """
    folder = path.parent if temporary is None else temporary
    handle, name = tempfile.mkstemp(dir=folder, prefix=_PREFIX, suffix=".tmp")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(_permissions(path))
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _permissions(path: Path) -> int:
    if path.exists():
        return path.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def write_folder(path: Path, content: Mapping[str, bytes]) -> None:
    """Write a new folder with these files."""
    if path.exists():
        raise UsageError(f"{printable(path)}: exists already; remove it or name another folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=_PREFIX))
    try:
        for name, data in content.items():
            (folder / name).write_bytes(data)
        folder.chmod(0o755)
        folder.rename(path)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def is_intact(path: Path, size: int, sha256: str) -> bool:
    """Compare a file with its recorded size and SHA-256."""
    return path.is_file() and path.stat().st_size == size and checksum(path) == sha256


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
