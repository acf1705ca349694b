"""What users type, as one request."""

import json
from typing import Any

import pytest

from discobert.discourse.units import UnitKind
from discobert.errors import UsageError
from discobert.selection.budget import Budget
from discobert.selection.request import (
    DEFAULT_OPTIONS,
    DEFAULT_REQUEST,
    DEFAULT_RULES,
    PAPER_REQUEST,
    ReferencePolicy,
    Style,
    SummaryOptions,
    SummaryRequest,
    unit_kind,
)

EACH: dict[str, tuple[object, SummaryRequest]] = {
    "words": (60, SummaryRequest(budget=Budget(words=60))),
    "sentences": (3, SummaryRequest(budget=Budget(sentences=3))),
    "edus": (5, SummaryRequest(budget=Budget(edus=5))),
    "chars": (90, SummaryRequest(budget=Budget(chars=90))),
    "ratio": (0.2, SummaryRequest(budget=Budget(ratio=0.2))),
    "min_words": (60, SummaryRequest(budget=Budget(min_words=60))),
    "min_sentences": (3, SummaryRequest(budget=Budget(min_sentences=3))),
    "min_edus": (5, SummaryRequest(budget=Budget(min_edus=5))),
    "min_chars": (90, SummaryRequest(budget=Budget(min_chars=90))),
    "min_ratio": (0.2, SummaryRequest(budget=Budget(min_ratio=0.2))),
    "style": ("paper", PAPER_REQUEST),
    "unit": ("sentence", SummaryRequest(unit=UnitKind.SENTENCE)),
    "focus": ("the harbour", SummaryRequest(focus="the harbour")),
    "exclude_quotes": (True, SummaryRequest(exclude_quotes=True)),
    "keep_lead": (True, SummaryRequest(keep_lead=True)),
    "resolve_references": (True, SummaryRequest(references=ReferencePolicy.RESOLVE)),
}


def request_of(**options: Any) -> SummaryRequest:  # noqa: ANN401 - also what types forbid
    return SummaryRequest.of(**options)


def test_every_option_is_tested_here() -> None:
    assert EACH.keys() == SummaryOptions.__annotations__.keys() == DEFAULT_OPTIONS.keys()


@pytest.mark.parametrize("name", EACH)
def test_each_keyword_sets_its_field_and_is_described(name: str) -> None:
    value, expected = EACH[name]
    request = request_of(**{name: value})
    assert request == expected
    assert request != DEFAULT_REQUEST
    assert request.describe() == {name: value}


def test_values_that_change_nothing_give_the_default() -> None:
    assert request_of() == request_of(**DEFAULT_OPTIONS) == DEFAULT_REQUEST
    assert DEFAULT_REQUEST.describe() == {}
    assert DEFAULT_REQUEST.references is ReferencePolicy.REPAIR
    assert DEFAULT_REQUEST.rules == DEFAULT_RULES


def test_keywords_can_be_joined_and_come_back_from_json() -> None:
    options = {
        "words": 60,
        "min_words": 40,
        "style": "paper",
        "unit": "edu",
        "focus": "rain",
        "exclude_quotes": True,
        "keep_lead": True,
        "resolve_references": True,
    }
    described = json.loads(json.dumps(request_of(**options).describe()))
    assert described == options
    assert request_of(**described) == request_of(**options)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("word", "; did you mean 'words'?"),
        ("keep_leads", "; did you mean 'keep_lead'?"),
        ("min_sentence", "; did you mean 'min_sentences'?"),
        ("zzz", ""),
        ("budget", ""),
        ("rules", ""),
    ],
)
def test_an_unknown_keyword_is_refused_with_the_nearest(wrong: str, hint: str) -> None:
    with pytest.raises(TypeError) as raised:
        request_of(**{wrong: 3})
    assert str(raised.value) == f"unknown option {wrong!r} of a summary{hint}"


def test_units_have_names() -> None:
    for kind in UnitKind:
        assert unit_kind(kind.value) is unit_kind(kind) is kind
        assert request_of(unit=kind.value) == request_of(unit=kind)
    assert unit_kind(None) is None
    with pytest.raises(UsageError, match="unknown unit 'word': use edu or sentence"):
        request_of(unit="word")


def test_styles_have_names() -> None:
    for style in Style:
        assert request_of(style=style.value) == request_of(style=style)
    assert DEFAULT_REQUEST.style is Style.READABLE
    with pytest.raises(UsageError, match="unknown style 'poem': use readable or paper"):
        request_of(style="poem")


def test_two_bounds_of_one_side_are_refused() -> None:
    with pytest.raises(UsageError, match="only one of words and chars"):
        request_of(words=3, chars=9)
    with pytest.raises(UsageError, match="only one of min_words and min_edus"):
        request_of(min_words=3, min_edus=9)
    with pytest.raises(UsageError, match="words must be a whole number of at least 1, got 0"):
        request_of(words=0)


def test_a_focus_without_words_is_refused() -> None:
    with pytest.raises(UsageError, match="must hold a word"):
        request_of(focus="…")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("length", "words"),
        ("max_length", "words"),
        ("min_length", "min_words"),
        ("sentence_count", "sentences"),
        ("topic", "focus"),
        ("wrods", "words"),
    ],
)
def test_names_of_other_tools_point_to_ours(name: str, meant: str) -> None:
    options: dict[str, Any] = {name: 3}
    with pytest.raises(TypeError, match=f"unknown option '{name}' .*did you mean '{meant}'"):
        SummaryRequest.of(**options)


@pytest.mark.parametrize(
    ("name", "ours", "value"),
    [
        ("max_words", "words", 9),
        ("n_sentences", "sentences", 2),
        ("num_chars", "chars", 80),
        ("query", "focus", "the bridge"),
    ],
)
def test_usual_names_of_other_tools_are_taken(name: str, ours: str, value: object) -> None:
    options: dict[str, Any] = {name: value}
    by_ours: dict[str, Any] = {ours: value}
    assert SummaryRequest.of(**options) == SummaryRequest.of(**by_ours)
    with pytest.raises(TypeError, match=f"unknown option '{name}'"):
        SummaryRequest.of(**options, **by_ours)
