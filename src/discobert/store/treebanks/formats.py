"""Readers and writers of tree files by format, which is the suffix of the file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from discobert.errors import UsageError
from discobert.store.files import write_whole
from discobert.store.text import decode, printable, read_bytes
from discobert.store.treebanks.dis import format_dis, parse_dis
from discobert.store.treebanks.rs3 import format_rs3, parse_rs3
from discobert.store.treebanks.rsd import format_rsd, parse_rsd
from discobert.store.treebanks.tree_file import TreeFile


class _Parser(Protocol):
    def __call__(self, data: bytes, *, name: str) -> TreeFile: ...


@dataclass(frozen=True, slots=True)
class TreeFormat:
    """The reader and the writer of a format."""

    parse: _Parser
    format: Callable[[TreeFile], str]


def _parse_dis(data: bytes, *, name: str) -> TreeFile:
    return parse_dis(decode(data, name=name), name=name)


def _parse_rsd(data: bytes, *, name: str) -> TreeFile:
    return parse_rsd(decode(data, name=name), name=name)


FORMATS: Mapping[str, TreeFormat] = MappingProxyType(
    {
        "dis": TreeFormat(_parse_dis, format_dis),
        "rs3": TreeFormat(parse_rs3, format_rs3),
        "rs4": TreeFormat(parse_rs3, format_rs3),
        "rsd": TreeFormat(_parse_rsd, format_rsd),
    }
)


def parse_tree(data: bytes, kind: str, *, name: str) -> TreeFile:
    """Read the bytes of a tree file of a kind, such as ``rs3``."""
    return _format(kind).parse(data, name=name)


def read_tree(path: Path) -> TreeFile:
    """Read a tree file; its suffix is the format."""
    return parse_tree(read_bytes(path), path.suffix.removeprefix("."), name=printable(path))


def format_tree(tree_file: TreeFile, kind: str) -> str:
    """Write the text of a tree file of a kind, such as ``rs3``."""
    return _format(kind).format(tree_file)


def write_tree(path: Path, tree_file: TreeFile) -> None:
    """Write a tree file, whole or not at all; its suffix is the format."""
    text = format_tree(tree_file, path.suffix.removeprefix("."))
    # A lone surrogate cannot be encoded.
    write_whole(path, text.encode("utf-8", "replace"))


def _format(kind: str) -> TreeFormat:
    found = FORMATS.get(kind.lower())
    if found is None:
        raise UsageError(f"unknown format of trees {kind!r}; use one of {', '.join(FORMATS)}")
    return found
