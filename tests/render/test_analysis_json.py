"""Analyses as JSON."""

import json

from tests.builders import analysis, chain, doc

from discobert.data.codec import decode_analysis
from discobert.data.json_text import loads
from discobert.data.summary import Analysis
from discobert.render.analysis_json import render_analysis_json

SMALL = analysis("[One,] [two.]")


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
