"""What holds for every method, budget and view on repeats."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doc
from tests.selection.selection_cases import BUDGETS, Case, cases, length

from discobert.data.graph import Edge
from discobert.data.summary import Scores, Selection
from discobert.discourse.dependencies import closures, violations
from discobert.errors import InvalidGraph, InvalidValue
from discobert.selection.budget import Budget
from discobert.selection.greedy import Greedy, Overflow
from discobert.selection.redundancy import ALLOW_REPEATS, Blocking, Gram, OverlapPenalty, ngrams
from discobert.selection.select import READABLE, RESOLVED, SelectionOptions, select
from discobert.writing.repairs import DEFAULT, NONE, PAPER, WITHOUT_DATELINES

ALL_METHODS = [
    Greedy(),
    Greedy(overflow=Overflow.STOP),
    Greedy(max_steps=2),
]
OPTIONS = st.builds(
    SelectionOptions,
    method=st.sampled_from(ALL_METHODS),
    budget=BUDGETS | st.just(Budget()),
    redundancy=st.sampled_from([ALLOW_REPEATS, Blocking(), OverlapPenalty(), Blocking(1)]),
    repairs=st.sampled_from([DEFAULT, WITHOUT_DATELINES, PAPER, NONE]),
)


@settings(max_examples=120, deadline=None)
@given(cases(), OPTIONS)
def test_selections_are_closed_within_the_budget_and_never_empty(
    case: Case, options: SelectionOptions
) -> None:
    document, edges, scores = case
    choice = select(document, scores, edges, options)
    edus = choice.selection.edus
    assert edus
    assert violations(edus, edges) == 0
    at_most = options.budget.limit(document).at_most
    over = [warning.code for warning in choice.warnings] == ["over-budget"]
    if at_most is not None:
        fits = length(document, edus, options.budget, options.repairs) <= at_most
        assert fits is not over
    if over:
        for closure in closures(len(document.edus), edges):
            unit = tuple(sorted(closure))
            assert length(document, unit, options.budget, options.repairs) > at_most  # type: ignore[operator]
    assert select(document, scores, edges, options) == choice


@settings(max_examples=60, deadline=None)
@given(cases(), OPTIONS)
def test_reasons_name_who_needs_an_edu(case: Case, options: SelectionOptions) -> None:
    document, edges, scores = case
    selection = select(document, scores, edges, options).selection
    reasons = dict(zip(selection.edus, selection.reasons, strict=True))
    needs = closures(len(document.edus), edges)
    assert "score" in reasons.values()
    for edu, reason in reasons.items():
        if reason != "score":
            other = int(reason.removeprefix("needed by "))
            assert reasons[other] == "score"
            assert edu in needs[other]


@settings(max_examples=60, deadline=None)
@given(cases(), BUDGETS, st.sampled_from([m for m in ALL_METHODS if m != Greedy(max_steps=2)]))
def test_a_text_within_the_budget_comes_back_whole(
    case: Case, budget: Budget, method: Greedy
) -> None:
    document, edges, scores = case
    everything = tuple(range(len(document.edus)))
    options = SelectionOptions(method=method, budget=budget, redundancy=Blocking(1))
    selected = select(document, scores, edges, options).selection.edus
    at_most = budget.limit(document).at_most
    assert at_most is not None
    if length(document, everything, budget) <= at_most:
        assert selected == everything


@settings(max_examples=60, deadline=None)
@given(cases(max_sentences=6), st.sampled_from(ALL_METHODS), st.integers(1, 20))
def test_blocking_lets_no_repeat_through(case: Case, method: Greedy, at_most: int) -> None:
    document, edges, scores = case
    budget = Budget(edus=at_most)
    options = SelectionOptions(method=method, budget=budget, redundancy=Blocking(2))
    selection = select(document, scores, edges, options).selection
    if len(selection.edus) == len(document.edus):
        return
    needs = closures(len(document.edus), edges)
    reasons = zip(selection.edus, selection.reasons, strict=True)
    steps = [edu for edu, reason in reasons if reason == "score"]
    chosen, shown = frozenset[int](), frozenset[Gram]()
    for edu in sorted(steps, key=lambda edu: (-scores.values[edu], edu)):
        grams = ngrams(document, needs[edu] - chosen, 2)
        assert not grams & shown
        chosen, shown = chosen | needs[edu], shown | grams


@settings(max_examples=60, deadline=None)
@given(cases(), st.sampled_from(ALL_METHODS), st.integers(1, 20), st.integers(0, 10))
def test_a_minimum_is_reached_or_missed_with_a_warning(
    case: Case, method: Greedy, at_least: int, more: int
) -> None:
    document, edges, scores = case
    budget = Budget(min_words=at_least, words=at_least + more)
    options = SelectionOptions(method=method, budget=budget, redundancy=Blocking(1))
    choice = select(document, scores, edges, options)
    codes = [warning.code for warning in choice.warnings]
    n_words = length(document, choice.selection.edus, budget)
    assert ("under-minimum" in codes) is (n_words < at_least)
    if "under-minimum" in codes:
        missing = [
            c for c in closures(len(document.edus), edges) if not c <= {*choice.selection.edus}
        ]
        for closure in missing:
            longer = tuple(sorted(closure.union(choice.selection.edus)))
            assert length(document, longer, budget) > at_least + more - 2


RAIN = doc("[It rained,] [which was new.] | [The dog barked] [at the rain.]")


def test_a_unit_that_does_not_fit_is_given_with_a_warning() -> None:
    choice = select(
        RAIN,
        Scores((0.1, 0.9, 0.5, 0.2)),
        (Edge(1, 0),),
        SelectionOptions(budget=Budget(words=1)),
    )
    assert choice.selection == Selection((0, 1), ("needed by 1", "score"))
    (warning,) = choice.warnings
    assert (warning.code, warning.unit) == ("over-budget", 1)
    assert warning.message == "not even one unit fits 1 words; the best one has 5"


def test_a_short_text_comes_back_whole_whatever_its_scores() -> None:
    options = SelectionOptions(budget=Budget(words=11))
    selection = select(RAIN, Scores((-1.0, -2.0, -3.0, 0.0)), (), options).selection
    assert selection == Selection((0, 1, 2, 3), ("score",) * 4)


def test_a_minimum_above_the_text_is_missed_with_a_warning() -> None:
    options = SelectionOptions(budget=Budget(min_words=99))
    (warning,) = select(RAIN, Scores((0.1, 0.9, 0.5, 0.2)), (), options).warnings
    assert warning.code == "under-minimum"
    assert warning.message == "the summary has 11 of at least 99 words; no more fits"


def test_a_line_longer_than_counted_is_noticed() -> None:
    # The mark after "great," closes the sentence before. While that counts as shown, the two halves
    # of the quotation are joined, without their marks; when it is not, one of them stays.
    document = doc('["We won.] | [It is great,"] [he said,] ["but late."] | [Yes it is so.]')
    budget = Budget(chars=len('It is great, but late."'))
    scores = Scores((-9.0, 5.0, -9.0, 5.0, 1.0))
    options = SelectionOptions(budget=budget)
    choice = select(document, scores, (Edge(1, 3), Edge(3, 1)), options)
    assert 4 in choice.selection.edus
    assert 1 not in choice.selection.edus
    assert choice.warnings == ()


def test_scores_must_match_and_be_finite() -> None:
    with pytest.raises(InvalidValue, match="3 scores for 4 EDUs"):
        select(RAIN, Scores((0.1, 0.2, 0.3)), ())
    with pytest.raises(InvalidValue, match="the score of EDU 2 must be finite, got nan"):
        select(RAIN, Scores((0.1, 0.2, float("nan"), 0.3)), ())


def test_dependencies_must_stay_in_their_sentence() -> None:
    with pytest.raises(InvalidGraph, match=r"dependency 2 -> 0 leaves its sentence.*enforced"):
        select(RAIN, Scores((0.1, 0.2, 0.3, 0.4)), (Edge(2, 0),))
    with pytest.raises(InvalidGraph, match="leaves a graph of 4 EDUs"):
        select(RAIN, Scores((0.1, 0.2, 0.3, 0.4)), (Edge(2, 7),))


def test_a_style_changes_nothing_but_how_readable_a_summary_is() -> None:
    options = SelectionOptions(budget=Budget(words=9)).styled(RESOLVED)
    assert options.budget == Budget(words=9)
    assert options.references is RESOLVED.references
    assert options.styled(READABLE) == SelectionOptions(budget=Budget(words=9))
