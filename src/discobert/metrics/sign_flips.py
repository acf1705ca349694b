"""Whether paired differences are more than chance, by turning their signs."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from discobert.errors import InvalidValue

_EXACT = 12
"""Up to so many differences, every combination of signs is tried."""
_AT_ONCE = 500
_ROUNDING = 1e-9


def sign_flip_p(differences: NDArray[np.float64], *, seed: int, n_flips: int = 10_000) -> float:
    """Return how probable a mean so far from zero is if the two sides were exchangeable.

    Two-sided. Unlike a bootstrap, it claims nothing from a handful of documents: five that all
    point one way give 1/16.
    """
    if differences.ndim != 1 or not differences.size or n_flips < 1:
        raise InvalidValue(
            f"need a row of differences and at least one flip, got {differences.shape}, {n_flips}"
        )
    far = abs(float(differences.sum())) - _ROUNDING
    if differences.size <= _EXACT:
        signs = np.array(list(product((1.0, -1.0), repeat=differences.size)))
        return float((np.abs(signs @ differences) >= far).mean())
    rng = np.random.default_rng(seed)
    as_far = 0
    for start in range(0, n_flips, _AT_ONCE):
        size = (min(_AT_ONCE, n_flips - start), differences.size)
        signs = 2.0 * rng.integers(0, 2, size=size) - 1.0
        as_far += int((np.abs(signs @ differences) >= far).sum())
    return (1 + as_far) / (1 + n_flips)
