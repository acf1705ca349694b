"""Selection by the words that units add."""

from dataclasses import replace
from math import fsum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import analysis, doc, tree
from tests.selection.selection_cases import BARE, BUDGETS, Case, cases, solve

from discobert.data.graph import Edge
from discobert.data.summary import Scores, SentenceSalience
from discobert.discourse.dependencies import violations
from discobert.discourse.units import UnitKind
from discobert.errors import BundleError
from discobert.language.tokens import tokenise
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding, Salience, selection_problem
from discobert.selection.paper.coverage import CoverageModel, CoverageSearch
from discobert.selection.paper.greedy import Greedy, Overflow
from discobert.selection.paper.ngrams import N_FEATURES, Gram, GramModel, pairs_of, words_of
from discobert.selection.redundancy import ALLOW_REPEATS

TEXT = doc("[Ann won,] [~Bo lost.] | [Ann won again.] | [Cy sang.]")
VALUES: dict[Gram, float] = {("ann",): 0.5, ("won",): 0.5, ("cy",): 0.4, ("bo",): 0.1}

TWO_EDUS = Budget(edus=2)


def chosen(
    values: dict[Gram, float],
    scores: tuple[float, ...] = (0.0,) * 4,
    *,
    edges: tuple[Edge, ...] = (),
    budget: Budget = TWO_EDUS,
    **options: Any,  # noqa: ANN401
) -> dict[int, str]:
    search = CoverageSearch(values, options.pop("score_weight", 1.0), **options)
    selection = solve(TEXT, Scores(scores), edges, Decoding(search=search, budget=budget)).selection
    return dict(zip(selection.edus, selection.reasons, strict=True))


def test_words_count_once_and_for_each_word_of_a_unit() -> None:
    assert list(chosen(VALUES)) == [0, 3]  # (0.5 + 0.5) / 2, then 0.4 / 2; the repeat adds nothing
    assert list(chosen(VALUES, budget=Budget(edus=3))) == [0, 1, 3]


def test_pairs_of_words_count_too() -> None:
    assert list(chosen({("won", "again"): 1.0, ("cy", "sang"): 0.5}, budget=Budget(edus=1))) == [2]


def test_scores_count_beside_words() -> None:
    assert list(chosen(VALUES, (0.0, 0.0, 0.6, 0.3))) == [2, 3]
    assert list(chosen(VALUES, (0.0, 0.0, 0.6, 0.3), score_weight=0.1)) == [0, 3]


def test_what_a_unit_needs_comes_with_it_and_counts() -> None:
    needs, values = (Edge(0, 1),), {**VALUES, ("bo",): 0.6}
    # "Ann won, Bo lost" has 1.6 for four words, "Ann won again" 1.0 for three.
    assert chosen(values, edges=needs, budget=Budget(edus=3)) == {
        0: "score",
        1: "needed by 0",
        3: "score",
    }
    assert list(chosen(VALUES, edges=needs, budget=Budget(edus=1))) == [2]


def test_a_unit_whose_needs_are_shown_is_looked_at_again() -> None:
    values: dict[Gram, float] = {("bo",): 1.0, ("ann",): 0.3, ("cy",): 0.25}
    assert list(chosen(values, edges=(Edge(0, 1),))) == [0, 1]


def test_what_does_not_fit_is_skipped_or_ends_the_selection() -> None:
    values: dict[Gram, float] = {("cy",): 1.0, ("again",): 1.0, ("bo",): 0.1}
    assert list(chosen(values, budget=Budget(words=4))) == [1, 3]
    assert list(chosen(values, budget=Budget(words=4), overflow=Overflow.STOP)) == [3]


def test_steps_may_be_counted() -> None:
    assert list(chosen(VALUES, budget=Budget(), max_steps=1)) == [0]


def test_a_text_within_the_limit_is_shown_whole() -> None:
    assert list(chosen(VALUES, budget=Budget(words=99))) == [0, 1, 2, 3]


