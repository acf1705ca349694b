"""Trees as lines of dependencies."""

import pytest
from tests.builders import tree

from discobert.data.rst import Leaf, RstTree
from discobert.errors import FormatError
from discobert.store.treebanks.rsd import format_rsd, parse_rsd
from discobert.store.treebanks.tree_file import TreeFile


def rsd(*rows: tuple[int, int | str, int | str, str]) -> str:
    lines = [
        f"{n}\tword {n}\t{depth}\t_\t_\tx=y\t{head}\t{label}\t_\t_"
        for n, depth, head, label in rows
    ]
    return "\n".join(lines)


def read(*rows: tuple[int, int | str, int | str, str]) -> RstTree:
    return parse_rsd(rsd(*rows), name="a.rsd").tree


def test_depth_orders_what_leans_on_one_head() -> None:
    first_right = [(1, 1, 2, "cause_r"), (2, 0, 0, "ROOT"), (3, 0, 2, "cause_r")]
    first_left = [(1, 0, 2, "cause_r"), (2, 0, 0, "ROOT"), (3, 1, 2, "cause_r")]
    assert read(*first_right) == tree("SN", 0, tree("NS", 1, 2, "cause"), "cause")
    assert read(*first_left) == tree("NS", tree("SN", 0, 1, "cause"), 2, "cause")


def test_without_depths_the_nearest_on_the_right_come_first() -> None:
    rows = [(1, "_", 2, "cause_r"), (2, "_", 0, "ROOT"), (3, "_", 2, "cause_r")]
    assert read(*rows) == tree("SN", 0, tree("NS", 1, 2, "cause"), "cause")


def test_nuclei_of_one_depth_belong_together() -> None:
    rows = [(1, 0, 0, "ROOT"), (2, 0, 1, "list_m"), (3, 0, 1, "list_m"), (4, 1, 1, "joint_m")]
    several = tree("NN", 0, tree("NN", 1, 2, "list"), "list")
    assert read(*rows) == tree("NN", several, 3, "joint")


def test_relation_without_a_mark_is_that_of_a_satellite() -> None:
    assert read((1, 0, 0, "ROOT"), (2, 0, 1, "same_unit")) == tree("NS", 0, 1, "same_unit")
    assert read((1, 0, 0, "ROOT"), (2, 0, 1, "_m")) == tree("NS", 0, 1, "_m")


def test_empty_lines_and_comments_are_skipped() -> None:
    text = "# a comment\r\n\r\n" + rsd((1, 0, 0, "ROOT")) + "\r\n"
    assert parse_rsd(text, name="a.rsd") == TreeFile(("word 1",), Leaf(0))


def test_layout_of_a_written_file() -> None:
    shape = tree(
        "SN", 0, tree("NN", 1, tree("NN", tree("NS", 2, 3, "why"), 4, "list"), "list"), "as"
    )
    assert format_rsd(TreeFile(("a", "b c", "d", "e", "f"), shape)).split("\n") == [
        "1\ta\t1\t_\t_\t_\t2\tas_r\t_\t_",
        "2\tb c\t0\t_\t_\t_\t0\tROOT\t_\t_",
        "3\td\t0\t_\t_\t_\t2\tlist_m\t_\t_",
        "4\te\t0\t_\t_\t_\t3\twhy_r\t_\t_",
        "5\tf\t0\t_\t_\t_\t2\tlist_m\t_\t_",
        "",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.rsd: a tree has one root (head 0), this one has 0"),
        (rsd((1, 0, 0, "ROOT"), (2, 0, 0, "ROOT")), "this one has 2"),
        (rsd((1, 0, 0, "ROOT"), (3, 0, 1, "a_r")), "a.rsd:2: EDU 2 is missing; found '3'"),
        (rsd((1, 0, 0, "ROOT"), (2, 0, 5, "a_r")), "a.rsd:2: head 5 of 2 EDUs"),
        (rsd((1, 0, "x", "ROOT")), "a.rsd:1: the head must be the number of an EDU or 0, got 'x'"),
        (rsd((1, 0, 0, "ROOT"), (2, 0, 2, "a_r")), "a.rsd:2: EDU 2 depends on itself in a circle"),
        ("1\ttext\t0", "a.rsd:1: 3 columns; a line needs at least 8"),
        ("1\t \t0\t_\t_\t_\t0\tROOT", "a.rsd:1: EDU 1 has no text"),
        (
            rsd((1, 0, 3, "a_r"), (2, 0, 4, "a_r"), (3, 0, 0, "ROOT"), (4, 0, 3, "a_r")),
            "a.rsd:2: EDU 4 does not follow EDU 2",
        ),
    ],
)
def test_broken_files_are_refused_with_their_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        parse_rsd(text, name="a.rsd")
    assert message in str(error.value)
