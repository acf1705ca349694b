"""Why units were left out."""

from dataclasses import replace

from hypothesis import given, settings
from tests.builders import FixedScorer, analysis, chain, doc
from tests.selection.selection_cases import BARE, solve
from tests.strategies import documents

from discobert.api import rule_analyser
from discobert.data.cuts import Cut
from discobert.data.document import Document
from discobert.data.explanation import LEFT
from discobert.data.graph import Edge
from discobert.data.summary import Scores, Selection
from discobert.discourse.units import UnitKind
from discobert.pipeline import Pipeline
from discobert.selection.budget import Budget
from discobert.selection.build import DEFAULT_DECODING, Decoding
from discobert.selection.explain import cuts_made, reasons_left_out
from discobert.selection.redundancy import Blocking
from discobert.selection.request import SummaryRequest

TEXT = doc("[A short one.] | [Here is a much longer one now.] | [A short one too.] | [The end.]")


def left(
    document: Document,
    scores: tuple[float, ...],
    *edges: Edge,
    decoding: Decoding = DEFAULT_DECODING,
    request: SummaryRequest = BARE,
    selection: Selection | None = None,
) -> tuple[str, ...]:
    solution = solve(document, Scores(scores), edges, decoding, request=request)
    return reasons_left_out(replace(solution, selection=selection or solution.selection))


def test_better_unit_without_room_was_left_for_its_length() -> None:
    decoding = Decoding(budget=Budget(words=5))
    assert left(TEXT, (0.9, 0.8, 0.1, 0.7), decoding=decoding) == ("length", "score")


def test_repeats_are_told_apart() -> None:
    decoding = Decoding(budget=Budget(words=5), redundancy=Blocking())
    assert left(TEXT, (0.9, 0.1, 0.8, 0.7), decoding=decoding) == ("score", "repeats")


def test_quotations_and_what_needs_them_are_told_apart() -> None:
    spoken = doc("[“We are done,”] [she said.] | [It rained.]")
    request = replace(BARE, exclude_quotes=True)
    found = left(spoken, (0.9, 0.8, 0.1), Edge(1, 0), request=request)
    assert found == ("quotation", "needs quotation")


def test_unit_that_only_the_method_refused_is_called_so() -> None:
    chosen = Selection((3,), ("score",))
    assert left(TEXT, (0.9, 0.1, 0.8, 0.7), selection=chosen) == (
        "method",
        "score",
        "method",
    )


def test_choice_without_scores_compares_none() -> None:
    chosen = Selection((3,), ("lead",))
    found = left(TEXT, (0.9, 0.1, 0.8, 0.7), selection=chosen)
    assert found == ("method",) * 3


@settings(max_examples=40)
@given(documents())
def test_every_unit_left_has_a_reason(document: Document) -> None:
    decoding = Decoding(budget=Budget(words=2))
    scores = Scores(tuple(float(edu % 3) for edu in range(len(document.edus))))
    solution = solve(document, scores, (), decoding)
    reasons = reasons_left_out(solution)
    assert len(reasons) + len(solution.selection.edus) == len(document.edus)
    assert set(reasons) <= set(LEFT)


CLAUSES = analysis("[Al,] [~who is old,] [~and sings,] [~won.] | [It rained.]", chain(5))


def made(chosen: tuple[int, ...], *cuts: Cut) -> tuple[Cut, ...]:
    found = replace(CLAUSES, cuts=cuts)
    solution = solve(found.document, Scores((0.5,) * 5), ())
    selection = Selection(chosen, ("score",) * len(chosen))
    return cuts_made(found, replace(solution, selection=selection))


def test_a_cut_is_as_sure_as_it_was_judged() -> None:
    assert made((0, 3, 4), Cut((1,), 0.5), Cut((1, 2), 0.75)) == (Cut((1, 2), 0.75),)


def test_two_cuts_of_a_sentence_are_less_sure_than_each() -> None:
    assert made((0, 3), Cut((1,), 0.5), Cut((2,), 0.75)) == (Cut((1, 2), 0.375),)


def test_the_best_of_several_judgements_counts() -> None:
    judged = (Cut((1,), 0.5), Cut((2,), 0.75), Cut((1, 2), 0.25))
    assert made((0, 3), *judged) == (Cut((1, 2), 0.375),)


def test_what_was_not_cut_or_not_judged_is_not_told() -> None:
    assert made((0, 1, 2, 3), Cut((1,), 0.5)) == ()
    assert made((0, 3), Cut((1,), 0.5)) == ()
    assert made((4,), Cut((1,), 0.5)) == ()


def test_whole_sentences_are_not_cut() -> None:
    scorer = FixedScorer((0.5,) * 5)
    request = SummaryRequest.of(words=5, unit=UnitKind.SENTENCE)
    found = replace(CLAUSES, cuts=(Cut((1,), 0.5),))
    assert Pipeline(rule_analyser(), scorer).summarise_analysis(found, request).cuts == ()