def step_by_step(case: Case, values: dict[Gram, float], n_edus: int) -> list[int]:
    """Look at all units in every step."""
    document, edges, scores = case
    problem = solve(document, scores, edges, Decoding(budget=Budget(edus=n_edus))).problem
    texts = [document.edu_text(edu) for edu in range(len(document.edus))]
    grams = [{*words_of(tokenise(text)), *pairs_of(tokenise(text))} for text in texts]
    shown, refused = set[int](), set[int]()

    def worth(unit: int) -> tuple[float, int]:
        new = problem.closures[unit] - shown
        known = set[Gram]().union(*(grams[edu] for edu in shown))
        added = set[Gram]().union(*(grams[edu] for edu in new)) - known
        n_words = max(1, sum(len(texts[edu].split()) for edu in new))
        mean = fsum(values.get(gram, 0.0) for gram in added) / n_words
        return (-(scores.values[unit] + mean), unit)

    while offered := [unit for unit in problem.order if unit not in shown | refused]:
        unit = min(offered, key=worth)
        if len(shown | problem.closures[unit]) <= n_edus:
            shown |= problem.closures[unit]
        else:
            refused.add(unit)
    return sorted(shown)


@settings(deadline=None)
@given(case=cases(), n_edus=st.integers(1, 8), data=st.data())
def test_only_looking_at_the_first_of_the_heap_changes_nothing(
    case: Case, n_edus: int, data: st.DataObject
) -> None:
    document, edges, scores = case
    grams = sorted(
        {
            gram
            for edu in range(len(document.edus))
            for gram in words_of(tokenise(document.edu_text(edu)))
        }
    )
    values = {gram: data.draw(st.integers(0, 8)) / 8 for gram in grams}
    decoding = Decoding(search=CoverageSearch(values, 1.0), budget=Budget(edus=n_edus))
    found = solve(document, scores, edges, decoding)
    expected = step_by_step(case, values, n_edus)
    if expected:
        assert list(found.selection.edus) == expected


@settings(deadline=None)
@given(case=cases(), budget=BUDGETS)
def test_selections_are_closed_and_within_the_limit(case: Case, budget: Budget) -> None:
    document, edges, scores = case
    values = dict.fromkeys(words_of(tokenise(document.text)), 0.5)
    decoding = Decoding(search=CoverageSearch(values, 1.0), budget=budget)
    solution = solve(document, scores, edges, decoding)
    assert not violations(solution.selection.edus, edges)
    if "over-budget" not in {warning.code for warning in solution.warnings}:
        at_most = solution.problem.limit.at_most
        assert at_most is not None
        assert solution.problem.length(solution.selection.edus) <= at_most


MODEL = CoverageModel(
    words=GramModel(-1.0, (1.0, *(0.0,) * (N_FEATURES - 1))),
    pairs=GramModel(-2.0, (0.0,) * N_FEATURES),
    pair_weight=2.0,
    score_weight=1.0,
    sentence_weight=0.5,
)
SOURCE = analysis("[Ann won,] [~Bo lost.] | [Cy sang.]", tree("NN", tree("NS", 0, 1), 2))
SENTENCES = SentenceSalience((0.0, 1.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))


def test_values_join_both_regressions() -> None:
    values = MODEL.values(SOURCE.document, Scores((0.5, 0.5, 0.5)), SENTENCES)
    assert values["ann",] == pytest.approx(0.2689414)
    assert values["ann", "won"] == pytest.approx(2 * 0.1192029)
    assert ("won", "bo") not in values


@pytest.mark.parametrize(("unit", "weight"), [(UnitKind.EDU, 1.0), (UnitKind.SENTENCE, 0.5)])
def test_the_style_paper_uses_the_model_of_a_bundle(unit: UnitKind, weight: float) -> None:
    decoding = Decoding(search=Greedy(overflow=Overflow.STOP), coverage=MODEL)
    salience = Salience(Scores((0.5,) * 3), decoding, sentences=SENTENCES)
    problem = selection_problem(SOURCE, salience, replace(BARE, unit=unit))
    assert isinstance(problem.search, CoverageSearch)
    assert problem.search.score_weight == weight
    assert problem.redundancy is ALLOW_REPEATS
    if unit is UnitKind.EDU:
        assert problem.search.overflow is Overflow.STOP
    plain = replace(BARE, unit=unit, rules=replace(BARE.rules, coverage=False))
    assert isinstance(selection_problem(SOURCE, salience, plain).search, Greedy)
    focused = replace(BARE, unit=unit, focus="Bo")
    assert isinstance(selection_problem(SOURCE, salience, focused).search, Greedy)
    unread = replace(salience, sentences=None)
    assert isinstance(selection_problem(SOURCE, unread, BARE).search, Greedy)


def test_models_travel_in_the_settings_of_a_bundle() -> None:
    assert CoverageModel.of(MODEL.settings()) == MODEL
    for broken in ({}, {**MODEL.settings(), "words": 3}, {**MODEL.settings(), "pair_weight": "x"}):
        with pytest.raises(BundleError, match="expected words"):
            CoverageModel.of(broken)
