"""The readable style from an analysis to a selection."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from tests.builders import analysis, tree
from tests.selection.selection_cases import BUDGETS, Case, cases, length, weights_of

from discobert import Summarizer
from discobert.data.cuts import Cut
from discobert.data.summary import Analysis, Scores, SentenceSalience
from discobert.discourse.dependencies import violations
from discobert.discourse.units import UnitKind
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding, Salience, build_problem, selection_problem
from discobert.selection.readable.choose import (
    ReadableSearch,
    default_words,
    guessed_sentences,
)
from discobert.selection.readable.weights import ReadableWeights
from discobert.selection.request import DEFAULT_REQUEST, SummaryRequest
from discobert.selection.select import Solution, select

PLAIN = replace(
    weights_of(best=1.0, cut_sentence=-0.01),
    floor=-100.0,
    cut=0.85,
    skip=0.5,
)
"""Nothing counts but the log-odds of the editors' choice, and cuts a little."""
LATE = tree("NN", tree("NS", 4, 5), 6, "same-unit")
LAST = tree("NN", 6, 7)
NEWS = analysis(
    "[Al Ray won the vote.] | [Rain fell on Monday.] | [“Bo Lee saw cracks,”] [Cy Dow said.] | "
    "[Crews,] [~who were late,] [~closed the bridge.]",
    tree("NS", 0, tree("NS", 1, tree("NS", tree("NS", 2, 3), LATE))),
)


def salience(
    source: Analysis,
    values: tuple[float, ...],
    skip: tuple[float, ...] | None = None,
    *,
    weights: ReadableWeights = PLAIN,
    unit: UnitKind = UnitKind.EDU,
) -> Salience:
    """Give every sentence a value."""
    found = SentenceSalience(values, values, values, skip or (0.0,) * len(values))
    scores = Scores((0.5,) * len(source.document.edus))
    return Salience(scores, Decoding(readable=weights), unit, sentences=found)


def solve(source: Analysis, given: Salience, **options: Any) -> Solution:  # noqa: ANN401
    return select(selection_problem(source, given, SummaryRequest.of(**options)))


def chosen(source: Analysis, given: Salience, **options: Any) -> tuple[int, ...]:  # noqa: ANN401
    return solve(source, given, **options).selection.edus


def test_a_text_that_fits_comes_back_whole() -> None:
    unwanted = salience(NEWS, (-9.0,) * 4, (1.0,) * 4)
    assert chosen(NEWS, unwanted) == tuple(range(7))
    assert chosen(NEWS, unwanted, words=23) == tuple(range(7))
    assert len(chosen(NEWS, unwanted, words=22)) < 7


def test_the_best_sentences_are_chosen_whole_in_reading_order() -> None:
    given = salience(NEWS, (1.0, 2.0, -1.0, 3.0))
    assert chosen(NEWS, given, words=12) == (1, 4, 5, 6)
    solution = solve(NEWS, given, words=12)
    assert solution.selection.reasons == ("score",) * 4
    assert solution.warnings == ()


def test_the_length_of_the_weights_is_the_default() -> None:
    weights = replace(PLAIN, words=3, most_words=6)
    assert chosen(NEWS, salience(NEWS, (1.0, 3.0, 2.0, 9.0), weights=weights)) == (1,)
    assert chosen(NEWS, salience(NEWS, (1.0, 3.0, 2.0, 9.0), weights=weights), words=8) == (4, 5, 6)


def test_the_default_length_is_that_of_the_first_three_sentences_within_bounds() -> None:
    found = SentenceSalience((0.0,) * 4, (0.0,) * 4, (0.0,) * 4, (0.0, 0.0, 0.0, 0.0))
    heading = replace(found, never=(1.0, 0.0, 0.0, 0.0))
    weights = replace(PLAIN, words=1, most_words=100)
    assert default_words(NEWS.document, found, weights) == 16  # 5 + 4 + 7
    assert default_words(NEWS.document, heading, weights) == 18  # 4 + 7 + 7
    assert default_words(NEWS.document, found, replace(weights, words=17)) == 17
    assert default_words(NEWS.document, found, replace(weights, most_words=12)) == 12


