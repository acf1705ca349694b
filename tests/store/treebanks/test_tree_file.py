"""EDU texts with a tree, whatever file they are from."""

import pytest
from tests.builders import analysis, tree

from discobert.errors import InvalidTree
from discobert.store.treebanks import TreeFile, coarse, coarse_tree, from_analysis

PAIR = tree("NS", 0, 1)


@pytest.mark.parametrize(
    ("fine", "expected"),
    [
        ("elaboration-additional", "elaboration"),
        ("joint", "joint"),
        ("Same-Unit", "same-unit"),
        ("same_unit", "same-unit"),
        ("Elaboration-object-attribute-e", "elaboration"),
    ],
)
def test_coarse_class_of_a_relation(fine: str, expected: str) -> None:
    assert coarse(fine) == expected


def test_coarse_tree_keeps_the_shape() -> None:
    fine = tree("SN", 0, tree("NN", 1, 2, "same-unit"), "adversative-concession")
    assert coarse_tree(fine) == tree("SN", 0, tree("NN", 1, 2, "same-unit"), "adversative")


def test_analysis_becomes_texts_with_a_tree() -> None:
    made = from_analysis(analysis("[It  rained,] [so we stayed.] || [We read.]"))
    assert made.edus == ("It rained,", "so we stayed.", "We read.")
    assert made.paragraphs == (0, 2)
    assert made.text == "It rained, so we stayed.\n\nWe read."


@pytest.mark.parametrize("edu", ["", "a  b", " a", "a\n"])
def test_texts_are_even(edu: str) -> None:
    with pytest.raises(InvalidTree, match="EDU 1 is empty or has uneven white space"):
        TreeFile(("a", edu), PAIR)


def test_tree_holds_every_edu() -> None:
    with pytest.raises(InvalidTree, match="EDU 2 is missing"):
        TreeFile(("a", "b", "c"), PAIR)


@pytest.mark.parametrize("paragraphs", [(), (1,), (0, 0), (0, 2)])
def test_paragraphs_start_at_edus(paragraphs: tuple[int, ...]) -> None:
    with pytest.raises(InvalidTree, match="paragraphs must start at EDU 0"):
        TreeFile(("a", "b"), PAIR, paragraphs)
