"""Scores of yes-or-no predictions: ranking, precision and recall, calibration."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEWEST = 10
"""Predictions below which a precision says nothing."""
_TENTHS = 10


def area_under_curve(truths: Flags, scores: Floats) -> float:
    """Return the probability that a true item is scored above a false one; ties count half.

    Without a true or without a false item there is nothing to rank: 0.5.
    """
    n_true = int(truths.sum())
    n_false = len(truths) - n_true
    if not n_true or not n_false:
        return 0.5
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return float((ranks[truths].sum() - n_true * (n_true + 1) / 2) / (n_true * n_false))


def recall_at(truths: Flags, scores: Floats, precision: float) -> float:
    """Return the largest share of true items found by a threshold of at least this precision.

    Thresholds that fewer than ``FEWEST`` items pass are left out.
    """
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(truths[order])
    passed = np.arange(1, len(order) + 1)
    good = (right >= precision * passed) & (passed >= FEWEST)
    return float(right[good].max() / right[-1]) if good.any() and right[-1] else 0.0


@dataclass(frozen=True, slots=True)
class Tenth:
    """Items whose probability is from ``low`` up to the next tenth."""

    low: float
    n_items: int
    mean: float
    """Mean of their probabilities."""
    true_share: float


def calibration(truths: Flags, probabilities: Floats) -> Sequence[Tenth]:
    """Compare probabilities with shares, tenth by tenth; empty tenths are left out."""
    tenths = np.minimum((probabilities * _TENTHS).astype(int), _TENTHS - 1)
    found = []
    for tenth in range(_TENTHS):
        inside = tenths == tenth
        if inside.any():
            means = (float(probabilities[inside].mean()), float(truths[inside].mean()))
            found.append(Tenth(tenth / _TENTHS, int(inside.sum()), *means))
    return found


def brier_score(truths: Flags, probabilities: Floats) -> float:
    """Return the mean squared error of probabilities."""
    return float(((probabilities - truths) ** 2).mean())