def test_the_value_of_a_sentence_adds_weighted_scores() -> None:
    found = SentenceSalience((2.0, 0.0), gain=(1.0, 3.0), best=(0.0, 1.0), never=(0.5, 0.0))
    weights = replace(PLAIN, salience=0.5, gain=0.1, furniture=-1.0, sentence=0.2)
    assert ReadableSearch(found, weights=weights).values == pytest.approx((0.8, 1.5))
    about = ReadableSearch(found, weights=replace(PLAIN, focus=8.0), relevance=(0.0, 0.5))
    assert about.values == (0.0, 5.0)


def test_log_odds_are_bounded_as_in_the_summaries_that_were_rated() -> None:
    found = SentenceSalience((0.0, 0.0), (0.0, 0.0), (900.0, -900.0), (0.0, 0.0))
    assert ReadableSearch(found, weights=PLAIN).values == (4.0, -6.0)


def test_a_lead_that_was_asked_for_comes_first() -> None:
    given = salience(NEWS, (-5.0, 3.0, 2.0, 3.5), (1.0, 0.0, 0.0, 0.0))
    assert chosen(NEWS, given, words=12) == (1, 4, 5, 6)
    solution = solve(NEWS, given, words=12, keep_lead=True)
    assert solution.selection.edus == (0, 4, 5, 6)
    assert solution.selection.reasons == ("lead", "score", "score", "score")
    assert chosen(NEWS, given, words=4, keep_lead=True) == (1,)  # it does not fit


def test_a_heading_is_no_lead() -> None:
    source = analysis("[The vote] || [Al Ray won the vote.] | [Rain fell on the whole town.]")
    given = salience(source, (0.0, 0.0, 5.0))
    assert chosen(source, given, words=6, keep_lead=True) == (1,)
    assert chosen(source, given, words=6) == (2,)


def test_quotations_are_left_out_on_demand() -> None:
    given = salience(NEWS, (1.0, 2.0, 9.0, 1.5))
    assert {2, 3} <= {*chosen(NEWS, given, words=12)}
    assert chosen(NEWS, given, words=12, exclude_quotes=True) == (1, 4, 5, 6)
    assert chosen(NEWS, given, words=500, exclude_quotes=True) == (0, 1, 4, 5, 6)


def test_the_focus_moves_the_choice() -> None:
    given = salience(NEWS, (3.0, -1.0, -1.0, -1.0), weights=replace(PLAIN, focus=8.0))
    assert chosen(NEWS, given, words=7) == (0,)
    assert chosen(NEWS, given, words=7, focus="the bridge") == (4, 5, 6)
    assert chosen(NEWS, given, words=7, focus="cracks") == (2, 3)
    solution = solve(NEWS, given, words=7, focus="elephants")
    assert solution.selection.edus == (0,)
    assert [warning.code for warning in solution.problem.warnings] == ["focus-not-found"]


def test_a_minimum_is_topped_up_by_value() -> None:
    given = salience(NEWS, (5.0, -1.0, -3.0, -2.0))
    assert chosen(NEWS, given, words=20) == (0,)
    assert chosen(NEWS, given, words=20, min_words=5) == (0,)
    assert chosen(NEWS, given, words=20, min_words=6) == (0, 1)
    assert chosen(NEWS, given, words=20, min_words=10) == (0, 1, 4, 5, 6)


def test_topping_up_passes_over_what_does_not_fit() -> None:
    source = analysis(
        "[Al won.] | [Rain fell on the whole town that day.] | [Bo Lee left.] | [Hm.]"
    )
    given = salience(source, (5.0, -1.0, -2.0, -3.0))
    assert chosen(source, given, words=6, min_words=5) == (0, 2)
    solution = solve(source, given, words=9, min_words=9)
    assert [warning.code for warning in solution.warnings] == ["under-minimum"]


