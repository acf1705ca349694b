"""Agreement of raters, against published figures and by arithmetic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.metrics.agreement import agreement

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


def test_things_rated_once_tell_nothing() -> None:
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
