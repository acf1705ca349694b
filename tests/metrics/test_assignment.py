import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discobert.metrics.coreference import assign


def best_by_trial(weights: NDArray[np.float64]) -> float:
    if weights.shape[0] > weights.shape[1]:
        weights = weights.T
    rows = range(weights.shape[0])
    orders = permutations(range(weights.shape[1]), len(rows))
    return float(max(sum(weights[i, order[i]] for i in rows) for order in orders))


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_is_paired_with_nothing(shape: tuple[int, int]) -> None:
    assert assign(np.zeros(shape)) == ()


def test_greedy_choice_is_revised() -> None:
    assert assign(np.array([[0.9, 0.8], [0.7, 0.0]])) == ((0, 1), (1, 0))


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.randoms(use_true_random=False))
def test_sum_equals_the_best_of_all_orders(rows: int, columns: int, rng: random.Random) -> None:
    weights = np.array([[rng.randrange(6) / 5 for _ in range(columns)] for _ in range(rows)])
    pairs = assign(weights)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert len(pairs) == min(rows, columns)
    assert sum(weights[pair] for pair in pairs) == pytest.approx(best_by_trial(weights))


@pytest.mark.timeout(30)
def test_three_hundred_clusters_are_paired() -> None:
    weights = np.random.default_rng(0).random((300, 280))
    assert len(assign(weights)) == 280
