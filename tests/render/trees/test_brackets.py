"""Where the lines of a drawn tree go."""

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import chain, tree
from tests.strategies import trees

from discobert.data.rst import Leaf, RstTree
from discobert.render.trees.brackets import Bracket, Drawing, draw
from discobert.render.trees.rst_groups import group_nuclei


def drawn(found: RstTree) -> Drawing:
    return draw(group_nuclei(found))


def brackets(found: RstTree) -> list[Bracket]:
    return [bracket for bracket in drawn(found).brackets if bracket is not None]


def test_one_edu_needs_no_lines() -> None:
    found = drawn(Leaf(0))
    assert (found.brackets, found.stems, found.levels) == ((None,), (0,), 0)
    assert found.distance(0) == 0


def test_satellite_hangs_on_the_row_of_its_nucleus() -> None:
    (bracket,) = brackets(tree("NS", 0, 1, "elaboration"))
    assert bracket.rows == (0, 1)
    assert bracket.is_below
    assert (bracket.relation, bracket.level) == ("elaboration", 1)


def test_satellite_before_its_nucleus_hangs_above() -> None:
    (bracket,) = brackets(tree("SN", 0, 1))
    assert bracket.rows == (0, 1)
    assert not bracket.is_below
    assert drawn(tree("SN", 0, 1)).stems == (0, 1)


def test_line_between_nuclei_goes_on_to_the_last() -> None:
    found = brackets(tree("NN", 0, tree("NN", 1, 2)))
    assert [(bracket.rows, bracket.continues) for bracket in found] == [
        ((0, 1), True),
        ((1, 2), False),
    ]


def test_larger_groups_stand_further_from_the_text() -> None:
    found = drawn(tree("NS", tree("NS", 0, 1), tree("NS", 2, 3)))
    assert found.stems == (2, 0, 1, 0)
    assert 0 < found.distance(1) < found.distance(2)


def test_high_trees_stay_narrow_and_apart_near_the_text() -> None:
    found = drawn(chain(5_000))
    assert found.distance(found.levels) < 500
    assert found.distance(2) - found.distance(1) > 5


@given(st.integers(1, 12).flatmap(trees))
def test_every_edu_but_one_hangs_on_one_bracket(found: RstTree) -> None:
    made = drawn(found)
    assert made.brackets.count(None) == 1
    for edu, bracket in enumerate(made.brackets):
        if bracket is not None:
            assert bracket.child.head == edu
            assert made.stems[edu] == bracket.child.level < bracket.level


@given(st.integers(2, 12).flatmap(trees))
def test_lines_of_different_groups_never_overlap(found: RstTree) -> None:
    made = drawn(found)
    cells: dict[tuple[int, int], str] = {}
    for bracket in made.brackets:
        if bracket is not None:
            upper, lower = bracket.rows
            for gap in range(upper, lower):
                name = cells.setdefault((bracket.level, gap), f"{id(bracket)}")
                assert name == f"{id(bracket)}"
            # Nothing that hangs between the two rows reaches as far as the line beside it.
            assert all(made.stems[row] < bracket.level for row in range(upper + 1, lower))
