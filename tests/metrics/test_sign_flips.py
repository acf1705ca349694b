"""The paired test that turns signs."""

import numpy as np
import pytest

from discobert.errors import InvalidValue
from discobert.metrics.sign_flips import sign_flip_p


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
