from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doc
from tests.logic.selection_cases import EDUS

from discobert.data.document import Document
from discobert.logic.budget import LengthUnit
from discobert.logic.line_bounds import line_bounds
from discobert.logic.line_ends import COMPLEMENTISER
from discobert.logic.realise import SentenceRealiser
from discobert.logic.repair_sets import DEFAULT, NONE, PAPER, WITHOUT_DATELINES
from discobert.logic.repairs import Repairs

UNITS = (LengthUnit.WORDS, LengthUnit.CHARS)
ODD = st.text("aA .,-–'\"“”(&_é½\u0301\xa0", max_size=8).map(lambda text: f"x{text}".strip())


@st.composite
def sentences(draw: st.DrawFn) -> Document:
    """Draw a sentence, some of whose EDUs no space parts from the one before."""
    edus = draw(st.lists(st.one_of(EDUS, ODD), min_size=1, max_size=4))
    return doc("".join(f"[{edu}]{draw(st.sampled_from(['', ' ', ' ']))}" for edu in edus))


def line_cost(
    realiser: SentenceRealiser, edus: tuple[int, ...], unit: LengthUnit = LengthUnit.WORDS
) -> int:
    line = realiser.line(0, edus) or realiser.verbatim(0, edus)
    return len(line.split()) if unit is LengthUnit.WORDS else len(line) + 1


@settings(max_examples=150)
@given(sentences(), st.sampled_from([DEFAULT, PAPER, NONE]), st.sampled_from(UNITS))
def test_no_line_counts_less(document: Document, repairs: Repairs, unit: LengthUnit) -> None:
    bounds = line_bounds(document, unit, repairs)
    assert bounds is not None
    realiser = SentenceRealiser(document, repairs)
    edus = range(len(document.edus))
    for shown in chain.from_iterable(combinations(edus, k + 1) for k in edus):
        assert bounds.least(shown) <= line_cost(realiser, shown, unit), shown


CLAUSES = doc("[“We left,”] [he said,] [and that the old man – who] [but]  [stayed at home.]")


@pytest.mark.parametrize(
    ("edus", "least"),
    [
        ((0,), 2),
        ((0, 1), 4),
        ((2,), 4),  # without "and", "that" and the dash
        ((3,), 0),
        ((1, 4), 4),  # where something is missing, two words may be closed up
    ],
)
def test_marks_and_the_words_of_rules_do_not_count(edus: tuple[int, ...], least: int) -> None:
    bounds = line_bounds(CLAUSES, LengthUnit.WORDS, DEFAULT)
    assert bounds is not None
    assert bounds.least(edus) == least


def test_characters_count_letters_and_the_space_after() -> None:
    bounds = line_bounds(CLAUSES, LengthUnit.CHARS, DEFAULT)
    assert bounds is not None
    assert bounds.lasting == (8, 8, 16, 0, 15)


def test_without_repairs_every_word_but_marks_counts() -> None:
    bounds = line_bounds(CLAUSES, LengthUnit.WORDS, NONE)
    assert bounds is not None
    assert bounds.lasting == (2, 2, 6, 1, 3)


def test_only_the_words_of_the_rules_in_force_are_left_out() -> None:
    bounds = line_bounds(CLAUSES, LengthUnit.WORDS, (COMPLEMENTISER,))
    assert bounds is not None
    assert bounds.lasting == (2, 2, 5, 1, 3)


def test_a_rule_that_takes_any_word_away_has_no_bound() -> None:
    assert line_bounds(CLAUSES, LengthUnit.WORDS, WITHOUT_DATELINES) is None
