"""Summaries survive JSON beside their document."""

import copy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from tests.builders import doc
from tests.strategies import summaries

from discobert.data.codecs.json_text import Json, dumps, loads
from discobert.data.codecs.summary import decode_summary, encode_summary
from discobert.data.cuts import Cut
from discobert.data.explanation import ENDS
from discobert.data.graph import Edge
from discobert.data.summary import (
    ModelId,
    Replacement,
    Scores,
    Selection,
    Summary,
    SummaryWarning,
)
from discobert.errors import FormatError

DOCUMENT = doc("[We stayed,] [~reading.] | [It rained.]")
SUMMARY = Summary(
    document=DOCUMENT,
    scores=Scores((0.25, 0.5, 0.125)),
    selection=Selection((0, 1), ("needed by 1", "score")),
    dependencies=(Edge(1, 0),),
    sentences=("We stayed, reading.",),
    model=ModelId("test", "1"),
    warnings=(SummaryWarning("over-budget", "Too long."), SummaryWarning("odd", "Hm.", 1)),
    replacements=(Replacement(0, 0, 2, "Al and Bo"),),
    left=("end",),
    cuts=(Cut((1,), 0.75),),
    request={"style": "readable", "words": 3},
)


@given(summaries())
def test_summary_survives(drawn: Summary) -> None:
    assert decode_summary(loads(dumps(encode_summary(drawn))), drawn.document) == drawn


def test_layout_of_a_summary() -> None:
    encoded = encode_summary(SUMMARY)
    units = encoded.pop("units")
    assert encoded == {
        "format": 1,
        "id": "doc",
        "text": "We stayed, reading.",
        "sentences": ["We stayed, reading."],
        "words": 3,
        "warnings": [
            {"code": "over-budget", "unit": None, "message": "Too long."},
            {"code": "odd", "unit": 1, "message": "Hm."},
        ],
        "cuts": [{"edus": [1], "harmless": 0.75}],
        "end": {"reason": "worth", "message": ENDS["worth"]},
        "news": None,
        "replacements": [{"unit": 0, "start": 0, "end": 2, "text": "We", "by": "Al and Bo"}],
        "request": {"style": "readable", "words": 3},
        "model": {"name": "test", "version": "1", "language": "en"},
    }
    assert isinstance(units, list)
    assert units[1] == {
        "index": 1,
        "sentence": 0,
        "start": 11,
        "end": 19,
        "text": "reading.",
        "score": 0.5,
        "selected": True,
        "reason": "score",
        "depends_on": [0],
        "left_out": None,
    }
    assert isinstance(units[2], dict)
    assert units[2]["left_out"] == "end"


def test_summaries_of_earlier_versions_lack_cuts_and_reasons_of_what_was_left() -> None:
    encoded: Any = copy.deepcopy(encode_summary(SUMMARY))
    del encoded["cuts"], encoded["end"]
    for unit in encoded["units"]:
        del unit["left_out"]
    found = decode_summary(encoded, DOCUMENT)
    assert found == replace(SUMMARY, left=(), cuts=())
    assert encode_summary(found)["end"] is None


def test_unknown_members_are_ignored() -> None:
    encoded: Any = copy.deepcopy(encode_summary(SUMMARY))
    encoded["new"] = encoded["units"][0]["new"] = "member"
    assert decode_summary(encoded, DOCUMENT) == SUMMARY


@pytest.mark.parametrize(
    ("unit", "key", "new", "message"),
    [
        (None, "format", 0, "summary.format is 0"),
        (None, "id", "other", "summary.id must be 'doc' as in the document"),
        (None, "words", 4, "summary.words must be 3"),
        (None, "text", "We.", "summary.text must be 'We stayed, reading.'"),
        (None, "model", {"name": "test"}, "summary.model lacks the member 'version'"),
        (None, "units", [], "summary: doc: 0 scores for 3 EDUs"),
        (
            None,
            "warnings",
            [{"code": "a", "message": "b", "unit": "c"}],
            "warnings[0].unit must be",
        ),
        (0, "text", "We left,", "summary.units[0].text must be 'We stayed,'"),
        (0, "start", 1, "summary.units[0].start must be 0"),
        (0, "index", 1, "summary.units[0].index must be 0"),
        (1, "score", "high", "summary.units[1].score must be a number, got 'high'"),
        (1, "score", True, "must be a number, got true"),
        (1, "score", 10**999, "must be a finite number"),
        (1, "score", float("nan"), "must be a finite number"),
        (1, "reason", None, "summary.units[1].reason must be a string, got null"),
        (2, "reason", "score", "summary.units[2].reason must be null"),
        (2, "depends_on", [7], "edge 2 -> 7 leaves a graph of 3 EDUs"),
    ],
)
def test_what_contradicts_the_document_is_refused(
    unit: int | None, key: str, new: Json, message: str
) -> None:
    encoded: Any = copy.deepcopy(encode_summary(SUMMARY))
    place = encoded if unit is None else encoded["units"][unit]
    place[key] = new
    with pytest.raises(FormatError) as error:
        decode_summary(encoded, DOCUMENT)
    assert message in str(error.value)


def test_a_summary_of_another_text_is_refused() -> None:
    with pytest.raises(FormatError, match=r"3 scores for 1 EDUs"):
        decode_summary(encode_summary(SUMMARY), doc("[It rained.]"))
