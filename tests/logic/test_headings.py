"""Sentences that tell nothing."""

from tests.builders import doc

from discobert.data.document import Document
from discobert.data.summary import Scores
from discobert.logic.budget import Budget
from discobert.logic.headings import Headings, headings, telling
from discobert.logic.select import METHODS, SelectionOptions, select
from discobert.logic.wishes import NO_WISHES, Wishes

PAGE = doc("[FRIDAY.] | [Scroll down for video] || [It rained.] | [Flying high!] | [Men,] [too.]")


def chosen(
    document: Document, policy: Headings, words: int, wishes: Wishes = NO_WISHES
) -> tuple[int, ...]:
    method = telling(METHODS["paper"], policy)
    options = SelectionOptions(method=method, budget=Budget(words=words), wishes=wishes)
    n_edus = len(document.edus)
    scores = Scores(tuple(1 - edu / n_edus for edu in range(n_edus)))
    return select(document, scores, (), options).selection.edus


def test_short_sentences_without_verb_and_notices_are_headings() -> None:
    assert headings(PAGE) == {0, 1, 3}


def test_headings_are_skipped_on_demand() -> None:
    assert chosen(PAGE, Headings.KEEP, 3) == (0, 2)
    assert chosen(PAGE, Headings.SKIP, 3) == (2, 4)


def test_a_whole_text_keeps_them() -> None:
    assert chosen(PAGE, Headings.SKIP, 99) == tuple(range(6))


def test_a_text_of_headings_keeps_them_too() -> None:
    assert chosen(doc("[FRIDAY.] | [SUNDAY.]"), Headings.SKIP, 1) == (0,)


def test_a_choice_without_headings_stays() -> None:
    assert chosen(doc("[It rained.] | [FRIDAY.]"), Headings.SKIP, 2) == (0,)


def test_a_wanted_lead_may_be_one() -> None:
    assert chosen(PAGE, Headings.SKIP, 1, Wishes(keep_lead=True)) == (0,)
