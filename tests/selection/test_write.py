"""Choices written out, with names and warnings where they are asked for."""

from dataclasses import replace

import pytest
from tests.builders import analysis
from tests.selection.selection_cases import BARE

from discobert.data.summary import Analysis, Scores, Selection
from discobert.selection.budget import NO_BUDGET, Budget
from discobert.selection.build import Decoding, build_problem
from discobert.selection.request import ReferencePolicy
from discobert.selection.select import Solution
from discobert.selection.write import WrittenSummary, write

SHOP = analysis(
    "[Anna Smith opened a shop.] | [It rained.] | [She sold it.] | [Her son left,] ['So bad.']",
    None,
    ("Anna Smith", "She", "Her"),
)


def shown(
    policy: ReferencePolicy,
    budget: Budget = NO_BUDGET,
    edus: tuple[int, ...] = (2, 3),
    found: Analysis = SHOP,
) -> WrittenSummary:
    """Write out given EDUs, whatever a search would have selected."""
    scores = Scores((0.5,) * len(found.document.edus))
    problem = build_problem(
        found.document,
        scores,
        (),
        decoding=Decoding(budget=budget),
        request=replace(BARE, references=policy),
        clusters=found.coref,
    )
    return write(Solution(problem, Selection(edus, ("score",) * len(edus))))


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
    assert shown(ReferencePolicy.RESOLVE, edus=(1,)) == WrittenSummary(("It rained.",))


def test_what_cannot_be_replaced_is_told() -> None:
    found = analysis("[Ann left.] | [It rained.] | ['So bad.']")
    (warning,) = shown(ReferencePolicy.RESOLVE, edus=(2,), found=found).warnings
    assert warning.unit == 2
