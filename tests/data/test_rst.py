"""One traversal for all questions about a tree, at any depth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import chain, tree
from tests.strategies import trees

from discobert.data.rst import (
    Leaf,
    Node,
    Nuclearity,
    RstTree,
    check_tree,
    fold,
    leaves,
    nodes,
    postorder,
    tree_from_nodes,
)
from discobert.errors import InvalidTree

SHAPE = tree("SN", 0, tree("NN", 1, 2, "list"), "cause")


def test_fold_visits_children_first_and_left_first() -> None:
    written = fold(
        SHAPE,
        lambda leaf: str(leaf.edu),
        lambda branch, left, right: f"({left} {right} {branch.relation})",
    )
    assert written == "(0 (1 2 list) cause)"


def test_leaves_and_nodes_in_reading_order() -> None:
    inner = Node(1, 2, 3, Nuclearity.BOTH, "list")
    outer = Node(0, 1, 3, Nuclearity.RIGHT, "cause")
    assert leaves(SHAPE) == (0, 1, 2)
    assert nodes(SHAPE) == (inner, outer)
    assert postorder(SHAPE) == (0, 1, 2, inner, outer)


def test_trees_are_equal_by_content() -> None:
    twin = tree("SN", 0, tree("NN", 1, 2, "list"), "cause")
    assert twin == SHAPE
    assert hash(twin) == hash(SHAPE)
    assert tree("SN", 0, tree("NN", 1, 2), "cause") != SHAPE
    assert Leaf(0) != SHAPE
    assert repr(SHAPE) == "Branch('cause', SN, 3 EDUs)"


def test_depth_does_not_matter() -> None:
    deep, twin = chain(5_000), chain(5_000)
    assert deep == twin
    assert hash(deep) == hash(twin)
    assert repr(deep) == "Branch('rel', NS, 5000 EDUs)"
    assert leaves(deep) == tuple(range(5_000))


@given(st.integers(1, 12).flatmap(trees))
def test_a_tree_is_the_sum_of_its_nodes(drawn: RstTree) -> None:
    n_edus = len(leaves(drawn))
    check_tree(drawn, n_edus)
    assert len(nodes(drawn)) == n_edus - 1
    assert tree_from_nodes(n_edus, reversed(nodes(drawn))) == drawn


def test_a_tree_is_rebuilt_from_its_nodes_in_any_order() -> None:
    assert tree_from_nodes(3, reversed(nodes(SHAPE))) == SHAPE


def test_nodes_that_do_not_fit_are_refused() -> None:
    stray = Node(0, 2, 3, Nuclearity.LEFT, "rel")
    with pytest.raises(InvalidTree, match=r"EDUs \[0, 3\) lacks a child split at 2"):
        tree_from_nodes(3, [stray])
    with pytest.raises(InvalidTree, match="no node covers all 3 EDUs"):
        tree_from_nodes(3, [Node(0, 1, 2, Nuclearity.LEFT, "rel")])


def test_missing_edu_is_named() -> None:
    with pytest.raises(InvalidTree, match="EDU 1 is missing"):
        check_tree(tree("NS", 0, 2), 3)


@pytest.mark.parametrize("shape", [tree("NS", 1, 0), tree("NS", 0, tree("NS", 1, 1))])
def test_disorder_is_refused(shape: RstTree) -> None:
    with pytest.raises(InvalidTree, match="repeated, out of order or unknown"):
        check_tree(shape, 2)


def test_unknown_nuclearity_lists_the_known_ones() -> None:
    with pytest.raises(InvalidTree, match="unknown nuclearity 'SS': use one of NS, SN, NN"):
        Nuclearity("SS")
