"""Errors by kind, with checkers whose findings are fixed."""

import sys
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from discobert.errors import MissingExtra
from discobert.evaluate.grammar import (
    HARPER,
    LANGUAGETOOL,
    NO_CHECKERS,
    GrammarCheckers,
    GrammarErrors,
    harper_kinds,
    languagetool_kinds,
    load_checkers,
    per_ten_thousand,
    total_errors,
)

FOUND = {
    "a": [("GRAMMAR", "grammar"), ("TYPOS", "misspelling")],
    "b": [("PUNCTUATION", "typographical"), ("CASING", "misspelling"), ("MISC", "duplication")],
    "c": [],
}
LINTED = {"a": ["Agreement", "Spelling"], "b": ["Formatting", "Capitalization", "Style"], "c": []}


class Engine:
    def check(self, line: str) -> list[dict[str, str]]:
        return [{"category_id": category, "issue_type": kind} for category, kind in FOUND[line]]


class Linter:
    def lint(self, line: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(lint_kind=kind) for kind in LINTED[line]]


BOTH = GrammarCheckers({LANGUAGETOOL: languagetool_kinds(Engine()), HARPER: harper_kinds(Linter())})


def count(lines: Sequence[str]) -> GrammarErrors:
    return BOTH.count(lines)[LANGUAGETOOL]


def test_errors_are_sorted_and_spelling_is_left_out() -> None:
    counts = BOTH.count(["a", "b", "c"])
    assert counts[LANGUAGETOOL] == GrammarErrors(grammar=1, punctuation=1, other=1, characters=3)
    assert counts[HARPER] == GrammarErrors(grammar=1, punctuation=2, other=1, characters=3)


def test_rates_are_per_ten_thousand_characters() -> None:
    rates = per_ten_thousand(GrammarErrors(grammar=1, punctuation=2, other=3, characters=1000))
    assert rates == {"all": 60.0, "grammar": 10.0, "punctuation": 20.0, "other": 30.0}
    assert per_ten_thousand(count([]))["all"] == 0.0


def test_documents_add_up() -> None:
    assert total_errors([BOTH.count(["a"]), BOTH.count(["b"])]) == BOTH.count(["a", "b"])
    assert total_errors([NO_CHECKERS.count(["a"]), {}]) == {}


@pytest.mark.parametrize("module", ["lt_py", "harper"])
def test_a_missing_extra_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lt_py", SimpleNamespace(Engine=lambda _: Engine()))
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install 'discobert\[grammar\]'"):
        load_checkers()


def test_the_engine_is_asked_for_english(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def engine(language: str) -> Engine:
        asked.append(language)
        return Engine()

    monkeypatch.setitem(sys.modules, "lt_py", SimpleNamespace(Engine=engine))
    monkeypatch.setitem(sys.modules, "harper", SimpleNamespace(Linter=Linter))
    assert load_checkers().count(["a"]) == BOTH.count(["a"])
    assert asked == ["en-US"]
