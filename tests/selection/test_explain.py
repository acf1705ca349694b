"""Why units were left out."""

from hypothesis import given, settings
from tests.builders import doc
from tests.strategies import documents

from discobert.data.document import Document
from discobert.data.explanation import LEFT
from discobert.data.graph import Edge
from discobert.data.summary import Scores, Selection
from discobert.selection.budget import Budget
from discobert.selection.explain import reasons_left_out
from discobert.selection.preferences import Wishes
from discobert.selection.redundancy import Blocking
from discobert.selection.select import SelectionOptions, select, selection_problem

TEXT = doc("[A short one.] | [Here is a much longer one now.] | [A short one too.] | [The end.]")


def left(
    document: Document,
    scores: tuple[float, ...],
    options: SelectionOptions,
    *edges: Edge,
    selection: Selection | None = None,
) -> tuple[str, ...]:
    found = Scores(scores)
    chosen = selection or select(document, found, edges, options).selection
    return reasons_left_out(selection_problem(document, found, edges, options), chosen)


def test_better_unit_without_room_was_left_for_its_length() -> None:
    options = SelectionOptions(budget=Budget(words=5))
    assert left(TEXT, (0.9, 0.8, 0.1, 0.7), options) == ("length", "score")


def test_repeats_are_told_apart() -> None:
    options = SelectionOptions(budget=Budget(words=5), redundancy=Blocking())
    assert left(TEXT, (0.9, 0.1, 0.8, 0.7), options) == ("score", "repeats")


def test_quotations_and_what_needs_them_are_told_apart() -> None:
    spoken = doc("[“We are done,”] [she said.] | [It rained.]")
    options = SelectionOptions(wishes=Wishes(exclude_quotes=True))
    assert left(spoken, (0.9, 0.8, 0.1), options, Edge(1, 0)) == ("quotation", "needs quotation")


def test_unit_that_only_the_method_refused_is_called_so() -> None:
    chosen = Selection((3,), ("score",))
    assert left(TEXT, (0.9, 0.1, 0.8, 0.7), SelectionOptions(), selection=chosen) == (
        "method",
        "score",
        "method",
    )


def test_choice_without_scores_compares_none() -> None:
    chosen = Selection((3,), ("lead",))
    found = left(TEXT, (0.9, 0.1, 0.8, 0.7), SelectionOptions(), selection=chosen)
    assert found == ("method",) * 3


@settings(max_examples=40)
@given(documents())
def test_every_unit_left_has_a_reason(document: Document) -> None:
    options = SelectionOptions(budget=Budget(words=2))
    scores = Scores(tuple(float(edu % 3) for edu in range(len(document.edus))))
    selection = select(document, scores, (), options).selection
    reasons = reasons_left_out(selection_problem(document, scores, (), options), selection)
    assert len(reasons) + len(selection.edus) == len(document.edus)
    assert set(reasons) <= set(LEFT)
