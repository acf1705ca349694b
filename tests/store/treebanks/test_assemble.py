"""Nodes with any number of children made binary."""

import pytest
from tests.builders import tree

from discobert.data.rst import Leaf, RstTree
from discobert.errors import InvalidTree
from discobert.store.treebanks.assemble import Subtree, assemble


def join(roles: str) -> RstTree:
    subtrees = [Subtree(Leaf(i), i, i + 1, role == "N", f"r{i}") for i, role in enumerate(roles)]
    return assemble(reversed(subtrees)).tree


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ("NS", tree("NS", 0, 1, "r1")),
        ("SN", tree("SN", 0, 1, "r0")),
        ("NN", tree("NN", 0, 1, "r1")),
        ("NNN", tree("NN", 0, tree("NN", 1, 2, "r2"), "r2")),
        ("NSN", tree("NN", tree("NS", 0, 1, "r1"), 2, "r2")),
        ("SNS", tree("SN", 0, tree("NS", 1, 2, "r2"), "r0")),
        ("NSS", tree("NS", tree("NS", 0, 1, "r1"), 2, "r2")),
        ("SSN", tree("SN", 0, tree("SN", 1, 2, "r1"), "r0")),
    ],
)
def test_siblings_join_in_one_way(roles: str, expected: RstTree) -> None:
    assert join(roles) == expected


def test_relation_of_nuclei_is_taken_where_it_is_told() -> None:
    subtrees = [Subtree(tree("NS", 0, 1), 0, 2, relation="list"), Subtree(tree("NS", 2, 3), 2, 4)]
    joined = assemble(subtrees).tree
    assert joined == tree("NN", tree("NS", 0, 1), tree("NS", 2, 3), "list")


def test_satellites_alone_are_no_tree() -> None:
    with pytest.raises(InvalidTree, match="at least one nucleus"):
        join("SS")


def test_siblings_must_be_adjacent() -> None:
    with pytest.raises(InvalidTree, match="EDU 4 does not follow EDU 2"):
        assemble([Subtree(tree("NS", 0, 1), 0, 2), Subtree(tree("NS", 3, 4), 3, 5)])
