"""Clauses told from phrases by their verbs."""

import pytest

from discobert.language.verbs import FINITE, has_finite_verb


@pytest.mark.parametrize(
    "text",
    [
        "The club was sold",
        "the men walked home",
        "It’s the sort of meal",
        "They're unstoppable",
        "which they built",
        "because we prefer tea",
        "Smith insists",
        "who have left",
        "they ran",
        "the dogs’ll",
    ],
)
def test_a_clause_has_a_verb(text: str) -> None:
    assert has_finite_verb(text)


@pytest.mark.parametrize(
    "text",
    [
        "Militants",
        "A man's attempt",
        "the first recorded",
        "With her anniversary",
        "the old red bed",
        "to win",
        "for her",
        "12, 13 –",
        "the well-loved tune",
        "",
    ],
)
def test_a_phrase_has_none(text: str) -> None:
    assert not has_finite_verb(text)


def test_forms_are_in_lower_case() -> None:
    assert all(form == form.lower() for form in FINITE)
