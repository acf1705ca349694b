"""Batches by length within a budget, in an order that can be repeated."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.errors import ConfigError
from discobert.train.core.batches import BudgetPlan, FixedSizePlan, budget_batches

LENGTHS = st.lists(st.integers(1, 50), min_size=1, max_size=60)


@given(LENGTHS, st.integers(1, 200))
def test_every_document_comes_once_within_the_budget(lengths: list[int], budget: int) -> None:
    batches = budget_batches(lengths, budget=budget, rng=random.Random(1))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        padded = len(batch) * max(lengths[index] for index in batch)
        assert padded <= budget or len(batch) == 1


def test_similar_lengths_meet() -> None:
    lengths = [2] * 40 + [50] * 40
    batches = budget_batches(lengths, budget=100, rng=random.Random(1))
    mixed = [batch for batch in batches if len({lengths[index] for index in batch}) > 1]
    assert len(mixed) <= 1


@given(LENGTHS, st.floats(0.1, 3))
def test_a_plan_is_repeatable_and_counts_what_was_seen(lengths: list[int], epochs: float) -> None:
    plan = BudgetPlan(lengths, budget=80, epochs=epochs, seed=5)
    planned = list(plan)
    assert planned == list(plan)
    assert plan.n_documents == round(epochs * len(lengths))
    seen = 0
    for batch in planned:
        assert batch.seen == seen < epochs * len(lengths)
        seen += len(batch.documents)
    assert seen >= epochs * len(lengths)


def test_epochs_and_seeds_have_orders_of_their_own() -> None:
    lengths = list(range(1, 40))
    planned = list(BudgetPlan(lengths, budget=60, epochs=2, seed=5))
    epochs = [[b.documents for b in planned if b.epoch == epoch] for epoch in (0, 1)]
    assert epochs[0] != epochs[1]
    other = list(BudgetPlan(lengths, budget=60, epochs=1, seed=6))
    assert [batch.documents for batch in other] != epochs[0]


def test_batches_of_one_size_take_every_document_once_an_epoch() -> None:
    plan = FixedSizePlan([False] * 6, 1.0, size=4, epochs=2.0, seed=5)
    planned = list(plan)
    assert planned == list(plan)
    assert [batch.seen for batch in planned] == [0, 4, 8]
    assert plan.n_documents == 12
    order = [document for batch in planned for document in batch.documents]
    assert sorted(order[:6]) == sorted(order[6:]) == list(range(6))
    assert [batch.epoch for batch in planned] == [0, 1, 1]


def test_optional_documents_are_left_out_of_some_epochs() -> None:
    plan = FixedSizePlan([False] * 10 + [True] * 10, 0.3, size=1, epochs=40.0, seed=5)
    taken = Counter(document for batch in plan for document in batch.documents)
    always, sometimes = (sum(taken[n] for n in span) for span in (range(10), range(10, 20)))
    assert sometimes / always == pytest.approx(0.3, abs=0.05)


def test_a_plan_without_documents_to_take_is_refused() -> None:
    with pytest.raises(ConfigError, match="no document is left"):
        FixedSizePlan([True, True], 0.0, size=1, epochs=1.0, seed=5)
    with pytest.raises(ConfigError, match="budget must be above 0"):
        BudgetPlan([3], budget=0, epochs=1.0, seed=5)