def test_topping_up_repeats_nothing_while_there_is_something_else() -> None:
    source = analysis("[Fire broke out.] | " * 4 + "[Fire!] | [Rain fell on Monday.] | [Bo left.]")
    given = salience(source, (5.0, -1.0, -1.0, -1.0, -1.0, -2.0, -3.0))
    assert chosen(source, given, words=12, min_words=7) == (0, 5)
    assert chosen(source, given, words=12, min_words=8) == (0, 5, 6)
    assert chosen(source, given, words=12, min_words=10) == (0, 1, 5, 6)
    assert chosen(source, given, words=9, min_words=3) == (0,)


def test_one_sentence_over_and_over_is_repeated_for_a_minimum_alone() -> None:
    text = "Fire broke out. " * 30
    summarizer = Summarizer.load("en")
    assert summarizer.summarize(text, words=20).text.count("Fire") == 1
    assert summarizer.summarize(text, words=20, min_words=12).text.count("Fire") == 4


def test_a_minimum_alone_is_reached_where_the_usual_length_misses_it() -> None:
    weights = replace(PLAIN, words=20, most_words=20)
    given = salience(NEWS, (5.0, -1.0, -3.0, -2.0), weights=weights)
    assert chosen(NEWS, given) == (0,)
    assert chosen(NEWS, given, min_words=4) == (0,)
    assert chosen(NEWS, given, min_words=8) == (0, 1)
    assert chosen(NEWS, given, min_sentences=4) == tuple(range(7))
    assert [w.code for w in solve(NEWS, given, min_words=99).warnings] == ["under-minimum"]


def test_the_shortest_closed_unit_is_given_if_no_sentence_fits() -> None:
    source = analysis("[Al Ray won the vote,] [which was close.] | [Bo Lee left the town.]")
    given = salience(source, (5.0, 1.0))
    solution = solve(source, given, words=2)
    (warning,) = solution.warnings
    assert warning.code == "over-budget"
    assert solution.selection.edus in {(0,), (2,)}
    shortest = min(solution.problem.length(tuple(c)) for c in solution.problem.closures)
    assert solution.problem.length(solution.selection.edus) == shortest == 5
    assert warning.message == "not even one unit fits 2 words; the shortest one has 5"


def test_a_clause_that_fits_is_better_than_a_sentence_that_does_not() -> None:
    source = analysis("[Al Ray won the vote,] [which was close.] | [Bo Lee left the old town.]")
    solution = solve(source, salience(source, (5.0, 1.0)), words=5)
    assert solution.selection.edus == (0,)
    assert solution.warnings == ()


CUT = replace(NEWS, cuts=(Cut((5,), 0.95), Cut((3,), 0.2)))


def test_a_safe_cut_is_taken_where_it_makes_room() -> None:
    assert chosen(CUT, salience(CUT, (1.0, 1.0, -1.0, 3.0)), words=4) == (4, 6)
    given = salience(CUT, (3.0, 3.0, -1.0, 3.0))
    assert chosen(CUT, salience(CUT, (3.0, 1.0, -1.0, 3.0)), words=9) == (0, 4, 6)
    assert chosen(CUT, given, words=13) == (0, 1, 4, 6)
    assert chosen(CUT, given, words=16) == (0, 1, 4, 5, 6)


def test_sentences_as_units_use_no_cuts() -> None:
    given = salience(CUT, (1.0, 0.5, 0.25, 3.0))
    solution = solve(CUT, given, words=9, unit="sentence")
    assert len(solution.problem.document.edus) == 4
    assert solution.selection.edus == (3,)


def test_furniture_is_skipped_unless_there_is_nothing_else() -> None:
    values = (9.0, 1.0, 0.5, 0.25)
    assert chosen(NEWS, salience(NEWS, values, (0.9, 0.0, 0.0, 0.0)), words=6) == (1,)
    assert chosen(NEWS, salience(NEWS, values, (0.49, 0.0, 0.0, 0.0)), words=6) == (0,)
    # If all are likely furniture, there is nothing else to choose from.
    all_unlikely = salience(NEWS, values, (0.9, 0.8, 0.7, 0.8))
    assert chosen(NEWS, all_unlikely, words=7) == (0,)
    assert chosen(NEWS, all_unlikely, words=7, exclude_quotes=True) == (0,)


