"""Selections that bring the antecedents of their references."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysis
from tests.selection.selection_cases import BARE, BUDGETS, length, solve
from tests.strategies import analyses

from discobert.data.markup import Markup
from discobert.data.summary import Analysis, Scores
from discobert.discourse.dependencies import enforced_dependencies, violations
from discobert.discourse.references import References
from discobert.selection.antecedents import WithAntecedents, dangling_warnings
from discobert.selection.budget import NO_BUDGET, Budget
from discobert.selection.build import Decoding
from discobert.selection.paper.greedy import Greedy
from discobert.selection.problem import Search
from discobert.selection.request import ReferencePolicy, SummaryRequest
from discobert.selection.select import Solution

GREEDY = Greedy()
SHOP = analysis(
    "[Anna Smith opened a shop.] | [It rained all day long.] | [She sold it.] | [Trade was slow.]",
    None,
    ("Anna Smith", "She"),
    ("a shop", "it"),
)


def chosen(
    found: Analysis,
    scores: tuple[float, ...],
    budget: Budget,
    search: Search = GREEDY,
    request: SummaryRequest = BARE,
    tolerance: float = 1.0,
) -> Solution:
    edges = enforced_dependencies(found.document, found.rst)
    decoding = Decoding(search=WithAntecedents(search, tolerance), budget=budget)
    return solve(
        found.document, Scores(scores), edges, decoding, request=request, clusters=found.coref
    )


def as_requested(
    request: SummaryRequest,
    scores: tuple[float, ...] = (0.1, 0.8, 0.9, 0.2),
) -> Solution:
    """Solve the shop's problem with what the request makes of a greedy search."""
    decoding = Decoding(budget=Budget(words=8))
    return solve(SHOP.document, Scores(scores), (), decoding, request=request, clusters=SHOP.coref)


def test_the_antecedent_comes_along_if_it_fits() -> None:
    solution = chosen(SHOP, (0.1, 0.8, 0.9, 0.2), Budget(words=8))
    assert solution.selection.edus == (0, 2)
    assert solution.selection.reasons == ("needed by 2", "score")


def test_a_unit_whose_antecedent_does_not_fit_goes() -> None:
    assert chosen(SHOP, (0.1, 0.8, 0.9, 0.2), Budget(words=6)).selection.edus == (1,)
    assert chosen(SHOP, (0.1, 0.8, 0.9, 0.2), Budget(edus=1)).selection.edus == (1,)


def test_if_nothing_else_fits_it_stays() -> None:
    assert chosen(SHOP, (0.1, 0.8, 0.9, 0.2), Budget(words=3)).selection.edus == (3,)
    assert chosen(SHOP, (0.1, 0.8, 0.9, 0.2), Budget(chars=13)).selection.edus == (2,)


@pytest.mark.parametrize(("tolerance", "expected"), [(0.05, (1, 2)), (0.6, (0, 2))])
def test_what_costs_too_much_stays(tolerance: float, expected: tuple[int, ...]) -> None:
    scores, budget = (0.1, 0.8, 0.9, 0.2), Budget(words=8)
    assert chosen(SHOP, scores, budget, tolerance=tolerance).selection.edus == expected


def test_what_is_cheap_is_settled_though_the_rest_stays() -> None:
    found = analysis(
        "[Al Ray won.] | [It rained all day and night.] | [He sang.] | [Bo Day met Cy at noon.] | "
        "[It snowed a lot.] | [She left.]",
        None,
        ("Al Ray", "He"),
        ("Bo Day", "She"),
    )
    scores = (0.79, 0.1, 0.8, 0.01, 0.8, 0.81)
    solution = chosen(found, scores, Budget(words=12), tolerance=0.2)
    assert solution.selection.edus == (0, 2, 4, 5)


@pytest.mark.parametrize("policy", [ReferencePolicy.KEEP, ReferencePolicy.RESOLVE])
def test_other_policies_leave_the_choice_alone(policy: ReferencePolicy) -> None:
    request = replace(BARE, references=policy)
    assert as_requested(request).selection.edus == (1, 2)


@pytest.mark.parametrize(("antecedent", "expected"), [(0.1, (1, 2)), (0.79, (0, 2))])
def test_a_request_to_repair_has_the_usual_tolerance(
    antecedent: float, expected: tuple[int, ...]
) -> None:
    request = replace(BARE, references=ReferencePolicy.REPAIR)
    assert as_requested(request, (antecedent, 0.8, 0.9, 0.2)).selection.edus == expected


def test_without_a_bound_the_choice_hardly_grows() -> None:
    greedy = Greedy(max_steps=2)
    assert chosen(SHOP, (0.1, 0.8, 0.9, 0.2), NO_BUDGET, greedy).selection.edus == (0, 2)
    assert chosen(SHOP, (0.1, 0.8, 0.9, 0.2), NO_BUDGET, Greedy(max_steps=1)).selection.edus == (3,)


def test_a_wanted_lead_stays_though_its_references_dangle() -> None:
    found = analysis("[Al Ray] | [He won a lot of games.] | [It rained.]", None, ("Al Ray", "He"))
    request = replace(BARE, keep_lead=True)
    assert chosen(found, (0.1, 0.1, 0.9), Budget(edus=1), request=request).selection.edus == (1,)
    assert chosen(found, (0.1, 0.1, 0.9), Budget(words=6), request=request).selection.edus == (1,)


