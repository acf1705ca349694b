"""Sentences that tell nothing."""

from dataclasses import replace

import pytest
from tests.builders import doc
from tests.selection.selection_cases import BARE, solve

from discobert.data.document import Document
from discobert.data.summary import Scores
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding
from discobert.selection.headings import headings
from discobert.selection.request import Headings, ReadabilityRules

PAGE = doc("[FRIDAY.] | [Scroll down for video] || [It rained.] | [Flying high!] | [Men,] [too.]")


def chosen(
    document: Document, policy: Headings, words: int, *, keep_lead: bool = False
) -> tuple[int, ...]:
    request = replace(BARE, rules=ReadabilityRules(headings=policy), keep_lead=keep_lead)
    decoding = Decoding(budget=Budget(words=words))
    n_edus = len(document.edus)
    scores = Scores(tuple(1 - edu / n_edus for edu in range(n_edus)))
    return solve(document, scores, (), decoding, request=request).selection.edus


def test_short_sentences_without_verb_and_notices_are_headings() -> None:
    assert headings(PAGE) == {0, 1, 3}


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("[Minutes of the annual meeting of the rowing club] || [It rained.]", {0}),
        ("[Minutes of the annual meeting of the rowing club] | [It rained.]", set()),
        ("[Minutes of the annual meeting.] || [It rained.]", set()),
        ("[The club has lost its house] || [It rained.]", set()),
        ("[One two three four five six seven eight nine ten more than twelve] || [Ah!]", {1}),
        ("[It rained.] | [Present: Ann Bell, Cal Dunn, Eve Frost and two guests.]", {1}),
        (
            "[It rained.] | [Present:] [Ann Bell,] [Cal Dunn,] [Eve Frost and two guests.]",
            {1, 2, 3, 4},
        ),
        ("[It rained.] | [Ann Bell: it was as late as ever on that day.]", set()),
    ],
)
def test_titles_and_lists_with_a_label_are_headings(markup: str, expected: set[int]) -> None:
    assert headings(doc(markup)) == expected


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
    assert chosen(PAGE, Headings.SKIP, 1, keep_lead=True) == (0,)
