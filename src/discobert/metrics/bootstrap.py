"""How sure a mean over documents is, and whether two systems differ, by resampling documents."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.errors import InvalidValue

Floats = NDArray[np.float64]

_CELLS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the bounds that hold it at the chosen level."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mean of the paired differences, and how probable one so far from zero is by chance."""

    difference: Interval
    p_value: float


def intervals(
    values: Floats, *, seed: int, resamples: int = 1000, level: float = 0.95
) -> tuple[Interval, ...]:
    """Return the percentile interval of the mean of each column; a row is a document."""
    _check(values, resamples, level)
    return _percentiles(values, _resampled_means(values, seed, resamples), level)


def compare(
    first: Floats, second: Floats, *, seed: int, resamples: int = 1000, level: float = 0.95
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
