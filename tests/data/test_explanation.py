"""Why a unit is in a summary or not, in words."""

from dataclasses import replace

import pytest
from tests.builders import doc

from discobert.data.cuts import Cut
from discobert.data.explanation import ENDS, end_reason
from discobert.data.graph import Edge
from discobert.data.summary import ModelId, Scores, Selection, Summary
from discobert.errors import InvalidValue

DOCUMENT = doc("[It rained,] [he said.] | [Bo\nleft.] | [Why?]")


def summary(*left: str) -> Summary:
    return Summary(
        DOCUMENT,
        Scores((0.25, 0.75, 0.5, 0.125)),
        Selection((0, 1), ("needed by 1", "score")),
        (Edge(1, 0),),
        ("It rained, he said.",),
        ModelId("m", "1"),
        left=left,
    )


def test_every_unit_is_explained_in_a_line() -> None:
    assert [str(line) for line in summary("length", "score").explain()] == [
        "0: chosen because it is needed by 1 (score 0.25, rank 3 of 4): It rained,",
        "1: chosen for its score (score 0.75, rank 1 of 4): he said.",
        "2: left out: with it the summary would be too long (score 0.5, rank 2 of 4): Bo left.",
        "3: left out: every unit chosen for its score has a higher one "
        "(score 0.125, rank 4 of 4): Why?",
    ]


def test_the_readable_style_compares_summaries_not_units() -> None:
    lines = replace(summary("end", "length"), request={"style": "readable"}).explain()
    assert str(lines[1]) == (
        "1: chosen with its sentence: no other sentences make a better summary of this length "
        "(score 0.75): he said."
    )


def test_unrecorded_reasons_are_not_invented() -> None:
    assert [line.why for line in summary().explain()][2:] == ["left out", "left out"]


def test_reasons_must_be_as_many_as_units_left() -> None:
    with pytest.raises(InvalidValue, match="1 reasons for the 2 EDUs left out"):
        summary("length")


def test_a_cut_is_told_with_how_sure_the_analyser_was() -> None:
    lines = replace(summary("cut", "end"), cuts=(Cut((2,), 0.875),)).explain()
    assert [line.harmless for line in lines] == [None, None, 0.875, None]


def test_a_cut_across_sentences_is_refused() -> None:
    with pytest.raises(InvalidValue, match="not in one sentence"):
        replace(summary(), cuts=(Cut((1, 2), 0.5),))


@pytest.mark.parametrize(
    ("left", "reason"),
    [
        ((), "whole"),
        (("length", "end", "reference"), "worth"),
        (("furniture", "length", "score"), "length"),
        (("quotation", "score"), "score"),
        (("method", "repeats"), "score"),
        (("furniture", "cut"), "rest"),
    ],
)
def test_what_was_left_tells_why_a_summary_ends(left: tuple[str, ...], reason: str) -> None:
    assert end_reason(left) == reason
    assert reason in ENDS


def test_an_end_is_not_invented() -> None:
    assert summary().end is None
    assert summary("length", "end").end == "worth"
    whole = Selection((0, 1, 2, 3), ("score",) * 4)
    assert replace(summary(), selection=whole).end == "whole"
