"""Keys of panels and sheets, and the ratings of one rater."""

from dataclasses import replace

import pytest

from discobert.data.rating import (
    PanelKey,
    Place,
    Question,
    RatedQuestion,
    Ratings,
    SheetKey,
    ShownSummary,
)
from discobert.errors import InvalidValue

PANEL = PanelKey("p", ("old", "new"), ("a", "b"), ((0, 1), (1, 0)))
SHEET = SheetKey("p-1", PANEL, (0, 1))
ALL = {
    RatedQuestion(ShownSummary(document, place), question): 1
    for document in range(2)
    for place in PANEL.places
    for question in Question
}
RATINGS = Ratings(SHEET, "r", "", "2026", ALL)
FIRST = ShownSummary(0, Place.FIRST)


def test_orders_tell_which_system_stands_where() -> None:
    assert [PANEL.system_at(0, place) for place in PANEL.places] == ["old", "new"]
    assert [PANEL.system_at(1, place) for place in PANEL.places] == ["new", "old"]
    three = PanelKey("p", ("x", "y", "z"), ("a",), ((2, 0, 1),))
    assert [three.system_at(0, place) for place in Place] == ["z", "x", "y"]
    assert [three.place_of(0, name).letter for name in "xyz"] == ["B", "C", "A"]


def test_documents_with_all_answers_are_finished() -> None:
    assert RATINGS.n_finished == 2
    values = {answer: value for answer, value in ALL.items() if answer != next(iter(ALL))}
    assert replace(RATINGS, values=values).n_finished == 1
    assert replace(RATINGS, values={}).n_finished == 0


def test_only_questions_of_the_panel_are_needed_to_finish() -> None:
    panel = replace(PANEL, questions=(Question.OVERALL,))
    values = {answer: 1 for answer in ALL if answer.question is Question.OVERALL}
    assert replace(RATINGS, sheet=replace(SHEET, panel=panel), values=values).n_finished == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"systems": ("x", "x")}, "two systems are called 'x'"),
        ({"systems": ("x",)}, "2 to 3 systems, got 1"),
        ({"systems": tuple("wxyz")}, "2 to 3 systems, got 4"),
        ({"documents": ()}, "0 documents with 2 orders"),
        ({"documents": ("a",)}, "1 documents with 2 orders"),
        ({"orders": ((0, 1), (1, 1))}, r"\(1, 1\) is no order of 2 systems"),
        ({"orders": ((0, 1), (0, 1, 2))}, "is no order of 2 systems"),
    ],
)
def test_impossible_panels_are_refused(change: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(InvalidValue, match=message):
        replace(PANEL, **change)  # type: ignore[arg-type]


def test_sheets_show_documents_of_the_panel() -> None:
    with pytest.raises(InvalidValue, match="document 3 of 2"):
        SheetKey("p-1", PANEL, (0, 2))


@pytest.mark.parametrize("document", [-1, 1, 2])
def test_documents_that_the_sheet_lacks_are_refused(document: int) -> None:
    sheet = replace(SHEET, shown=(0,))
    answer = RatedQuestion(ShownSummary(document, Place.FIRST), Question.OVERALL)
    with pytest.raises(InvalidValue, match=f"document {document + 1} was rated but is not on"):
        Ratings(sheet, "r", "", "", {answer: 3})


def test_a_third_summary_of_two_is_refused() -> None:
    with pytest.raises(InvalidValue, match="the third of 2 summaries was rated"):
        replace(RATINGS, ranks={ShownSummary(0, Place.THIRD): 1})


@pytest.mark.parametrize(
    ("question", "value", "message"),
    [
        (Question.OVERALL, 0, "overall goes from 1 to 5, got 0"),
        (Question.OVERALL, 6, "overall goes from 1 to 5, got 6"),
        (Question.MISLEADING, 2, "misleading goes from 0 to 1, got 2"),
    ],
)
def test_ratings_off_the_scale_are_refused(question: Question, value: int, message: str) -> None:
    with pytest.raises(InvalidValue, match=message):
        replace(RATINGS, values={RatedQuestion(FIRST, question): value})


@pytest.mark.parametrize("rank", [0, 3])
def test_ranks_beyond_the_systems_are_refused(rank: int) -> None:
    with pytest.raises(InvalidValue, match=f"ranks go from 1 to 2, got {rank}"):
        replace(RATINGS, ranks={FIRST: rank})
