"""Statistics of evaluations: bootstrap intervals, paired tests, agreement of raters."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from discobert.errors import InvalidValue

Floats = NDArray[np.float64]

SEED = 2020
"""Of all intervals, so that reports are reproducible."""
RESAMPLES = 1000
"""Bootstrap samples of an interval."""

_CELLS_AT_ONCE = 1 << 20
_MAX_EXACT = 12
"""Largest number of differences for which every combination of signs is tried."""
_FLIPS_AT_ONCE = 500
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the bounds of its confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mean of the paired differences and its two-sided p-value."""

    difference: Interval
    p_value: float


def intervals(
    values: Floats, *, seed: int, resamples: int = RESAMPLES, level: float = 0.95
) -> tuple[Interval, ...]:
    """Return the percentile interval of the mean of each column; a row is a document."""
    _check(values, resamples, level)
    return _percentiles(values, _resampled_means(values, seed, resamples), level)


def compare(
    first: Floats, second: Floats, *, seed: int, resamples: int = RESAMPLES, level: float = 0.95
) -> tuple[Comparison, ...]:
    """Compare two systems on the same documents, column by column.

    The p-value is two-sided: the share of resampled means that lie as far from the mean as the mean
    lies from zero. It cannot be smaller than one over the number of resamples plus one.
    """
    if first.shape != second.shape:
        raise InvalidValue(f"paired values need one shape, got {first.shape} and {second.shape}")
    _check(first, resamples, level)
    differences = first - second
    means = _resampled_means(differences, seed, resamples)
    centre = differences.mean(axis=0)
    # Rounding must not make a constant difference of zero look significant.
    as_far = np.abs(means - centre) >= np.abs(centre) - 1e-12
    p_values = (1 + as_far.sum(axis=0)) / (1 + resamples)
    return tuple(
        Comparison(interval, float(p_value))
        for interval, p_value in zip(_percentiles(differences, means, level), p_values, strict=True)
    )


def _check(values: Floats, resamples: int, level: float) -> None:
    if values.ndim != 2 or values.shape[0] < 1:
        raise InvalidValue(
            f"values need a row per document and a column per figure, got {values.shape}"
        )
    if resamples < 1 or not 0 < level < 1:
        raise InvalidValue(f"need resamples >= 1 and 0 < level < 1, got {resamples} and {level}")


def _resampled_means(values: Floats, seed: int, resamples: int) -> Floats:
    """Return one mean per resample and column, in blocks so that memory stays flat."""
    rng = np.random.default_rng(seed)
    n_rows = values.shape[0]
    at_once = max(1, _CELLS_AT_ONCE // n_rows)
    blocks = []
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start)
        drawn = rng.integers(0, n_rows, size=(size, n_rows))
        drawn += np.arange(size)[:, None] * n_rows
        counts = np.bincount(drawn.ravel(), minlength=size * n_rows).reshape(size, n_rows)
        blocks.append(counts @ values / n_rows)
    return np.concatenate(blocks)


def _percentiles(values: Floats, means: Floats, level: float) -> tuple[Interval, ...]:
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=0)
    columns = zip(values.mean(axis=0), low, high, strict=True)
    return tuple(Interval(*map(float, column)) for column in columns)


def sign_flip_p(differences: Floats, *, seed: int, n_flips: int = 10_000) -> float:
    """Return the two-sided p-value of a paired permutation test, which flips signs at random.

    Unlike a bootstrap, it is not significant for a handful of documents: five differences of one
    sign give 1/16.
    """
    if differences.ndim != 1 or not differences.size or n_flips < 1:
        raise InvalidValue(
            f"need a row of differences and at least one flip, got {differences.shape}, {n_flips}"
        )
    far = abs(float(differences.sum())) - _ROUNDING
    if differences.size <= _MAX_EXACT:
        signs = np.array(list(product((1.0, -1.0), repeat=differences.size)))
        return float((np.abs(signs @ differences) >= far).mean())
    rng = np.random.default_rng(seed)
    as_far = 0
    for start in range(0, n_flips, _FLIPS_AT_ONCE):
        size = (min(_FLIPS_AT_ONCE, n_flips - start), differences.size)
        signs = 2.0 * rng.integers(0, 2, size=size) - 1.0
        as_far += int((np.abs(signs @ differences) >= far).sum())
    return (1 + as_far) / (1 + n_flips)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement over pairs of ratings of one item; no ``alpha`` if all ratings are equal."""

    alpha: float | None
    """Krippendorff's alpha for ordinal data: 1 is full agreement, 0 is chance."""
    same: float
    """Share of pairs with the same rating."""
    within_one: float
    """Share of pairs at most one step apart."""
    n_pairs: int


def agreement(ratings: Sequence[Sequence[int]]) -> Agreement | None:
    """Compare the ratings of each item; nothing if no item was rated twice."""
    shared = [found for found in ratings if len(found) > 1]
    if not shared:
        return None
    scale = sorted({rating for found in shared for rating in found})
    apart, n_pairs = _steps_apart(shared)
    return Agreement(
        alpha=_alpha(_coincidences(shared, scale)),
        same=apart.get(0, 0) / n_pairs,
        within_one=(apart.get(0, 0) + apart.get(1, 0)) / n_pairs,
        n_pairs=n_pairs,
    )


def _steps_apart(ratings: Sequence[Sequence[int]]) -> tuple[dict[int, int], int]:
    counts: dict[int, int] = {}
    for found in ratings:
        for at, one in enumerate(found):
            for other in found[at + 1 :]:
                counts[abs(one - other)] = counts.get(abs(one - other), 0) + 1
    return counts, sum(counts.values())


def _coincidences(ratings: Sequence[Sequence[int]], scale: Sequence[int]) -> Floats:
    """Count pairs of values; an item is weighted by its number of ratings."""
    table = np.zeros((len(scale), len(scale)))
    for found in ratings:
        counts = np.array([found.count(value) for value in scale], dtype=np.float64)
        table += (np.outer(counts, counts) - np.diag(counts)) / (len(found) - 1)
    return table


def _alpha(table: Floats) -> float | None:
    totals = table.sum(axis=0)
    ranks = totals.cumsum() - totals / 2
    distances = (ranks[:, None] - ranks[None, :]) ** 2
    expected = float(totals @ distances @ totals)
    if expected == 0:
        return None
    return 1 - (float(totals.sum()) - 1) * float((table * distances).sum()) / expected