def test_a_quotation_that_nobody_speaks_goes() -> None:
    found = analysis("[It rained.] | ['So bad.'] | ['Too bad.'] | [Bo left.]")
    assert chosen(found, (0.1, 0.1, 0.9, 0.2), Budget(words=2)).selection.edus == (3,)


def test_antecedents_may_need_antecedents() -> None:
    found = analysis(
        "[Al Ray won.] | [It rained.] | [He met Bo Day.] | [It snowed.] | [She sang.]",
        None,
        ("Al Ray", "He"),
        ("Bo Day", "She"),
    )
    assert chosen(found, (0.1, 0.2, 0.3, 0.4, 0.9), Budget(words=9)).selection.edus == (0, 2, 4)


def test_warnings_tell_what_dangles_and_where_it_is_explained() -> None:
    references = References(SHOP.document, SHOP.coref)
    warnings = dangling_warnings(SHOP.document, references.dangling([2]))
    assert [(found.code, found.unit) for found in warnings] == [("dangling-reference", 2)] * 2
    assert warnings[0].message == "“She” (line 1): the summary does not say who that is"
    apart = replace(SHOP.document, text=SHOP.document.text.replace(" She", "\nShe"))
    (first, _) = dangling_warnings(apart, References(apart, SHOP.coref).dangling([2]))
    assert first.message == "“She” (line 2): the summary does not say who that is; line 1 does"
    quote = analysis("[It rained.] | ['So bad,' no?] | ['Too bad.']")
    (found,) = dangling_warnings(quote.document, References(quote.document, ()).dangling([2]))
    assert found.message == "“'Too bad.'” (line 1): the summary does not say who speaks"
    long = analysis("[It rained.] || [“Too bad for all of us here today,” no?] | [“So bad.”]")
    (found,) = dangling_warnings(long.document, References(long.document, ()).dangling([1]))
    assert found.message.startswith("“Too bad for all of us …” (line 2): ")


def test_warnings_of_extracted_text_name_the_sentence() -> None:
    read = replace(SHOP.document, markup=Markup("pdf"))
    warnings = dangling_warnings(read, References(read, SHOP.coref).dangling([2]))
    assert [found.message for found in warnings] == [
        "“She” in “She sold it.”: the summary does not say who that is",
        "“it” in “She sold it.”: the summary does not say what that is",
    ]
    quote = analysis("[It rained.] | ['So bad,' no?] | ['Too bad.']")
    read = replace(quote.document, markup=Markup("pdf"))
    (found,) = dangling_warnings(read, References(read, ()).dangling([2]))
    assert found.message == "“'Too bad.'”: the summary does not say who speaks"


def test_pronoun_after_its_neighbour_is_understood_whatever_the_clusters_say() -> None:
    found = analysis(
        "[Anna Smith opened a shop.] | [Her child Gloria came along.] | [She sold tea.]",
        None,
        ("Anna Smith", "She"),
    )
    references = References(found.document, found.coref)
    assert not dangling_warnings(found.document, references.dangling([1, 2]), [1, 2])
    again = analysis(
        "[Anna Smith ran a shop.] | [It rained.] | [She slept.]", None, ("Anna Smith", "She")
    )
    dangling = References(again.document, again.coref).dangling([1, 2])
    assert len(dangling_warnings(again.document, dangling, [1, 2])) == 1


def test_pronoun_whose_own_sentence_was_cut_is_warned_of() -> None:
    found = analysis(
        "[The man came.] | [“No,”] [said the woman,] [who kept her book.]",
        None,
        ("the woman", "her"),
    )
    dangling = References(found.document, found.coref).dangling([0, 1, 3])
    assert len(dangling_warnings(found.document, dangling, [0, 1, 3])) == 1


def test_pronoun_that_its_own_sentence_explains_is_understood() -> None:
    found = analysis(
        "[The app is old.] | [Run it.] | [If this is a new app, wait.]", None, ("The app", "this")
    )
    dangling = References(found.document, found.coref).dangling([2])
    assert dangling
    assert not dangling_warnings(found.document, dangling, [2])


@given(analyses(), BUDGETS, st.just(Greedy()), st.data())
def test_bounds_and_dependencies_hold(
    found: Analysis, budget: Budget, search: Search, data: st.DataObject
) -> None:
    n_edus = len(found.document.edus)
    values = data.draw(st.lists(st.floats(0, 1), min_size=n_edus, max_size=n_edus))
    solution = chosen(found, tuple(values), budget, search)
    edus = solution.selection.edus
    at_most = budget.limit(found.document).at_most
    assert at_most is not None
    over = [warning.code for warning in solution.warnings if warning.code == "over-budget"]
    assert edus
    assert over or length(found.document, edus, budget) <= at_most
    assert violations(edus, enforced_dependencies(found.document, found.rst)) == 0


def test_a_long_chain_of_antecedents_is_given_up() -> None:
    names = ["Al Ray", "Bo Day", "Cy Fox", "Di Gay", "Ed Hay", "Fi Jay"]
    markup = f"[{names[0]} won.]" + "".join(
        f" | [It is so.] | [And she met {n}.]" for n in names[1:]
    )
    pairs = [("Al Ray", "she"), *((name, "she") for name in names[1:5])]
    found = analysis(f"{markup} | [It is so.] | [And she sang.]", None, *pairs, ("Fi Jay", "she"))
    n_edus = len(found.document.edus)
    scores = (*(0.1,) * (n_edus - 1), 0.9)
    chosen_edus = chosen(found, scores, Budget(words=30)).selection.edus
    assert chosen_edus
