"""Batches by length within a budget, in an order that can be repeated."""

import random

from hypothesis import given
from hypothesis import strategies as st

from discobert.train.core.batches import budget_batches, plan

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
    planned = list(plan(lengths, budget=80, epochs=epochs, seed=5))
    assert planned == list(plan(lengths, budget=80, epochs=epochs, seed=5))
    seen = 0
    for batch in planned:
        assert batch.seen == seen < epochs * len(lengths)
        seen += len(batch.documents)
    assert seen >= epochs * len(lengths)


def test_epochs_and_seeds_have_orders_of_their_own() -> None:
    lengths = list(range(1, 40))
    planned = list(plan(lengths, budget=60, epochs=2, seed=5))
    epochs = [[b.documents for b in planned if b.epoch == epoch] for epoch in (0, 1)]
    assert epochs[0] != epochs[1]
    other = list(plan(lengths, budget=60, epochs=1, seed=6))
    assert [batch.documents for batch in other] != epochs[0]
