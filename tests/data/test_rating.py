"""Keys of sheets and what raters have saved."""

from dataclasses import replace

import pytest

from discobert.data.rating import Answer, Place, Question, Ratings, SheetKey
from discobert.errors import InvalidValue

KEY = SheetKey("s", ("old", "new"), ("a", "b"), (False, True))
ALL = {
    Answer(document, place, question): 3
    for document in range(2)
    for place in Place
    for question in Question
}
RATINGS = Ratings(KEY, "r", "", "2026", ALL)


def test_the_key_knows_who_stood_where() -> None:
    assert [KEY.system_at(0, place) for place in Place] == ["old", "new"]
    assert [KEY.system_at(1, place) for place in Place] == ["new", "old"]


def test_documents_with_all_answers_are_finished() -> None:
    assert RATINGS.n_finished == 2
    values = {answer: value for answer, value in ALL.items() if answer != next(iter(ALL))}
    assert replace(RATINGS, values=values).n_finished == 1
    assert replace(RATINGS, values={}).n_finished == 0


def test_two_systems_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidValue, match="two systems are called 'x'"):
        replace(KEY, systems=("x", "x"))


@pytest.mark.parametrize("documents", [(), ("a",)])
def test_every_document_needs_an_order(documents: tuple[str, ...]) -> None:
    with pytest.raises(InvalidValue, match="documents with 2 orders"):
        replace(KEY, documents=documents)


@pytest.mark.parametrize("document", [-1, 2])
def test_documents_that_the_sheet_lacks_are_refused(document: int) -> None:
    answer = Answer(document, Place.FIRST, Question.OVERALL)
    with pytest.raises(InvalidValue, match=f"document {document + 1} of 2 was rated"):
        replace(RATINGS, values={answer: 3})


@pytest.mark.parametrize("value", [0, 6])
def test_ratings_off_the_scale_are_refused(value: int) -> None:
    answer = Answer(0, Place.FIRST, Question.OVERALL)
    with pytest.raises(InvalidValue, match=f"from 1 to 5, got {value}"):
        replace(RATINGS, values={answer: value})
