"""A folder of the RST Discourse Treebank, or one laid out like it: ``X``, ``X.edus``, ``X.dis``.

The treebank is licensed by the LDC; it is read from a folder that the user names.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from discobert.errors import FormatError, InputError
from discobert.store.text import printable, read_text
from discobert.store.treebanks.dis import parse_dis
from discobert.store.treebanks.tree_file import TreeFile, squeeze


@dataclass(frozen=True, slots=True)
class TreebankDocument:
    """One text of a treebank with its tree."""

    name: str
    text: str
    tree_file: TreeFile


def read_treebank(folder: Path) -> Iterator[TreebankDocument]:
    """Read every tree of a folder with its raw text; EDU texts come from ``.edus`` if it is there.

    A tree without a raw text gets the text of its EDUs joined by spaces.
    """
    paths = sorted(folder.glob("*.dis"))
    if not paths:
        raise InputError(f"{printable(folder)}: no .dis files in this folder")
    return map(_read_document, paths)


def _read_document(path: Path) -> TreebankDocument:
    tree_file = parse_dis(read_text(path), name=printable(path))
    edus, raw = path.with_suffix(".edus"), path.with_suffix("")
    if edus.is_file():
        tree_file = replace(tree_file, edus=_read_edus(edus, len(tree_file.edus)))
    text = read_text(raw) if raw.is_file() else tree_file.text
    return TreebankDocument(raw.name.removesuffix(".out"), text, tree_file)


def _read_edus(path: Path, expected: int) -> tuple[str, ...]:
    edus = tuple(squeeze(line) for line in read_text(path).splitlines() if line.strip())
    if len(edus) != expected:
        raise FormatError(f"{printable(path)}: {len(edus)} EDUs, but {expected} in the tree")
    return edus
