"""Disk space of an installed distribution with its requirements."""

import re
from importlib import metadata, util
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def installed_size(*names: str) -> int:
    """Return the bytes of all files of distributions and of what they require, extras left out."""
    files = {path for name in distributions(names) for path in _files(name)}
    return sum(path.stat().st_size for path in files)


def distributions(names: tuple[str, ...]) -> set[str]:
    """Follow requirements from one distribution to the next, as far as they are installed."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name not in found and _is_installed(name):
            found.add(name)
            waiting += _requirements(name)
    return found


def _is_installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _requirements(name: str) -> list[str]:
    """Return names; those for other platforms are not installed, so they add nothing."""
    lines = metadata.requires(name) or []
    needed = [line for line in lines if "extra" not in line.partition(";")[2]]
    return [found.group() for line in needed if (found := _NAME.match(line))]


def _files(name: str) -> set[Path]:
    listed = metadata.files(name) or []
    paths = {Path(str(file.locate())).resolve() for file in listed}
    return {path for path in paths | _editable_files(name) if path.is_file()}


def _editable_files(name: str) -> set[Path]:
    """Return our own files, which an editable installation does not list."""
    spec = util.find_spec(name) if name == "discobert" else None
    folders = spec.submodule_search_locations if spec is not None else None
    return {path.resolve() for folder in folders or () for path in Path(folder).rglob("*")}
