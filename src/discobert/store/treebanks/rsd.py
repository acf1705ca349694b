"""RST trees as dependencies between EDUs (``.rsd``), one line an EDU, as GUM has them.

Of ten columns six matter: number, text, depth, and, after three others, head and relation. The
relation ends in ``_r`` for a satellite and ``_m`` for a further nucleus. The depth orders the
dependents of a head: it is the number of nodes that the head had joined before.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from discobert.data.rst import Branch, Leaf, Nuclearity, fold
from discobert.errors import FormatError, InvalidTree
from discobert.store.treebanks.assemble import Subtree, assemble, leaf_subtree
from discobert.store.treebanks.tree_file import TreeFile, checked_relation, squeeze

_COLUMNS = 8
_NUMBER = re.compile(r"[0-9]{1,9}")
_NUCLEUS, _SATELLITE, _ROOT = "m", "r", "ROOT"


@dataclass(frozen=True, slots=True)
class _Row:
    """One EDU; ``head`` counts from 0 and is -1 at the root."""

    line: int
    text: str
    depth: int
    head: int
    relation: str
    is_nucleus: bool


def parse_rsd(text: str, *, name: str) -> TreeFile:
    """Parse the content of a file; ``name`` is its name in errors."""
    rows: list[_Row] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            rows.append(_parse_row(line.rstrip("\r"), len(rows) + 1, number, name))
    dependents: dict[int, list[int]] = defaultdict(list)
    for edu, row in enumerate(rows):
        if row.head >= len(rows):
            raise FormatError(f"{name}:{row.line}: head {row.head + 1} of {len(rows)} EDUs")
        dependents[row.head].append(edu)
    subtrees: dict[int, Subtree] = {}
    for edu in reversed(_heads_first(dependents, rows, name)):
        subtrees[edu] = _join(
            edu, [(rows[other], subtrees.pop(other)) for other in dependents[edu]], name
        )
    (whole,) = subtrees.values()
    return TreeFile(tuple(row.text for row in rows), whole.tree)


def _parse_row(line: str, expected: int, number: int, name: str) -> _Row:
    place = f"{name}:{number}"
    cells = line.split("\t")
    if len(cells) < _COLUMNS:
        raise FormatError(f"{place}: {len(cells)} columns; a line needs at least {_COLUMNS}")
    if cells[0] != str(expected):
        raise FormatError(f"{place}: EDU {expected} is missing; found {cells[0]!r}")
    if not cells[1].strip():
        raise FormatError(f"{place}: EDU {expected} has no text")
    if not _NUMBER.fullmatch(cells[6]):
        raise FormatError(f"{place}: the head must be the number of an EDU or 0, got {cells[6]!r}")
    relation, _, kind = cells[7].rpartition("_")
    suffixed = kind in {_NUCLEUS, _SATELLITE} and relation != ""
    return _Row(
        line=number,
        text=squeeze(cells[1]),
        depth=int(cells[2]) if _NUMBER.fullmatch(cells[2]) else 0,
        head=int(cells[6]) - 1,
        relation=relation if suffixed else cells[7],
        is_nucleus=suffixed and kind == _NUCLEUS,
    )


def _heads_first(dependents: dict[int, list[int]], rows: Sequence[_Row], name: str) -> list[int]:
    """List all EDUs from the root down, each after its head."""
    roots = dependents[-1]
    if len(roots) != 1:
        raise FormatError(f"{name}: a tree has one root (head 0), this one has {len(roots)}")
    ordered = list(roots)
    for edu in ordered:
        ordered += dependents[edu]
    if len(ordered) < len(rows):
        lost = min(set(range(len(rows))) - set(ordered))
        raise FormatError(f"{name}:{rows[lost].line}: EDU {lost + 1} depends on itself in a circle")
    return ordered


def _join(edu: int, dependents: Iterable[tuple[_Row, Subtree]], name: str) -> Subtree:
    """Join a head with its dependents in order of depth, satellites before further nuclei."""
    joined = leaf_subtree(edu)
    key = _attachment_order
    for _, group in groupby(sorted(dependents, key=key), key=key):
        members = list(group)
        row = members[0][0]
        siblings = [
            replace(subtree, is_nucleus=row.is_nucleus, relation=row.relation)
            for row, subtree in members
        ]
        nucleus = replace(joined, relation=row.relation)
        try:
            joined = assemble([nucleus, *siblings])
        except InvalidTree as error:
            raise FormatError(f"{name}:{row.line}: {error}") from error
    return joined


def _attachment_order(dependent: tuple[_Row, Subtree]) -> tuple[int, bool]:
    row, _ = dependent
    return row.depth, row.is_nucleus


@dataclass(frozen=True, slots=True)
class _Headed:
    """A subtree by its head and the number of nodes the head has joined."""

    head: int
    depth: int


@dataclass(frozen=True, slots=True)
class _Nuclei:
    """Subtrees that one relation joins as equals, the last first; more may come."""

    relation: str
    members: list[_Headed]


@dataclass(frozen=True, slots=True)
class _Columns:
    """The three columns of each EDU that describe the tree: depth, head and relation."""

    cells: list[tuple[int, int, str]]

    def attach(self, dependent: _Headed, head: _Headed, relation: str) -> None:
        self.cells[dependent.head] = (head.depth, head.head + 1, relation)

    def head_of(self, subtree: _Headed | _Nuclei) -> _Headed:
        """Return the head of a subtree; the first of several nuclei is the head of the others."""
        if isinstance(subtree, _Headed):
            return subtree
        *others, head = subtree.members
        for other in others:
            self.attach(other, head, f"{subtree.relation}_{_NUCLEUS}")
        return _Headed(head.head, head.depth + 1)

    def at_branch(
        self, branch: Branch, left: _Headed | _Nuclei, right: _Headed | _Nuclei
    ) -> _Headed | _Nuclei:
        relation = checked_relation(branch.relation)
        if branch.nuclearity is Nuclearity.BOTH:
            if isinstance(right, _Nuclei) and right.relation == relation:
                right.members.append(self.head_of(left))
                return right
            return _Nuclei(relation, [self.head_of(right), self.head_of(left)])
        nucleus, satellite = self.head_of(left), self.head_of(right)
        if branch.nuclearity is Nuclearity.RIGHT:
            nucleus, satellite = satellite, nucleus
        self.attach(satellite, nucleus, f"{relation}_{_SATELLITE}")
        return _Headed(nucleus.head, nucleus.depth + 1)


def format_rsd(tree_file: TreeFile) -> str:
    """Write a tree as lines of ten columns."""
    columns = _Columns([(0, 0, _ROOT)] * len(tree_file.edus))
    columns.head_of(fold(tree_file.tree, _at_leaf, columns.at_branch))
    rows = enumerate(zip(tree_file.edus, columns.cells, strict=True), start=1)
    lines = (
        f"{number}\t{edu}\t{depth}\t_\t_\t_\t{head}\t{relation}\t_\t_"
        for number, (edu, (depth, head, relation)) in rows
    )
    return "\n".join([*lines, ""])


def _at_leaf(leaf: Leaf) -> _Headed | _Nuclei:
    return _Headed(leaf.edu, 0)
