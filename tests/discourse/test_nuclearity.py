"""Promotion of EDUs through an RST tree."""

from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree
from discobert.discourse.nuclearity import promotion_depths


def branch(nuclearity: str, left: RstTree, right: RstTree) -> Branch:
    return Branch("relation", Nuclearity(nuclearity), left, right)


def test_one_edu_is_the_root() -> None:
    assert promotion_depths(Leaf(0)) == (0,)


def test_a_nucleus_rises_to_the_root_and_a_satellite_stays() -> None:
    assert promotion_depths(branch("NS", Leaf(0), Leaf(1))) == (0, 1)
    assert promotion_depths(branch("SN", Leaf(0), Leaf(1))) == (1, 0)
    assert promotion_depths(branch("NN", Leaf(0), Leaf(1))) == (0, 0)


def test_the_sentence_of_the_papers_second_figure() -> None:
    inner = branch("NS", Leaf(2), branch("SN", Leaf(3), Leaf(4)))
    tree = branch("SN", Leaf(0), branch("NN", Leaf(1), inner))
    assert promotion_depths(tree) == (1, 0, 0, 4, 3)


def test_deep_trees_need_no_recursion() -> None:
    tree: RstTree = Leaf(0)
    for edu in range(1, 5000):
        tree = branch("NS", tree, Leaf(edu))
    depths = promotion_depths(tree)
    assert depths[0] == 0
    assert depths[1] == 4999
    assert depths[4999] == 1
