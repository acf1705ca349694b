"""Summaries as JSON documents and JSON Lines."""

import json

from tests.builders import doc

from discobert.data.codecs.summary import encode_summary
from discobert.data.summary import ModelId, Scores, Selection, Summary
from discobert.render.summaries.json import render_json, render_jsonl


def summary(name: str) -> Summary:
    document = doc("[Café.] | [Two.]", name=name)
    scores, selection = Scores((1.0, 0.5)), Selection((0,), ("score",))
    return Summary(document, scores, selection, (), ("Café.",), ModelId("m", "1"))


def test_one_summary_is_an_object() -> None:
    found = render_json([summary("a")])
    assert "Café" in found
    assert json.loads(found) == encode_summary(summary("a"))


def test_several_summaries_are_an_array() -> None:
    expected = [encode_summary(summary("a")), encode_summary(summary("b"))]
    assert json.loads(render_json([summary("a"), summary("b")])) == expected


def test_json_lines_hold_one_summary_each() -> None:
    lines = render_jsonl([summary("a"), summary("b")]).splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", "b"]