def test_the_first_sentence_that_is_no_furniture_is_the_lead() -> None:
    given = salience(
        NEWS, (0.0, 0.5, 1.0, 0.0), (1.0, 0.0, 0.0, 0.0), weights=replace(PLAIN, first=1)
    )
    problem = selection_problem(NEWS, given, SummaryRequest.of(words=6))
    assert isinstance(problem.search, ReadableSearch)
    assert problem.search.task(problem).lead == 1
    assert select(problem).selection.edus == (1,)


@pytest.mark.parametrize(
    ("before", "first", "is_lead"),
    [
        ("Is it late?", "If so, take the bus.", False),
        ("Is it late?", "Al Ray takes the bus.", True),
        ("It is late.", "If so, take the bus.", True),
    ],
)
def test_what_comes_after_a_question_is_the_lead_only_if_it_stands_alone(
    before: str, first: str, *, is_lead: bool
) -> None:
    source = analysis(f"[{before}] | [{first}] | [Rain fell.]", tree("NS", 0, tree("NS", 1, 2)))
    problem = selection_problem(source, salience(source, (0.0,) * 3, (1.0, 0.0, 0.0)))
    assert isinstance(problem.search, ReadableSearch)
    assert problem.search.task(problem).lead == (1 if is_lead else None)


def test_an_interviewer_does_not_open_a_summary() -> None:
    source = analysis(
        "[You won.] | [Why?] || [I ran.] | [My knee hurt.] || [You fell.] | [Why?] || [I slept.] | "
        "[We met.]",
        tree(
            "NN", 0, tree("NN", 1, tree("NN", 2, tree("NN", 3, tree("NN", 4, tree("NN", 5, LAST)))))
        ),
    )
    problem = selection_problem(source, salience(source, (0.0,) * 8))
    assert isinstance(problem.search, ReadableSearch)
    assert problem.search.task(problem).lead is None


def test_a_text_of_quotations_and_fragments_of_them_still_gives_something() -> None:
    source = analysis(
        "[“Bo saw cracks,”] [Cy Dow said.] | [“Al won,”] [Bo Lee said.]",
        tree("NS", tree("SN", 0, 1), tree("SN", 2, 3)),
    )
    given = salience(source, (1.0, 2.0))
    problem = selection_problem(source, given, SummaryRequest.of(words=4, exclude_quotes=True))
    assert isinstance(problem.search, ReadableSearch)
    assert problem.search.eligible(problem) == (False, False)
    assert problem.search.task(problem).lead is None
    assert select(problem).selection.edus == (1,)


def test_models_without_sentence_scores_have_them_guessed_from_edus() -> None:
    source = analysis("[The vote] || [Al Ray won,] [~he said.] | [Rain fell.] | [Bo left.]")
    found = guessed_sentences(source.document, Scores((0.5, 0.5, 0.75, 1.0, -1.0)))
    assert found.never == (1.0, 0.0, 0.0, 0.0)
    assert found.best == found.salience
    assert found.best[:2] == pytest.approx((0.0, 1.0986), abs=1e-4)
    assert found.best[2] == pytest.approx(-found.best[3])


def test_the_rules_alone_give_a_readable_summary() -> None:
    text = (
        "The ferry, which was old, sank in May. Crews came at once. "
        "But they were late. Nobody was hurt."
    )
    summary = Summarizer.load("rules").summarize(text, words=14)
    assert summary.sentences[0] == "The ferry, which was old, sank in May."
    assert "But they were late." not in summary.sentences
    assert Summarizer.load("rules").summarize(text).words == 19


