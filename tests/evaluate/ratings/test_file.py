"""What a sheet saves, read back and refused."""

from dataclasses import replace

import pytest
from tests.evaluate.rating_builders import KEY, saved

from discobert.data.rating import Answer, Place, Question
from discobert.errors import FormatError
from discobert.evaluate.ratings.file import of_one_sheet, parse_ratings


def test_answers_are_read() -> None:
    found = parse_ratings(saved(), name="x")
    assert (found.key, found.rater, found.name) == (KEY, "r1", "Ann")
    assert found.values == {
        Answer(0, Place.FIRST, Question.OVERALL): 4,
        Answer(0, Place.FIRST, Question.COHERENCE): 3,
        Answer(0, Place.SECOND, Question.OVERALL): 2,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"x is not valid JSON: .* \(line 1"),
        ("[]", "x: not the ratings that a rating sheet saves"),
        ('{"format": 1}', "x: not the ratings that a rating sheet saves"),
        ("<!DOCTYPE html>", "x: a page, not ratings; open the sheet in a browser"),
        (saved(format=2), r"x\.format is 2; this discobert reads 1 only"),
        (saved(sheet="other"), "x: the key is that of another sheet, sheet-1"),
        (saved(key="AAAA"), r"x\.key is damaged"),
        (saved(answers=[]), r"x\.answers must be an object"),
        (saved(answers={"one": {}}), "numbers of documents as its keys, not 'one'"),
        (saved(answers={"4": {"first": {"overall": 1}}}), "x: document 4 of 3 was rated"),
        (saved(answers={"0": {"first": {"overall": 1}}}), "x: document 0 of 3 was rated"),
        (saved(answers={"1": {"third": {"overall": 1}}}), r"answers\.1 has the unknown .*'third'"),
        (saved(answers={"1": {"first": {"style": 1}}}), r"1\.first has .*known: 'overall', "),
        (saved(answers={"1": {"first": {"overall": 6}}}), "ratings go from 1 to 5, got 6"),
        (saved(answers={"1": {"first": {"overall": 2.5}}}), "must be a whole number, got 2.5"),
        (saved(answers={"1": {"first": {"overall": None}}}), "must be a whole number, got null"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_ratings(text, name="x")


def test_files_of_two_sheets_are_refused() -> None:
    first = parse_ratings(saved(), name="x")
    other = parse_ratings(saved(replace(KEY, sheet="sheet-2")), name="y")
    with pytest.raises(
        FormatError, match=r"y: ratings of another sheet \(sheet-2, x is of sheet-1"
    ):
        of_one_sheet([("x", first), ("y", other)])


def test_of_a_rater_who_saved_twice_the_last_counts() -> None:
    early, late = (parse_ratings(saved(saved=when), name="x") for when in ("2026-01", "2026-02"))
    other = parse_ratings(saved(rater="r2"), name="x")
    assert of_one_sheet([("a", early), ("b", late), ("c", other)]) == [late, other]
    assert of_one_sheet([("b", late), ("a", early)]) == [late]
