import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doc
from tests.logic.selection_cases import BUDGETS, Case, best_value, cases, length

from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.summary import Scores
from discobert.errors import UsageError
from discobert.logic.budget import Budget
from discobert.logic.optimal import Optimal
from discobert.logic.redundancy import Blocking, OverlapPenalty
from discobert.logic.repair_sets import DEFAULT, NONE, WITHOUT_DATELINES
from discobert.logic.repairs import Repairs
from discobert.logic.select import SelectionOptions, select, selection_task
from discobert.logic.wishes import Wishes


def value(case: Case, options: SelectionOptions) -> float:
    document, edges, scores = case
    edus = select(document, scores, edges, options).selection.edus
    return sum(scores.values[edu] for edu in edus)


def plain(case: Case) -> Case:
    """Take away what may tie sentences together: quotation marks and connectives."""
    document, edges, scores = case
    text = document.text.replace('"', "x").replace("'", "x")
    text = re.sub(r"\b[Bb]ut\b", "xxx", text)
    same = Document(document.id, text, document.sentences, document.edus, document.paragraphs)
    return same, edges, scores


@settings(max_examples=60, deadline=None)
@given(cases(max_sentences=3).map(plain), BUDGETS)
def test_the_total_score_equals_brute_force_on_realised_text(case: Case, budget: Budget) -> None:
    document = case[0]
    everything = tuple(range(len(document.edus)))
    at_most = budget.limit(document).at_most
    best = best_value(case, budget)
    if best is None or (at_most is not None and length(document, everything, budget) <= at_most):
        return
    options = SelectionOptions(method=Optimal(fill=False), budget=budget)
    assert value(case, options) == pytest.approx(best)


@settings(max_examples=25, deadline=None)
@given(cases(max_sentences=2, max_edus=5), st.integers(1, 7))
def test_long_sentences_equal_brute_force_where_costs_add_up(case: Case, n_edus: int) -> None:
    document, edges, scores = case
    trees = tuple(
        edge for edge in edges if edge.dependent > edge.head and edge.dependent % 2
    )  # one head each
    heads = {edge.dependent: edge for edge in trees}
    forest = document, tuple(heads.values()), scores
    budget = Budget(edus=n_edus)
    best = best_value(forest, budget, NONE)
    if best is None or best <= 0 or n_edus >= len(document.edus):
        return
    method = Optimal(fill=False, max_sets=1)
    options = SelectionOptions(method=method, budget=budget, repairs=NONE)
    assert value(forest, options) == pytest.approx(best)


