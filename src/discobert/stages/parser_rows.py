"""The first layer of the parser's state scorer: what each EDU adds to it, a stretch at a time.

The layer is a sum over EDUs in their roles, so each EDU's part is computed once. A book's parts
would fill hundreds of megabytes; those of EDUs that no state can see any more are let go.
N EDUs, S slots, M parsers side by side, D width of an EDU's vector, K hidden width.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from discobert.stages.dense import product
from discobert.stages.tensors import Array, Stored

N_GATHERED = 7
"""Roles of single EDUs; after them come the means over the lower and over the upper span."""
N_MEANS = 2
N_ROLES = N_GATHERED + N_MEANS
STRETCH = 512
"""EDUs computed at once: more than most articles have."""
_ZEROS = 0
"""The slot of an EDU that is absent."""

Doubles = NDArray[np.float64]


class EduRows:
    """Rows of EDUs up to ``end``; the EDU after the last stands for an absent one.

    ``roles`` are (9, M, D, K), ``features`` (F, M K), ``edus`` (N, M D): parser after parser.
    """

    def __init__(self, roles: Stored, features: Array, edus: Array) -> None:
        self._roles = roles
        self._features = features
        self._edus = edus
        self.end = 0
        """EDUs before it are loaded, unless they were let go."""
        self._slots = np.full(len(edus) + 1, _ZEROS)
        width = features.shape[1]
        self._gathered = np.zeros((N_GATHERED, 1, width), dtype=np.float32)
        self._table: Array = np.zeros((0, width), dtype=np.float32)
        # Double precision: the sums of long documents would lose what single spans differ by.
        self._sums: Doubles = np.zeros((N_MEANS, 1, width))
        self._total: Doubles = np.zeros((N_MEANS, 1, width))

    def load(self, kept: Iterable[int], reached: int) -> None:
        """Let go of all EDUs but some, and compute a stretch from where loading ended."""
        n_edus = len(self._edus)
        held = np.array(sorted(kept), dtype=np.int64)
        old = np.concatenate([[_ZEROS], self._slots[held]])
        new = np.arange(self.end, min(reached + STRETCH, n_edus + 1))
        gathered, sums = self._computed(self.end, min(int(new[-1]) + 1, n_edus), len(new))
        self._slots[:n_edus] = _ZEROS
        self._slots[np.concatenate([held, new])] = np.arange(1, 1 + len(held) + len(new))
        self._gathered = np.concatenate([self._gathered[:, old], gathered], 1)
        self._sums = np.concatenate([self._sums[:, old], sums], 1)
        rows = self._gathered.reshape(-1, gathered.shape[2])
        self._table = np.concatenate([rows, self._features])
        self._gathered = self._table[: len(rows)].reshape(self._gathered.shape)
        self.end = int(new[-1]) + 1

    def _computed(self, first: int, end: int, n_rows: int) -> tuple[Array, Doubles]:
        """Return rows (7, S, M K) by role, and the sums (2, S, M K) of all EDUs before each."""
        width = self._features.shape[1]
        gathered = np.zeros((N_GATHERED, n_rows, width), dtype=np.float32)
        for role, rows in zip(self._roles, gathered, strict=False):
            rows[: end - first] = self._product(first, end, role)
        sums: Doubles = np.empty((N_MEANS, 1 + end - first, width))
        sums[:, :1] = self._total
        for role, rows in zip(self._roles[N_GATHERED:], sums, strict=True):
            rows[1:] = self._product(first, end, role)
        for place in range(end - first):  # row by row: cumsum takes many times as long over them
            sums[:, place + 1] += sums[:, place]
        self._total = sums[:, -1:].copy()
        return gathered, sums[:, :n_rows]

    def _product(self, first: int, end: int, role: Stored) -> Array:
        """Map EDUs, never one alone if there are more: its last bits would be others."""
        before = 1 if end - first == 1 and first else 0
        by_parser = np.split(self._edus[first - before : end], len(role), 1)
        parts = [product(edus, matrix) for edus, matrix in zip(by_parser, role, strict=True)]
        return np.concatenate(parts, 1)[before:]

    def gather(self, edus: NDArray[np.int64], classes: NDArray[np.int64]) -> Array:
        """Add up the rows of EDUs in their roles (T, 7) and of classes of features (T, F)."""
        n_slots = self._gathered.shape[1]
        rows = self._slots[edus] + np.arange(N_GATHERED) * n_slots
        indices = np.concatenate([rows, classes + N_GATHERED * n_slots], 1)
        hidden: Array = self._table[indices].sum(1)
        return hidden

    def means(self, which: int, spans: NDArray[np.int64]) -> Doubles:
        """Average over spans (T, 3) of start, end and divisor, for the lower or the upper span."""
        sums = self._sums[which]
        slots = self._slots[spans[:, :2]]
        averages: Doubles = (sums[slots[:, 1]] - sums[slots[:, 0]]) / spans[:, 2:]
        return averages