@settings(max_examples=80, deadline=None)
@given(cases(), BUDGETS)
def test_selections_are_closed_within_the_budget_and_never_empty(
    case: Case, budget: Budget
) -> None:
    document, edges, scores = case
    search = ReadableSearch(guessed_sentences(document, scores))
    problem = build_problem(
        document, scores, edges, decoding=Decoding(search=search, budget=budget)
    )
    assert problem.request == DEFAULT_REQUEST
    solution = select(problem)
    edus = solution.selection.edus
    assert edus
    assert violations(edus, edges) == 0
    at_most = budget.limit(document).at_most
    assert at_most is not None
    over = [warning.code for warning in solution.warnings] == ["over-budget"]
    assert (length(document, edus, budget) <= at_most) is not over
    assert select(problem).selection == solution.selection


def test_a_heading_is_not_shown_for_want_of_an_independent_sentence() -> None:
    source = analysis("[The big vote] || [But Al Ray won it all.] | [They left.]")
    given = salience(source, (1.0, 1.0, 1.0), (1.0, 0.0, 0.0))
    assert solve(source, given, words=7).selection.edus == (1,)


def test_a_lower_bound_is_not_reached_by_quotations_that_were_excluded() -> None:
    source = analysis("[Rain fell.] | [“Bo Lee saw cracks,” Cy said.] | [Hail fell on the town.]")
    given = salience(source, (3.0, -1.0, -2.0))
    solution = solve(source, given, words=12, min_words=7, exclude_quotes=True)
    assert solution.selection.edus == (0, 2)


def test_a_lead_with_an_excluded_quotation_is_no_lead() -> None:
    source = analysis("[Al won the vote,] [“it was close,” he said.] | [Rain fell on the town.]")
    given = salience(source, (3.0, 1.0))
    assert chosen(source, given, words=10, keep_lead=True, exclude_quotes=True) == (2,)


def test_a_lead_that_does_not_fit_may_lose_more() -> None:
    source = analysis(
        "[Al Ray,] [~who ran late,] [~won the vote.] | [Bo fell.] | [Cy left at noon.]",
        tree("NS", tree("NN", tree("NS", 0, 1), 2, "same-unit"), tree("NS", 3, 4)),
    )
    risky = replace(source, cuts=(Cut((1,), 0.75),))
    given = salience(risky, (3.0, -1.0, -1.0), weights=replace(PLAIN, cut=0.85))
    assert chosen(risky, given, words=8) == (0, 1, 2)
    assert chosen(risky, given, words=5) == (0, 2)
    riskier = replace(source, cuts=(Cut((1,), 0.65),))
    assert 0 not in chosen(riskier, given, words=5)


def test_sentences_are_raised_where_nothing_stands_out_or_the_summary_is_long() -> None:
    source = analysis(" | ".join(f"[Town {index} held a vote today.]" for index in range(20)))
    values = (0.5,) * 2 + (-2.0,) * 18
    assert len(chosen(source, salience(source, values), words=30)) == 2
    raised = salience(source, values, weights=replace(PLAIN, floor=0.1))
    assert len(chosen(source, raised, words=12)) == 2
    assert len(chosen(source, raised, words=30)) == 5
    little = salience(source, values, weights=replace(PLAIN, floor=-0.1))
    assert len(chosen(source, little, words=30)) == 2


def test_a_caption_that_repeats_a_sentence_is_no_lead() -> None:
    line = "A clerk was forced to dress up as a bear at work"
    source = analysis(f"[{line}] || [{line} in Hull.] || [He sued the old firm for its jokes.]")
    given = salience(source, (3.0, 1.0, 1.0), weights=replace(PLAIN, first=2.0))
    assert chosen(source, given, words=23) == (1, 2)


def test_furniture_between_two_sentences_does_not_part_them() -> None:
    source = analysis("[Bo Lee won.] || [Lee celebrates] || [But he fell.] | [Rain came.]")
    given = salience(source, (2.0, 2.0, 2.0, -1.0), (0.0, 1.0, 0.0, 0.0))
    assert chosen(source, given, words=6) == (0, 2)
