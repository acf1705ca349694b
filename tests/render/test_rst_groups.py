"""Trees as they are drawn."""

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import chain, tree
from tests.strategies import trees

from discobert.data.rst import Leaf, Nuclearity, RstTree
from discobert.render.rst_groups import group, top_down


def parts(found: RstTree) -> list[tuple[str, list[str]]]:
    return [(g.relation, [p.numbers for p in g.parts]) for g in group(found).groups]


def test_one_edu_has_no_groups() -> None:
    found = group(Leaf(0))
    assert found.groups == ()
    assert (found.root.start, found.root.end, found.root.level) == (0, 1, 0)


def test_nuclei_of_one_relation_stand_side_by_side() -> None:
    found = group(tree("NN", 0, tree("NN", tree("NS", 1, 2, "elaboration"), 3, "joint"), "joint"))
    assert [[p.numbers for p in g.parts] for g in found.groups] == [["2", "3"], ["1", "2–3", "4"]]
    assert found.root.level == 2
    assert found.groups[1].head.head == 0


def test_nuclei_of_other_relations_stay_nested() -> None:
    assert parts(tree("NN", 0, tree("NN", 1, 2, "sequence"), "joint")) == [
        ("sequence", ["2", "3"]),
        ("joint", ["1", "2–3"]),
    ]


def test_nuclei_nested_on_the_left_stay_nested() -> None:
    assert len(parts(tree("NN", tree("NN", 0, 1), 2))) == 2


def test_satellites_are_never_gathered() -> None:
    assert len(parts(chain(4))) == 3


def test_head_is_that_of_the_nucleus() -> None:
    found = group(tree("SN", 0, tree("NS", 1, 2)))
    assert found.root.head == 1
    assert [part.is_nucleus for part in found.groups[1].parts] == [False, True]
    assert found.groups[1].nuclearity is Nuclearity.RIGHT


def test_long_lists_and_deep_trees_take_linear_time() -> None:
    assert len(group(chain(20_000, "NN")).groups) == 1
    assert group(chain(5_000)).root.level == 4_999


@given(st.integers(1, 12).flatmap(trees))
def test_every_part_appears_once_parents_first(found: RstTree) -> None:
    grouping = group(found)
    seen = list(top_down(grouping))
    edus = [part.start for part, _ in seen if part.group is None]
    assert edus == list(range(grouping.root.end))
    assert sorted(part.group for part, _ in seen if part.group is not None) == list(
        range(len(grouping.groups))
    )
    for made in grouping.groups:
        assert sum(not part.is_nucleus for part in made.parts) < 2
        assert all(a.end == b.start for a, b in zip(made.parts, made.parts[1:], strict=False))
