"""Trees as they are drawn."""

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import chain, tree
from tests.strategies import trees

from discobert.data.rst import Leaf, Nuclearity, RstTree
from discobert.render.trees.rst_groups import group_nuclei, top_down


def parts(found: RstTree) -> list[tuple[str, list[str]]]:
    return [(g.relation, [p.numbers for p in g.children]) for g in group_nuclei(found).groups]


def test_one_edu_has_no_groups() -> None:
    found = group_nuclei(Leaf(0))
    assert found.groups == ()
    assert (found.root.start, found.root.end, found.root.level) == (0, 1, 0)


def test_nuclei_of_one_relation_stand_side_by_side() -> None:
    found = group_nuclei(
        tree("NN", 0, tree("NN", tree("NS", 1, 2, "elaboration"), 3, "joint"), "joint")
    )
    assert [[p.numbers for p in g.children] for g in found.groups] == [
        ["1", "2"],
        ["0", "1–2", "3"],
    ]
    assert found.root.level == 2
    assert found.groups[1].head.head == 0


def test_nuclei_of_other_relations_stay_nested() -> None:
    assert parts(tree("NN", 0, tree("NN", 1, 2, "sequence"), "joint")) == [
        ("sequence", ["1", "2"]),
        ("joint", ["0", "1–2"]),
    ]


def test_nuclei_nested_on_the_left_stay_nested() -> None:
    assert len(parts(tree("NN", tree("NN", 0, 1), 2))) == 2


def test_satellites_are_never_gathered() -> None:
    assert len(parts(chain(4))) == 3


def test_head_is_that_of_the_nucleus() -> None:
    found = group_nuclei(tree("SN", 0, tree("NS", 1, 2)))
    assert found.root.head == 1
    assert [subtree.is_nucleus for subtree in found.groups[1].children] == [False, True]
    assert found.groups[1].nuclearity is Nuclearity.RIGHT


def test_long_lists_and_deep_trees_take_linear_time() -> None:
    assert len(group_nuclei(chain(20_000, "NN")).groups) == 1
    assert group_nuclei(chain(5_000)).root.level == 4_999


@given(st.integers(1, 12).flatmap(trees))
def test_every_part_appears_once_parents_first(found: RstTree) -> None:
    grouped = group_nuclei(found)
    seen = list(top_down(grouped))
    edus = [subtree.start for subtree, _ in seen if subtree.group is None]
    assert edus == list(range(grouped.root.end))
    assert sorted(subtree.group for subtree, _ in seen if subtree.group is not None) == list(
        range(len(grouped.groups))
    )
    for made in grouped.groups:
        assert sum(not subtree.is_nucleus for subtree in made.children) < 2
        assert all(a.end == b.start for a, b in zip(made.children, made.children[1:], strict=False))
