"""The files of a corpus, in the same order on every machine."""

import os
from collections.abc import Iterator
from pathlib import Path

from discobert.errors import InputError
from discobert.store.text import printable

_WILD = "*?["


def find_files(path: Path, suffixes: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the file itself, or the files of a folder or of a quoted pattern, sorted by name.

    A folder gives the files that end in one of the suffixes, a pattern all that fit it.
    """
    if path.is_dir():
        found = sorted(entry for entry in path.iterdir() if entry.name.endswith(suffixes))
    elif not path.exists() and any(mark in path.name for mark in _WILD):
        found = sorted(path.parent.glob(path.name))
    else:
        return (require_rereadable(path),)
    if not found:
        raise InputError(f"{printable(path)}: no files of the kind {' '.join(suffixes)} there")
    return tuple(found)


def walk(folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files below a folder that end in a suffix, folder by folder, sorted by name.

    A folder is read once, however many symbolic links lead to it.
    """
    todo, known = [folder], set[tuple[int, int]]()
    while todo:
        here = todo.pop()
        if _is_new(here, known):
            files, folders = _list(here)
            yield from (path for path in files if path.name.endswith(suffixes))
            todo += reversed(folders)


def walk_folders(folder: Path) -> Iterator[Path]:
    """Yield a folder and all below it, each once, without keeping the names of their files."""
    todo, known = [folder], set[tuple[int, int]]()
    while todo:
        here = todo.pop()
        if _is_new(here, known):
            yield here
            with os.scandir(here) as entries:
                todo += sorted((Path(e.path) for e in entries if _is_folder(e)), reverse=True)


def _is_new(folder: Path, known: set[tuple[int, int]]) -> bool:
    """Return whether a folder has not been seen yet, and remember it."""
    try:
        found = folder.stat()
    except OSError as error:
        raise InputError(f"{printable(folder)}: cannot be read: {error.strerror}") from error
    place = found.st_dev, found.st_ino
    is_new = place not in known
    known.add(place)
    return is_new


def require_rereadable(path: Path) -> Path:
    """Raise an error for a pipe or device, since the content is read more than once."""
    if path.exists() and not path.is_file():
        raise InputError(
            f"{printable(path)}: a pipe or device, which can be read only once; save it to a file"
        )
    return path


def require_folder(path: Path) -> Path:
    """Raise an error if the path is no folder."""
    if not path.is_dir():
        raise InputError(f"{printable(path)}: no such folder")
    return path


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _list(folder: Path) -> tuple[list[Path], list[Path]]:
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry.name, _is_folder(entry)) for entry in entries)
    except OSError as error:
        raise InputError(f"{printable(folder)}: cannot be read: {error.strerror}") from error
    files = [folder / name for name, is_folder in found if not is_folder]
    return files, [folder / name for name, is_folder in found if is_folder]
