"""Names in the place of pronouns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysis
from tests.strategies import documents

from discobert.data.document import Document
from discobert.data.summary import Analysis, Replacement
from discobert.discourse.references import References
from discobert.writing.antecedent_names import replaced, replacements, representative


def changes(found: Analysis, *units: int) -> list[tuple[int, str]]:
    dangling = References(found.document, found.coref).dangling(units)
    made = replacements(found.document, found.coref, dangling)
    return [(change.unit, change.by) for change in made]


@pytest.mark.parametrize(
    ("mention", "sentence", "expected"),
    [
        ("He", "He won.", "Al Ray"),
        ("him", "They saw him.", "Al Ray"),
        ("his", "They saw his dog.", "Al Ray's"),
        ("her", "They saw her dog.", "Al Ray's"),
        ("her", "They saw her and left.", "Al Ray"),
        ("Ray", "Ray won.", "Al Ray"),
    ],
)
def test_a_name_takes_the_form_of_what_it_replaces(
    mention: str, sentence: str, expected: str
) -> None:
    found = analysis(f"[Al Ray came.] | [{sentence}]", None, ("Al Ray", mention))
    if mention == "Ray":  # not the one inside the full name
        found = analysis(f"[Al Ray came.] | [{sentence}]", None, ("Al Ray", "came", "Ray"))
    assert changes(found, 1) == [(1, expected)]


@pytest.mark.parametrize(
    ("first", "mention", "sentence"),
    [
        ("Al Ray", "himself", "It hurt himself."),
        ("Al Ray", "they", "Then they won."),
        ("Al Ray", "the player", "Then the player won."),
        ("a tall man", "He", "He won."),
    ],
)
def test_what_has_no_proper_name_stays(first: str, mention: str, sentence: str) -> None:
    found = analysis(f"[Once {first} came.] | [{sentence}]", None, (first, mention))
    assert changes(found, 1) == []


def test_several_may_be_they_and_marks_are_those_of_the_text() -> None:
    found = analysis("[It’s Al and Bo.] | [So their dog won.]", None, ("Al and Bo", "their"))
    assert changes(found, 1) == [(1, "Al and Bo’s")]


def test_quotations_are_not_replaced() -> None:
    assert changes(analysis("[Ann left.] | ['So bad.']"), 1) == []


def test_the_longest_name_stands_for_all() -> None:
    found = analysis("[Ray and a man, Al Ray's son.]", None, ("Ray", "a man", "Al Ray's"))
    assert representative(found.document.text, found.coref[0]) == "Al Ray"


@given(documents(), st.data())
def test_spans_move_with_the_text(document: Document, data: st.DataObject) -> None:
    units = data.draw(st.sets(st.integers(0, len(document.edus) - 1)))
    made = []
    for unit in sorted(units):
        span = document.edus[unit].span
        made.append(Replacement(unit, span.start, span.start + 1, data.draw(st.just("Al Ray"))))
    changed = replaced(document, made)
    for unit, edu in enumerate(document.edus):
        text = edu.span.of(document.text)
        expected = f"Al Ray{text[1:]}" if unit in units else text
        assert changed.edu_text(unit) == expected
    assert len(changed.sentences) == len(document.sentences)
