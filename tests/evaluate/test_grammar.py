"""Errors by kind, with an engine whose findings are fixed."""

import sys
from collections.abc import Sequence

import pytest

from discobert.errors import MissingExtra
from discobert.evaluate.grammar import (
    GrammarErrors,
    NoChecker,
    RuleChecker,
    load_checker,
    per_ten_thousand,
    total_errors,
)

FOUND = {
    "a": [("GRAMMAR", "grammar"), ("TYPOS", "misspelling")],
    "b": [("PUNCTUATION", "typographical"), ("CASING", "misspelling"), ("MISC", "duplication")],
    "c": [],
}


class Engine:
    def check(self, line: str) -> list[dict[str, str]]:
        return [{"category_id": category, "issue_type": kind} for category, kind in FOUND[line]]


def count(lines: Sequence[str]) -> GrammarErrors:
    errors = RuleChecker(Engine()).count(lines)
    assert errors is not None
    return errors


def test_errors_are_sorted_and_spelling_is_left_out() -> None:
    assert count(["a", "b", "c"]) == GrammarErrors(grammar=1, punctuation=1, other=1, characters=3)


def test_rates_are_per_ten_thousand_characters() -> None:
    rates = per_ten_thousand(GrammarErrors(grammar=1, punctuation=2, other=3, characters=1000))
    assert rates == {"all": 60.0, "grammar": 10.0, "punctuation": 20.0, "other": 30.0}
    assert per_ten_thousand(count([]))["all"] == 0.0


def test_documents_add_up() -> None:
    assert total_errors([count(["a"]), count(["b"])]) == count(["a", "b"])
    assert total_errors([NoChecker().count(["a"]), None]) is None


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lt_py", None)
    with pytest.raises(MissingExtra, match=r"pip install 'discobert\[grammar\]'"):
        load_checker()


def test_the_engine_is_asked_for_english(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Module:
        @staticmethod
        def Engine(language: str) -> Engine:  # noqa: N802 - the library's name
            asked.append(language)
            return Engine()

    monkeypatch.setitem(sys.modules, "lt_py", Module)
    assert load_checker().count(["a"]) == count(["a"])
    assert asked == ["en-US"]
