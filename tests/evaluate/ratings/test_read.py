"""What raters have saved, read and refused."""

from dataclasses import replace

import pytest
from tests.evaluate.rating_builders import KEY, PANEL, THREE, at, row, saved

from discobert.data.rating import (
    Fault,
    FaultKind,
    Place,
    Question,
    RatedQuestion,
    Ratings,
    SheetKey,
    ShownSummary,
)
from discobert.errors import FormatError
from discobert.evaluate.ratings.key import write_key_file
from discobert.evaluate.ratings.read import PanelRatings, read_ratings

THREE_KEY = write_key_file(SheetKey("panel-3", THREE, (0, 1)))
FIRST = ShownSummary(0, Place.FIRST)


def read_page(text: str) -> Ratings:
    (ratings,) = read_ratings({"x": text}).ratings
    return ratings


def read_lines(*lines: str) -> Ratings:
    (ratings,) = read_ratings({"k.key.json": THREE_KEY, "x.jsonl": "\n".join(lines)}).ratings
    return ratings


def test_answers_of_a_page_are_read() -> None:
    found = read_page(saved())
    assert (found.sheet, found.rater, found.name) == (KEY, "r1", "Ann")
    assert found.values == {
        RatedQuestion(FIRST, Question.OVERALL): 4,
        RatedQuestion(FIRST, Question.COHERENCE): 3,
        RatedQuestion(ShownSummary(0, Place.SECOND), Question.OVERALL): 2,
    }


def test_ranks_faults_and_misleading_lines_of_a_page_are_read() -> None:
    answers = {"misleading": 1, "misleading_why": " “x” ", "faults": ["broken"], "rank": 2}
    found = read_page(saved(answers={"1": {"first": answers}}))
    assert found.values == {RatedQuestion(FIRST, Question.MISLEADING): 1}
    assert found.ranks == {FIRST: 2}
    assert found.misleading == {FIRST: "“x”"}
    assert found.faults == {FIRST: (Fault(FaultKind.BROKEN),)}


def test_lines_of_json_are_read_with_their_key() -> None:
    given = {"overall": 5, "misleading": True, "faults": [["He left", "dangling"]]}
    found = read_lines(row(2, A={**given, "misleading_why": "he?"}), "", row(1, rank="A=B=C"))
    best = at(THREE, 1, "new")  # stands first there
    assert best == ShownSummary(1, Place.FIRST)
    assert found.values[RatedQuestion(best, Question.OVERALL)] == 5
    assert found.values[RatedQuestion(best, Question.MISLEADING)] == 1
    assert found.faults[best] == (Fault(FaultKind.DANGLING, "He left"),)
    assert found.misleading == {best: "he?"}
    assert (found.sheet.shown, found.n_finished) == ((1, 0), 2)
    assert (found.rater, found.name, found.panel) == ("x.jsonl", "x", THREE)


def test_equal_summaries_share_the_better_rank() -> None:
    found = read_lines(row(1, rank="B > A=C"))
    assert [found.ranks[ShownSummary(0, place)] for place in Place] == [2, 1, 2]
    found = read_lines(row(1, rank="A=C>B"))
    assert [found.ranks[ShownSummary(0, place)] for place in Place] == [1, 3, 1]
    assert read_lines(row(1, rank=None)).ranks == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"x is not valid JSON: .* \(line 1"),
        ("[]", "x: not the ratings that a rating sheet saves"),
        ('{"format": 1}', "x: not the ratings that a rating sheet saves"),
        ("<!DOCTYPE html>", "x: a page, not ratings; open the sheet in a browser"),
        (saved(format=2), r"x\.format is 2; this discobert reads 1 only"),
        (saved(sheet="other"), "x: the key is that of another sheet, panel-1"),
        (saved(key="AAAA"), r"x\.key is damaged"),
        (saved(answers=[]), r"x\.answers must be an object"),
        (saved(answers={"one": {}}), "numbers of documents as its keys, not 'one'"),
        (saved(answers={"4": {"first": {"overall": 1}}}), "x: document 4 was rated but is not"),
        (saved(answers={"0": {"first": {"overall": 1}}}), "x: document 0 was rated but is not"),
        (saved(answers={"1": {"fourth": {"overall": 1}}}), r"answers\.1 has the .*'fourth'"),
        (saved(answers={"1": {"third": {"overall": 1}}}), "the third of 2 summaries"),
        (saved(answers={"1": {"first": {"style": 1}}}), r"1\.first has .*known: 'overall', "),
        (saved(answers={"1": {"first": {"overall": 6}}}), "overall goes from 1 to 5, got 6"),
        (saved(answers={"1": {"first": {"overall": 2.5}}}), "must be a whole number, got 2.5"),
        (saved(answers={"1": {"first": {"overall": None}}}), "must be a whole number, got null"),
        (saved(answers={"1": {"first": {"overall": True}}}), "must be a whole number, got true"),
        (saved(answers={"1": {"first": {"rank": 3}}}), "ranks go from 1 to 2, got 3"),
        (saved(answers={"1": {"first": {"faults": ["odd"]}}}), "unknown name 'odd'; known: 'bro"),
        (saved(answers={"1": {"first": {"faults": [["q"]]}}}), "must be a quote and a kind"),
    ],
)
def test_faulty_pages_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_page(text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"x\.jsonl:1 is not valid JSON"),
        ('{"item": 1}', r"x\.jsonl:1 lacks the member 'A'"),
        (row(3), r"x\.jsonl: document 3 of 2"),
        (row(1, rank="A>B"), "must be an order such as A>B>C with each letter once"),
        (row(1, rank="A>B>B"), "with each letter once"),
        (row(1, rank="A>B>C>D"), "with each letter once"),
        (row(1, A={"overall": 9}), r"x\.jsonl: overall goes from 1 to 5, got 9"),
        (f"{row(1)}\n{row(1)}", r"x\.jsonl:2: item 1 was rated before"),
    ],
)
def test_faulty_lines_are_refused(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_lines(line)


def test_lines_without_their_key_are_refused() -> None:
    with pytest.raises(FormatError, match=r"x\.jsonl: JSON lines are scored with the one key"):
        read_ratings({"x.jsonl": row(1)})
    with pytest.raises(FormatError, match="a key but no ratings"):
        read_ratings({"k.key.json": THREE_KEY})


def test_files_of_two_panels_are_refused() -> None:
    other = saved(SheetKey("panel-2", replace(PANEL, panel="panel-2"), (0, 1, 2)))
    with pytest.raises(
        FormatError, match=r"y: ratings of another sheet \(panel-2, x is of panel-1"
    ):
        read_ratings({"x": saved(), "y": other})


def test_sheets_of_one_panel_are_read_together() -> None:
    sheets = [SheetKey(f"panel-1-{number}", PANEL, (0, number)) for number in (1, 2)]
    files = {key.sheet: saved(key, rater=key.sheet) for key in sheets}
    assert [one.sheet for one in read_ratings(files).ratings] == sheets


def test_of_a_rater_who_saved_twice_the_last_counts() -> None:
    early, late = (saved(saved=when) for when in ("2026-01", "2026-02"))
    other = saved(rater="r2")
    expected = PanelRatings((read_page(late), read_page(other)), 1)
    assert read_ratings({"a": early, "b": late, "c": other}) == expected
    assert read_ratings({"b": late, "a": early, "c": other}) == expected
