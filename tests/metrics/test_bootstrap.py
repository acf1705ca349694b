"""Intervals and paired tests by resampling documents."""

import numpy as np
import pytest

from discobert.errors import InvalidValue
from discobert.metrics.bootstrap import compare, intervals


def normal(seed: int, *, mean: float, size: int = 400, columns: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(mean, 10.0, (size, columns))


def test_an_interval_is_about_two_standard_errors_to_each_side() -> None:
    values = normal(0, mean=40.0, size=1000)
    (interval,) = intervals(values, seed=1)
    error = 1.96 * values.std() / 1000**0.5
    assert interval.mean == pytest.approx(values.mean())
    assert interval.low == pytest.approx(values.mean() - error, abs=0.1)
    assert interval.high == pytest.approx(values.mean() + error, abs=0.1)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    held = [
        low.low <= 5.0 < low.high
        for low in (intervals(normal(seed, mean=5.0), seed=seed)[0] for seed in range(100))
    ]
    assert 88 <= sum(held) < 100


def test_a_seed_fixes_the_result() -> None:
    values = normal(0, mean=40.0, columns=3)
    assert intervals(values, seed=3) == intervals(values, seed=3)
    assert intervals(values, seed=3) != intervals(values, seed=4)


def test_more_documents_than_fit_one_block_are_resampled_too() -> None:
    values = np.arange(1_200_000, dtype=np.float64)[:, None]
    (interval,) = intervals(values, seed=0, resamples=3)
    assert interval.low == pytest.approx(interval.mean, rel=0.01)


def test_one_document_has_no_spread() -> None:
    (interval,) = intervals(np.array([[42.0]]), seed=0)
    assert (interval.low, interval.mean, interval.high) == (42.0, 42.0, 42.0)


def test_a_small_steady_difference_is_significant_though_the_systems_overlap() -> None:
    first = normal(0, mean=40.0)
    second = first + np.random.default_rng(1).normal(0.5, 1.0, first.shape)
    (comparison,) = compare(second, first, seed=0)
    assert comparison.p_value == pytest.approx(1 / 1001)
    assert comparison.difference.low > 0


def test_equal_systems_do_not_differ() -> None:
    values = normal(0, mean=40.0)
    (same,) = compare(values, values, seed=0)
    (noise,) = compare(values, values + normal(2, mean=0.0), seed=0)
    assert same.p_value == 1.0
    assert noise.p_value > 0.05


@pytest.mark.parametrize("shape", [(0, 3), (5,)])
def test_values_must_be_a_table_of_documents(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidValue, match="row per document"):
        intervals(np.zeros(shape), seed=0)


@pytest.mark.parametrize(("resamples", "level"), [(0, 0.95), (10, 0.0), (10, 1.0)])
def test_options_out_of_range_are_refused(resamples: int, level: float) -> None:
    with pytest.raises(InvalidValue, match="resamples >= 1"):
        intervals(np.zeros((4, 1)), seed=0, resamples=resamples, level=level)


def test_a_comparison_needs_the_same_documents() -> None:
    with pytest.raises(InvalidValue, match="one shape"):
        compare(np.zeros((4, 1)), np.zeros((5, 1)), seed=0)
