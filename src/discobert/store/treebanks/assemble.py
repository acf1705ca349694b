"""Binary trees from nodes with any number of children."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree
from discobert.errors import InvalidTree

SPAN = "span"
"""The relation that files give a nucleus beside its satellite."""


@dataclass(frozen=True, slots=True)
class Subtree:
    """A tree over EDUs ``start`` to ``end``, and its role and relation among its siblings."""

    tree: RstTree
    start: int
    end: int
    is_nucleus: bool = True
    relation: str = SPAN


def leaf_subtree(edu: int) -> Subtree:
    """Return the subtree that is one EDU."""
    return Subtree(Leaf(edu), edu, edu + 1)


def assemble(children: Iterable[Subtree]) -> Subtree:
    """Join siblings to one binary tree.

    Several nuclei branch to the right. A satellite between two nuclei belongs to the one before
    it. Satellites outside belong to all nuclei, the nearest first; where they stand on both sides,
    those on the right first, as is more frequent in GUM (58 % of 3,492 nuclei between satellites).
    """
    subtrees = sorted(children, key=lambda subtree: subtree.start)
    for earlier, later in pairwise(subtrees):
        if earlier.end != later.start:
            raise InvalidTree(
                f"EDU {later.start + 1} does not follow EDU {earlier.end}: "
                "siblings must be adjacent"
            )
    central = [index for index, subtree in enumerate(subtrees) if subtree.is_nucleus]
    if not central:
        raise InvalidTree("a node needs at least one nucleus")
    first, after = central[0], central[-1] + 1
    joined = _join_nuclei(_absorb(subtrees[first:after]))
    for satellite in subtrees[after:]:
        joined = _join(joined, satellite, Nuclearity.LEFT, satellite.relation)
    for satellite in reversed(subtrees[:first]):
        joined = _join(satellite, joined, Nuclearity.RIGHT, satellite.relation)
    return joined


def _absorb(subtrees: Sequence[Subtree]) -> list[Subtree]:
    """Give each satellite between nuclei to the nucleus before it."""
    nuclei: list[Subtree] = []
    for subtree in subtrees:
        if subtree.is_nucleus:
            nuclei.append(subtree)
        else:
            nucleus = nuclei.pop()
            joined = _join(nucleus, subtree, Nuclearity.LEFT, subtree.relation)
            nuclei.append(replace(joined, relation=nucleus.relation))
    return nuclei


def _join_nuclei(nuclei: Sequence[Subtree]) -> Subtree:
    joined = nuclei[-1]
    for nucleus in reversed(nuclei[:-1]):
        relation = nucleus.relation if joined.relation == SPAN else joined.relation
        joined = replace(_join(nucleus, joined, Nuclearity.BOTH, relation), relation=relation)
    return replace(joined, relation=SPAN)


def _join(left: Subtree, right: Subtree, nuclearity: Nuclearity, relation: str) -> Subtree:
    return Subtree(Branch(relation, nuclearity, left.tree, right.tree), left.start, right.end)
