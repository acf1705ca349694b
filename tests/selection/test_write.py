"""Choices written out, with names and warnings where they are asked for."""

import pytest
from tests.builders import analysis

from discobert.selection.antecedents import ReferencePolicy
from discobert.selection.budget import NO_BUDGET, Budget
from discobert.selection.select import SelectionOptions
from discobert.selection.write import Written, written

SHOP = analysis(
    "[Anna Smith opened a shop.] | [It rained.] | [She sold it.] | [Her son left,] ['So bad.']",
    None,
    ("Anna Smith", "She", "Her"),
)


def shown(
    policy: ReferencePolicy, budget: Budget = NO_BUDGET, edus: tuple[int, ...] = (2, 3)
) -> Written:
    options = SelectionOptions(references=policy, budget=budget)
    return written(SHOP.document, edus, SHOP.coref, options)


def test_by_default_a_warning_tells() -> None:
    found = shown(ReferencePolicy.REPAIR)
    assert found.lines == ("She sold it.", "Her son left.")
    assert [(one.code, one.unit) for one in found.warnings] == [("dangling-reference", 2)]
    assert not found.replacements


def test_kept_references_are_not_mentioned() -> None:
    assert not shown(ReferencePolicy.KEEP).warnings


def test_a_name_takes_the_place_of_the_first_pronoun() -> None:
    found = shown(ReferencePolicy.RESOLVE)
    assert found.lines == ("Anna Smith sold it.", "Her son left.")
    assert [(one.unit, one.start, one.end, one.by) for one in found.replacements] == [
        (2, 37, 40, "Anna Smith")
    ]
    assert not found.warnings


@pytest.mark.parametrize(("words", "expected"), [(6, "She sold it."), (7, "Anna Smith sold it.")])
def test_names_keep_to_the_length(words: int, expected: str) -> None:
    found = shown(ReferencePolicy.RESOLVE, Budget(words=words))
    assert found.lines[0] == expected
    assert bool(found.warnings) is (words == 6)


def test_nothing_dangles_nothing_changes() -> None:
    assert shown(ReferencePolicy.RESOLVE, edus=(1,)) == Written(("It rained.",))


def test_what_cannot_be_replaced_is_told() -> None:
    found = analysis("[Ann left.] | [It rained.] | ['So bad.']")
    options = SelectionOptions(references=ReferencePolicy.RESOLVE)
    (warning,) = written(found.document, (2,), (), options).warnings
    assert warning.unit == 2
