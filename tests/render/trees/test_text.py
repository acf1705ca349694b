"""Trees in the terminal."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from tests.builders import analysis, chain, doc, tree
from tests.strategies import analyses

from discobert.data.rst import RstTree
from discobert.data.summary import Analysis
from discobert.render.trees.text import MIN_WIDTH, render_tree, wrap

SMALL = analysis(
    "[When it rains,] [we stay in,] [read] [and sleep.] || [That is all.]",
    tree(
        "NS",
        tree("SN", 0, tree("NN", 1, tree("NN", 2, 3, "joint"), "joint"), "context"),
        4,
        "evaluation",
    ),
)


def left_branching(n_edus: int) -> RstTree:
    built: int | RstTree = 0
    for edu in range(1, n_edus):
        built = tree("NS", built, edu)
    assert not isinstance(built, int)
    return built


def test_tree_shows_nuclearity_relations_and_text() -> None:
    assert render_tree([SMALL]) == (
        "doc: 2 paragraphs, 2 sentences, 5 EDUs\n"
        "\n"
        "evaluation 0–4\n"
        "├─N context 0–3\n"
        "│ ├╌S 0 When it rains,\n"
        "│ └─N joint 1–3\n"
        "│   ├─N 1 we stay in,\n"
        "│   ├─N 2 read\n"
        "│   └─N 3 and sleep.\n"
        "└╌S 4 That is all.\n"
    )


def test_one_edu_is_its_own_tree() -> None:
    assert render_tree([analysis("[Stop.]")]).endswith("1 EDU\n\n0 Stop.\n")


def test_several_trees_follow_each_other() -> None:
    assert render_tree([SMALL, SMALL]) == f"{render_tree([SMALL])}\n{render_tree([SMALL])}"


def test_long_texts_are_wrapped_beside_the_lines() -> None:
    long = analysis("[One two three four five six seven,] [eight nine ten eleven twelve.]")
    assert render_tree([long], width=24).splitlines()[-4:] == [
        "├─N 0 One two three four",
        "│     five six seven,",
        "└╌S 1 eight nine ten",
        "      eleven twelve.",
    ]


@pytest.mark.parametrize("built", [chain(1500), left_branching(1500)])
@pytest.mark.parametrize("width", [1, 40, 200])
def test_deep_trees_stay_on_the_screen(built: RstTree, width: int) -> None:
    document = doc(" ".join(f"[E{n}.]" for n in range(1500)))
    lines = render_tree([Analysis(document, built)], width=width).splitlines()
    assert max(map(cell_len, lines)) <= max(width, MIN_WIDTH)
    assert len([line for line in lines if line.endswith(".")]) == 1500


def test_deeper_regions_are_marked_and_left_again() -> None:
    document = doc(" ".join(f"[E{n}]" for n in range(7)))
    drawn = render_tree([Analysis(document, left_branching(7))], width=24)
    assert drawn.splitlines()[3:] == [
        "rel 0–6",
        "├─N rel 0–5",
        "│ ├─N rel 0–4",
        "│ │ ├─N rel 0–3",
        "│ │ │ ├─N rel 0–2",
        "┄┄ levels 5–8 ┄┄",
        "├─N rel 0–1",
        "│ ├─N 0 E0",
        "│ └╌S 1 E1",
        "└╌S 2 E2",
        "┄┄ levels 1–4 ┄┄",
        "│ │ │ └╌S 3 E3",
        "│ │ └╌S 4 E4",
        "│ └╌S 5 E5",
        "└╌S 6 E6",
    ]


def test_terminal_is_never_commanded() -> None:
    drawn = render_tree([analysis("[\x1b[31mred\x9b0m\u202egnat]")])
    assert "\x1b" not in drawn
    assert "\x9b" not in drawn
    assert "\u202e" not in drawn
    assert "�[31mred" in drawn


def test_relation_without_a_name_is_said_to_have_none() -> None:
    assert "(no name) 0–1" in render_tree([analysis("[a] [b]", tree("NS", 0, 1, ""))])


def test_wide_characters_count_double() -> None:
    assert wrap("你好你好你好 ok", 8) == ["你好你好", "你好 ok"]


def test_long_words_are_cut() -> None:
    assert wrap("an abcdefghij end", 5) == ["an", "abcde", "fghij", "end"]
    assert wrap("", 5) == [""]


@settings(max_examples=40)
@given(analyses(), st.integers(MIN_WIDTH, 80))
def test_any_analysis_fits_its_width(found: Analysis, width: int) -> None:
    lines = render_tree([found], width=width).splitlines()
    assert all(cell_len(line) <= width for line in lines)