def test_fifteen_edus_in_one_sentence_equal_brute_force() -> None:
    rng = random.Random(7)
    document = doc(" ".join(f"[{' '.join(['word'] * rng.randint(1, 6))}]" for _ in range(15)))
    scores = Scores(tuple(round(rng.uniform(-0.3, 1.0), 2) for _ in range(15)))
    edges = (*(Edge(edu, edu // 2) for edu in range(1, 15)), Edge(0, 1), Edge(5, 11))
    case = document, edges, scores
    for n_words in (9, 17, 30):
        budget = Budget(words=n_words)
        options = SelectionOptions(method=Optimal(fill=False), budget=budget, repairs=NONE)
        assert value(case, options) == pytest.approx(best_value(case, budget, NONE))


def test_without_a_bound_all_that_adds_score_is_taken() -> None:
    document = doc("[One] [two] [three.] | [Four] [five.] | [Six.]")
    scores = Scores((-1.0, 2.0, -3.0, 1.0, -4.0, -1.0))
    edges = (Edge(1, 0), Edge(3, 4))
    for method in (Optimal(), Optimal(max_sets=1)):
        choice = select(document, scores, edges, SelectionOptions(method=method))
        assert choice.selection.edus == (0, 1)
        assert choice.selection.reasons == ("needed by 1", "score")


def test_something_is_taken_even_if_all_scores_are_negative() -> None:
    document = doc("[One] [two] [three.] | [Four] [five] [six seven.]")
    scores = Scores((-5.0, 2.4, 2.5, -1.0, -1.0, -0.5))
    edges = (Edge(1, 0), Edge(2, 0), Edge(5, 4))
    options = SelectionOptions(method=Optimal(fill=False), budget=Budget(words=5))
    assert select(document, scores, edges, options).selection.edus == (0, 1, 2)
    options = SelectionOptions(method=Optimal(fill=False), budget=Budget(words=2))
    assert select(document, scores, edges, options).selection.edus == (3,)


def test_a_limit_that_rounds_to_nothing_gives_one_unit() -> None:
    document = doc("[One two] [three.] | [Four five.]")
    options = SelectionOptions(method=Optimal(), budget=Budget(ratio=0.1))
    choice = select(document, Scores((0.1, 0.9, 0.3)), (), options)
    assert choice.selection.edus == (1,)
    assert [warning.code for warning in choice.warnings] == ["over-budget"]


def test_what_is_left_of_the_limit_is_filled_unless_forbidden() -> None:
    document = doc("[One two.] | [Three four.] | [Five.]")
    scores = Scores((1.0, -1.0, -0.5))
    for fill, expected in ((True, (0, 2)), (False, (0,))):
        options = SelectionOptions(method=Optimal(fill=fill), budget=Budget(words=3))
        assert select(document, scores, (), options).selection.edus == expected


def test_nothing_is_left_free_for_what_may_not_be_chosen() -> None:
    document = doc('["It rained all day."] | [Nobody left.] | [The bridge is closed.] | [It sank.]')
    options = SelectionOptions(
        method=Optimal(fill=False), budget=Budget(words=6), wishes=Wishes(exclude_quotes=True)
    )
    choice = select(document, Scores((9.0, 0.4, 1.0, 0.6)), (), options)
    assert choice.selection.edus == (2, 3)


@pytest.mark.parametrize("repairs", [DEFAULT, WITHOUT_DATELINES])
@pytest.mark.parametrize("budget", [Budget(words=40), Budget(chars=200)])
def test_few_lines_are_written_out_if_their_lengths_are_bounded(
    budget: Budget, repairs: Repairs
) -> None:
    document, edges, scores = long_document(60, random.Random(2))
    task = selection_task(document, scores, edges, SelectionOptions(budget=budget, repairs=repairs))
    Optimal().choose(task)
    n_sets = sum(2 ** (len(edus) - 1) for edus in document.edus_by_sentence())
    assert (len(task.costs) < n_sets / 3) is (repairs is DEFAULT)


STORM = doc(
    "[The storm hit the coast.] | [The storm hit the coast on Monday.] | [Two people died.] | "
    "[More rain is expected.]"
)


def test_a_repeat_gives_way_to_the_next_best_choice() -> None:
    scores = Scores((0.9, 0.8, 0.5, 0.1))
    for redundancy in (Blocking(), OverlapPenalty(weight=1.0)):
        options = SelectionOptions(
            method=Optimal(), budget=Budget(sentences=2), redundancy=redundancy
        )
        assert select(STORM, scores, (), options).selection.edus == (0, 2)


def test_equals_go_to_the_earlier_edu() -> None:
    for budget in (Budget(edus=2), Budget(sentences=2), Budget(words=12)):
        options = SelectionOptions(method=Optimal(), budget=budget)
        assert select(STORM, Scores((0.5,) * 4), (), options).selection.edus[:1] == (0,)


def long_document(
    n_sentences: int, rng: random.Random
) -> tuple[Document, tuple[Edge, ...], Scores]:
    words = ["rain", "fell,", "men", "left", "home", "and", "the", "sun", "rose"]
    sentences = []
    for _ in range(n_sentences):
        edus = (" ".join(rng.choices(words, k=rng.randint(3, 9))) for _ in range(rng.randint(1, 4)))
        sentences.append(" ".join(f"[{edu}]" for edu in edus))
    document = doc(" | ".join(sentences))
    edges = tuple(Edge(edu, edus.start) for edus in document.edus_by_sentence() for edu in edus[1:])
    return document, edges, Scores(tuple(rng.random() for _ in document.edus))


@pytest.mark.parametrize(
    "budget",
    [Budget(words=60), Budget(ratio=0.3), Budget(chars=900), Budget(edus=99), Budget(sentences=30)],
)
def test_a_long_document_is_solved_nearly_as_well_by_price(budget: Budget) -> None:
    case = long_document(400, random.Random(3))
    exact = SelectionOptions(method=Optimal(), budget=budget)
    priced = SelectionOptions(method=Optimal(max_options=1), budget=budget)
    assert value(case, priced) >= 0.999 * value(case, exact)
    edus = select(case[0], case[2], case[1], priced).selection.edus
    assert length(case[0], edus, budget, DEFAULT) <= (budget.limit(case[0]).at_most or 0)


def test_a_sentence_of_a_thousand_edus_is_solved() -> None:
    rng = random.Random(5)
    document = doc(" ".join(f"[item {edu}, of {rng.randint(1, 99)} things]" for edu in range(1000)))
    edges = tuple(Edge(edu, edu - 1) for edu in range(1, 1000) if edu % 4)
    scores = Scores(tuple(rng.random() for _ in range(1000)))
    for budget in (Budget(words=60), Budget(ratio=0.5), Budget(chars=20_000)):
        options = SelectionOptions(method=Optimal(), budget=budget)
        edus = select(document, scores, edges, options).selection.edus
        at_most = budget.limit(document).at_most or 0
        assert 0.8 * at_most < length(document, edus, budget) <= at_most


@pytest.mark.parametrize("name", ["max_sets", "max_options", "max_rounds"])
def test_settings_below_one_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} must be at least 1, got 0"):
        Optimal(**{name: 0})  # type: ignore[arg-type]


def test_repeats_are_refused_even_if_no_round_is_left_to_replace_them() -> None:
    options = SelectionOptions(
        method=Optimal(max_rounds=1, fill=False),
        budget=Budget(sentences=2),
        redundancy=Blocking(),
    )
    assert select(STORM, Scores((0.9, 0.8, 0.5, 0.1)), (), options).selection.edus == (0,)
