"""The best one-to-one assignment of rows to columns (the Hungarian method)."""

import numpy as np
from numpy.typing import NDArray


def assign(weights: NDArray[np.float64]) -> tuple[tuple[int, int], ...]:
    """Pair rows with columns, each at most once, so that the sum of the weights is largest.

    Every row of a wide matrix, or every column of a tall one, gets its partner. Rows join one by
    one; each is placed by the cheapest chain of moves of the others (shortest augmenting path with
    potentials), so the work grows with rows x rows x columns.
    """
    if weights.shape[0] > weights.shape[1]:
        return tuple(sorted((row, column) for column, row in assign(weights.T)))
    if not weights.size:
        return ()
    # Row and column 0 are a sentinel: the row that is being placed starts there.
    costs = np.zeros((weights.shape[0] + 1, weights.shape[1] + 1))
    costs[1:, 1:] = weights.max() - weights
    row_of = np.zeros(costs.shape[1], dtype=np.int64)
    potentials = np.zeros(costs.shape[0]), np.zeros(costs.shape[1])
    for row in range(1, costs.shape[0]):
        _place(row, costs, potentials, row_of)
    return tuple(sorted((int(row_of[c]) - 1, c - 1) for c in range(1, len(row_of)) if row_of[c]))


def _place(
    row: int,
    costs: NDArray[np.float64],
    potentials: tuple[NDArray[np.float64], NDArray[np.float64]],
    row_of: NDArray[np.int64],
) -> None:
    """Give the row a column, moving others along the cheapest path to a free one."""
    of_rows, of_columns = potentials
    row_of[0] = row
    distance = np.full(len(row_of), np.inf)
    came_from = np.zeros(len(row_of), dtype=np.int64)
    reached = np.zeros(len(row_of), dtype=bool)
    column = 0
    while row_of[column] or column == 0:
        reached[column] = True
        here = row_of[column]
        detour = costs[here] - of_rows[here] - of_columns
        nearer = ~reached & (detour < distance)
        distance[nearer] = detour[nearer]
        came_from[nearer] = column
        column = int(np.where(reached, np.inf, distance).argmin())
        step = distance[column]
        of_rows[row_of[reached]] += step
        of_columns[reached] -= step
        distance[~reached] -= step
    while column:
        row_of[column] = row_of[came_from[column]]
        column = int(came_from[column])
