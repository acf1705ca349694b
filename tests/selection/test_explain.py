"""Why units were left out."""

from dataclasses import replace

from hypothesis import given, settings
from tests.builders import doc
from tests.selection.selection_cases import BARE, solve
from tests.strategies import documents

from discobert.data.document import Document
from discobert.data.explanation import LEFT
from discobert.data.graph import Edge
from discobert.data.summary import Scores, Selection
from discobert.selection.budget import Budget
from discobert.selection.build import DEFAULT_DECODING, Decoding
from discobert.selection.explain import reasons_left_out
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
