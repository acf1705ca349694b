"""Analyses as JSON, with dependencies and graphs."""

import json

from tests.builders import analysis, chain, doc, tree

from discobert.data.codecs.analysis import decode_analysis
from discobert.data.codecs.json_text import loads
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import PAPER
from discobert.render.analysis_json import describe_analysis, render_analysis_json

SMALL = analysis("[One,] [two.]")
CLAUSE = analysis(
    "[Ann,] [~tired,] [slept.] | [She dreamt.]",
    tree("NS", tree("NN", tree("NS", 0, 1), 2, "same-unit"), 3),
    ("Ann", "She"),
)


def test_one_analysis_is_an_object() -> None:
    found = json.loads(render_analysis_json([SMALL]))
    assert found["id"] == "doc"
    assert found["dependencies"] == [{"dependent": 1, "head": 0}]
    assert found["graphs"]["rst"] == [[1, 0]]


def test_several_analyses_are_an_array() -> None:
    written = render_analysis_json([SMALL, SMALL])
    assert json.loads(written) == [json.loads(render_analysis_json([SMALL]))] * 2
    assert written.count("\n") == 2


def test_no_analyses_are_an_empty_array() -> None:
    assert json.loads(render_analysis_json([])) == []


def test_deep_trees_are_written() -> None:
    deep = Analysis(doc(" ".join(f"[E{n}]" for n in range(2000))), chain(2000))
    assert decode_analysis(loads(render_analysis_json([deep]))) == deep


def test_dependencies_and_graphs_are_beside_the_tree() -> None:
    described = describe_analysis(CLAUSE)
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
    assert describe_analysis(CLAUSE, rules=PAPER)["dependencies"] == [{"dependent": 1, "head": 0}]


def test_what_was_computed_is_ignored_when_read() -> None:
    assert decode_analysis({**describe_analysis(CLAUSE), "dependencies": "?"}) == CLAUSE
