"""What holds for every search, budget and view on repeats."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doc
from tests.selection.selection_cases import BARE, BUDGETS, Case, cases, length, solve

from discobert.data.graph import Edge
from discobert.data.summary import Scores, Selection
from discobert.discourse.dependencies import closures, violations
from discobert.errors import InvalidGraph, InvalidValue
from discobert.selection.antecedents import WithAntecedents
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding, build_problem, with_rules
from discobert.selection.headings import WithoutHeadings
from discobert.selection.paper.greedy import Greedy, Overflow
from discobert.selection.redundancy import ALLOW_REPEATS, Blocking, Gram, ngrams
from discobert.selection.request import DEFAULT_REQUEST, ReferencePolicy
from discobert.writing.fragments import Repairs
from discobert.writing.repairs import DEFAULT, NONE, PAPER

ALL_SEARCHES = [
    Greedy(),
    Greedy(overflow=Overflow.STOP),
    Greedy(max_steps=2),
]
DECODINGS = st.builds(
    Decoding,
    search=st.sampled_from(ALL_SEARCHES),
    budget=BUDGETS | st.just(Budget()),
    redundancy=st.sampled_from([ALLOW_REPEATS, Blocking(), Blocking(1)]),
)
REPAIRS = st.sampled_from([DEFAULT, PAPER, NONE])


@settings(max_examples=120, deadline=None)
@given(cases(), DECODINGS, REPAIRS)
def test_selections_are_closed_within_the_budget_and_never_empty(
    case: Case, decoding: Decoding, repairs: Repairs
) -> None:
    document, edges, scores = case
    budget = decoding.budget
    request = replace(BARE, rules=replace(BARE.rules, repairs=repairs))
    solution = solve(document, scores, edges, decoding, request=request)
    edus = solution.selection.edus
    assert edus
    assert violations(edus, edges) == 0
    at_most = budget.limit(document).at_most
    over = [warning.code for warning in solution.warnings] == ["over-budget"]
    if at_most is not None:
        fits = length(document, edus, budget, repairs) <= at_most
        assert fits is not over
    if over:
        for closure in closures(len(document.edus), edges):
            unit = tuple(sorted(closure))
            assert length(document, unit, budget, repairs) > at_most  # type: ignore[operator]
    again = solve(document, scores, edges, decoding, request=request)
    assert (again.selection, again.warnings) == (solution.selection, solution.warnings)


@settings(max_examples=60, deadline=None)
@given(cases(), DECODINGS)
def test_reasons_name_who_needs_an_edu(case: Case, decoding: Decoding) -> None:
    document, edges, scores = case
    selection = solve(document, scores, edges, decoding).selection
    reasons = dict(zip(selection.edus, selection.reasons, strict=True))
    needs = closures(len(document.edus), edges)
    assert "score" in reasons.values()
    for edu, reason in reasons.items():
        if reason != "score":
            other = int(reason.removeprefix("needed by "))
            assert reasons[other] == "score"
            assert edu in needs[other]


@settings(max_examples=60, deadline=None)
@given(cases(), BUDGETS, st.sampled_from([s for s in ALL_SEARCHES if s != Greedy(max_steps=2)]))
def test_a_text_within_the_budget_comes_back_whole(
    case: Case, budget: Budget, search: Greedy
) -> None:
    document, edges, scores = case
    everything = tuple(range(len(document.edus)))
    decoding = Decoding(search=search, budget=budget, redundancy=Blocking(1))
    selected = solve(document, scores, edges, decoding).selection.edus
    at_most = budget.limit(document).at_most
    assert at_most is not None
    if length(document, everything, budget) <= at_most:
        assert selected == everything


@settings(max_examples=60, deadline=None)
@given(cases(max_sentences=6), st.sampled_from(ALL_SEARCHES), st.integers(1, 20))
def test_blocking_lets_no_repeat_through(case: Case, search: Greedy, at_most: int) -> None:
    document, edges, scores = case
    budget = Budget(edus=at_most)
    decoding = Decoding(search=search, budget=budget, redundancy=Blocking(2))
    selection = solve(document, scores, edges, decoding).selection
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
@given(cases(), st.sampled_from(ALL_SEARCHES), st.integers(1, 20), st.integers(0, 10))
def test_a_minimum_is_reached_or_missed_with_a_warning(
    case: Case, search: Greedy, at_least: int, more: int
) -> None:
    document, edges, scores = case
    budget = Budget(min_words=at_least, words=at_least + more)
    decoding = Decoding(search=search, budget=budget, redundancy=Blocking(1))
    solution = solve(document, scores, edges, decoding)
    codes = [warning.code for warning in solution.warnings]
    n_words = length(document, solution.selection.edus, budget)
    assert ("under-minimum" in codes) is (n_words < at_least)
    if "under-minimum" in codes:
        missing = [
            c for c in closures(len(document.edus), edges) if not c <= {*solution.selection.edus}
        ]
        for closure in missing:
            longer = tuple(sorted(closure.union(solution.selection.edus)))
            assert length(document, longer, budget) > at_least + more - 2


RAIN = doc("[It rained,] [which was new.] | [The dog barked] [at the rain.]")


def test_a_unit_that_does_not_fit_is_given_with_a_warning() -> None:
    solution = solve(
        RAIN,
        Scores((0.1, 0.9, 0.5, 0.2)),
        (Edge(1, 0),),
        Decoding(budget=Budget(words=1)),
    )
    assert solution.selection == Selection((0, 1), ("needed by 1", "score"))
    (warning,) = solution.warnings
    assert (warning.code, warning.unit) == ("over-budget", 1)
    assert warning.message == "not even one unit fits 1 word; the best one has 5"


def test_a_short_text_comes_back_whole_whatever_its_scores() -> None:
    decoding = Decoding(budget=Budget(words=11))
    selection = solve(RAIN, Scores((-1.0, -2.0, -3.0, 0.0)), (), decoding).selection
    assert selection == Selection((0, 1, 2, 3), ("score",) * 4)


def test_a_minimum_above_the_text_is_missed_with_a_warning() -> None:
    decoding = Decoding(budget=Budget(min_words=99))
    (warning,) = solve(RAIN, Scores((0.1, 0.9, 0.5, 0.2)), (), decoding).warnings
    assert warning.code == "under-minimum"
    assert warning.message == "the summary has 11 of at least 99 words; no more fits"


def test_a_line_longer_than_counted_is_noticed() -> None:
    # The mark after "great," closes the sentence before. While that counts as shown, the two halves
    # of the quotation are joined, without their marks; when it is not, one of them stays.
    document = doc('["We won.] | [It is great,"] [he said,] ["but late."] | [Yes it is so.]')
    budget = Budget(chars=len('It is great, but late."'))
    scores = Scores((-9.0, 5.0, -9.0, 5.0, 1.0))
    decoding = Decoding(budget=budget)
    solution = solve(document, scores, (Edge(1, 3), Edge(3, 1)), decoding)
    assert 4 in solution.selection.edus
    assert 1 not in solution.selection.edus
    assert solution.warnings == ()


def test_scores_must_match_and_be_finite() -> None:
    with pytest.raises(InvalidValue, match="3 scores for 4 EDUs"):
        solve(RAIN, Scores((0.1, 0.2, 0.3)), ())
    with pytest.raises(InvalidValue, match="the score of EDU 2 must be finite, got nan"):
        solve(RAIN, Scores((0.1, 0.2, float("nan"), 0.3)), ())


def test_dependencies_must_stay_in_their_sentence() -> None:
    with pytest.raises(InvalidGraph, match=r"dependency 2 -> 0 leaves its sentence.*enforced"):
        solve(RAIN, Scores((0.1, 0.2, 0.3, 0.4)), (Edge(2, 0),))
    with pytest.raises(InvalidGraph, match="leaves a graph of 4 EDUs"):
        solve(RAIN, Scores((0.1, 0.2, 0.3, 0.4)), (Edge(2, 7),))


def test_a_request_decides_what_a_search_does_for_readability() -> None:
    greedy = Greedy()
    assert with_rules(greedy, BARE) == greedy
    assert with_rules(greedy, DEFAULT_REQUEST) == WithoutHeadings(WithAntecedents(greedy))
    resolved = replace(DEFAULT_REQUEST, references=ReferencePolicy.RESOLVE)
    assert with_rules(greedy, resolved) == WithoutHeadings(greedy)


def test_a_lower_bound_that_the_usual_length_misses_takes_its_place() -> None:
    scores, usual = Scores((0.1, 0.9, 0.5, 0.2)), Decoding(budget=Budget(edus=1))
    assert solve(RAIN, scores, (), usual).selection.edus == (1,)
    kept = solve(RAIN, scores, (), usual, request=replace(BARE, budget=Budget(min_words=3)))
    assert kept.selection.edus == (1,)
    assert kept.problem.limit == Budget(edus=1).limit(RAIN)
    longer = solve(RAIN, scores, (), usual, request=replace(BARE, budget=Budget(min_words=4)))
    assert longer.selection.edus == (1, 2)
    assert longer.problem.limit == Budget(min_words=4).limit(RAIN)
    assert longer.warnings == ()


def test_the_length_of_an_endless_sentence_is_added_up() -> None:
    document = doc(" ".join(f"[word{index} here,]" for index in range(70)))
    problem = build_problem(
        document,
        Scores((0.5,) * 70),
        (),
        decoding=Decoding(budget=Budget(words=139)),
        request=BARE,
    )
    assert problem.line_cost(0, tuple(range(66))) == 132
