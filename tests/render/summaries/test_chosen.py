"""What a summary shows, in the source or its tree."""

from tests.builders import analysis, doc, tree

from discobert.data.summary import ModelId, Scores, Selection, Summary
from discobert.render.screen import PLAIN, Screen
from discobert.render.summaries.chosen import render_chosen_source, render_chosen_tree

FOUND = analysis(
    "[When it rains,] [we stay in.] || [Bo reads.]", tree("NS", tree("SN", 0, 1, "context"), 2)
)
CHOSEN, DIM, END = "\033[1;32m", "\033[2m", "\033[0m"


def summary(*edus: int) -> Summary:
    reasons = ("score",) * len(edus)
    return Summary(
        FOUND.document,
        Scores((0.5, 0.4, 0.3)),
        Selection(edus, reasons),
        (),
        ("x",),
        ModelId("m", "1"),
    )


def test_source_has_brackets_without_colours() -> None:
    assert render_chosen_source(summary(1), PLAIN) == (
        "doc: 1 of 8 words (12 %), from 1 of 2 sentences\n\n"
        "When it rains, [we stay in.]\n\nBo reads.\n"
    )


def test_source_is_painted_line_by_line() -> None:
    shown = render_chosen_source(summary(1, 2), Screen(width=18, colour=True))
    assert shown.split("\n\n", 1)[1].splitlines() == [
        f"{DIM}When it rains,{END} {CHOSEN}we{END}",
        f"{CHOSEN}stay in.{END}",
        "",
        f"{CHOSEN}Bo reads.{END}",
    ]


def test_chosen_edus_of_a_tree_stand_out() -> None:
    assert render_chosen_tree(FOUND, summary(1), PLAIN).splitlines()[2:] == [
        "rel 0–2",
        "├─N context 0–1",
        "│ ├╌S 0 When it rains,",
        "│ └─N 1* we stay in.",
        "└╌S 2 Bo reads.",
    ]
    painted = render_chosen_tree(FOUND, summary(2), Screen(colour=True))
    assert painted.endswith(f"└╌S 2 {CHOSEN}Bo reads.{END}\n")


def test_nothing_is_painted_in_nothing() -> None:
    assert Screen(colour=True).chosen("") == Screen(colour=True).left_out("") == ""
    assert doc("[It rained.]").edu_text(0) == PLAIN.left_out("It rained.")
