"""Bootstrap intervals, paired tests and agreement of raters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.errors import InvalidValue
from discobert.metrics.statistics import agreement, compare, intervals, sign_flip_p


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


def p(*differences: float) -> float:
    return sign_flip_p(np.array(differences, dtype=float), seed=1)


def test_few_documents_prove_little() -> None:
    assert p(2) == 1.0
    assert p(1, 2, 1, 1, 3) == 2 / 32
    assert p(1, -1, 1, -1) == 1.0
    assert p(0, 0, 0) == 1.0


def test_rounding_does_not_hide_ties() -> None:
    assert p(0.1, 0.2, 0.3) == 2 / 8
    assert p(1 / 3, 1 / 3, -2 / 3) == 1.0


def test_many_documents_are_sampled() -> None:
    same_way = np.full(40, 0.5)
    assert sign_flip_p(same_way, seed=1, n_flips=999) == 1 / 1000
    both_ways = np.tile([1.0, -1.0], 20)
    assert sign_flip_p(both_ways, seed=1) == 1.0


def test_sampling_is_near_the_exact_figure() -> None:
    few = np.array([1, 2, 1, -1, 0, 1, 1, -1, 1, 0, 2, 1], dtype=float)
    more = np.append(few, 0.0)  # a tie changes nothing but the way
    assert sign_flip_p(more, seed=3) == pytest.approx(sign_flip_p(few, seed=3), abs=0.01)


def test_the_seed_fixes_the_figure() -> None:
    values = np.linspace(-1, 1.2, 30)
    assert sign_flip_p(values, seed=7) == sign_flip_p(values, seed=7)


@pytest.mark.parametrize(("shape", "n_flips"), [((0,), 9), ((2, 2), 9), ((3,), 0)])
def test_what_is_no_row_of_differences_is_refused(shape: tuple[int, ...], n_flips: int) -> None:
    with pytest.raises(InvalidValue, match="need a row of differences"):
        sign_flip_p(np.zeros(shape), seed=1, n_flips=n_flips)


# The example of K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), part C:
# four raters, twelve things, some left out; alpha for ordinal data is 0.815.
RATERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


def test_alpha_is_the_published_one() -> None:
    columns = zip(*(row.split() for row in RATERS), strict=True)
    found = agreement([[int(value) for value in column if value != "."] for column in columns])
    assert found is not None
    assert found.alpha == pytest.approx(0.815, abs=5e-4)


def test_full_agreement_is_one() -> None:
    found = agreement([[1, 1], [3, 3, 3], [5, 5]])
    assert found is not None
    assert (found.alpha, found.same, found.within_one, found.n_pairs) == (1.0, 1.0, 1.0, 5)


def test_shares_count_pairs() -> None:
    found = agreement([[1, 2], [1, 3], [4, 4], [2]])
    assert found is not None
    assert (found.same, found.within_one) == pytest.approx((1 / 3, 2 / 3))
    assert found.n_pairs == 3


def test_items_rated_once_are_left_out() -> None:
    assert agreement([[1], [2], []]) is None
    assert agreement([]) is None


def test_without_any_difference_alpha_is_undefined() -> None:
    found = agreement([[3, 3], [3, 3]])
    assert found is not None
    assert found.alpha is None


@given(st.lists(st.lists(st.integers(1, 5), min_size=2, max_size=4), min_size=1, max_size=12))
def test_order_of_raters_and_things_does_not_matter(ratings: list[list[int]]) -> None:
    found = agreement(ratings)
    turned = agreement([values[::-1] for values in ratings[::-1]])
    assert found is not None
    assert turned is not None
    assert (found.same, found.n_pairs) == (turned.same, turned.n_pairs)
    assert found.alpha == (None if turned.alpha is None else pytest.approx(turned.alpha))
    assert found.alpha is None or found.alpha <= 1
