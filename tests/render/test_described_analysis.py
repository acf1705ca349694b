"""An analysis as its users see it."""

from tests.builders import analysis, tree

from discobert.data.codec import decode_analysis
from discobert.discourse.dependencies import PAPER
from discobert.render.described_analysis import describe

CLAUSE = analysis(
    "[Ann,] [~tired,] [slept.] | [She dreamt.]",
    tree("NS", tree("NN", tree("NS", 0, 1), 2, "same-unit"), 3),
    ("Ann", "She"),
)


def test_dependencies_and_graphs_are_beside_the_tree() -> None:
    described = describe(CLAUSE)
    assert described["dependencies"] == [
        {"dependent": 0, "head": 2},
        {"dependent": 1, "head": 0},
        {"dependent": 2, "head": 0},
    ]
    assert described["graphs"] == {
        "rst": [[1, 0], [2, 0], [3, 0]],
        "coref": [[0, 0], [0, 3], [1, 1], [2, 2], [3, 0], [3, 3]],
    }


def test_rules_may_be_chosen() -> None:
    assert describe(CLAUSE, rules=PAPER)["dependencies"] == [{"dependent": 1, "head": 0}]


def test_what_was_computed_is_ignored_when_read() -> None:
    assert decode_analysis({**describe(CLAUSE), "dependencies": "?"}) == CLAUSE
