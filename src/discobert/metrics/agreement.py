"""How far raters agree on a scale of whole numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Agreement:
    """Pairs of raters on the same thing; ``alpha`` is missing where all said the same number."""

    alpha: float | None
    """Krippendorff's alpha for ordinal data: 1 is full agreement, 0 what chance gives."""
    same: float
    """Share of pairs with the same rating."""
    within_one: float
    """Share of pairs at most one step apart."""
    n_pairs: int


def agreement(ratings: Sequence[Sequence[int]]) -> Agreement | None:
    """Compare the ratings of each thing; nothing if no thing was rated twice."""
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


def _coincidences(ratings: Sequence[Sequence[int]], scale: Sequence[int]) -> NDArray[np.float64]:
    """Count pairs of values; each thing weighs as much as it has ratings."""
    table = np.zeros((len(scale), len(scale)))
    for found in ratings:
        counts = np.array([found.count(value) for value in scale], dtype=np.float64)
        table += (np.outer(counts, counts) - np.diag(counts)) / (len(found) - 1)
    return table


def _alpha(table: NDArray[np.float64]) -> float | None:
    totals = table.sum(axis=0)
    ranks = totals.cumsum() - totals / 2
    distances = (ranks[:, None] - ranks[None, :]) ** 2
    expected = float(totals @ distances @ totals)
    if expected == 0:
        return None
    return 1 - (float(totals.sum()) - 1) * float((table * distances).sum()) / expected
