"""The first layer of the parser's state scorer: what each EDU adds to it, a stretch at a time.

The layer is a sum over EDUs in their roles, so each EDU's part is computed once. A book's parts
would fill hundreds of megabytes; those of EDUs that no state can see any more are let go.
N EDUs, S slots, M parsers side by side, D width of an EDU's vector, K hidden width.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from discobert.stages.dense import product_across
from discobert.stages.tensors import Array, Stored

ROLES_OF_SPAN = 3
"""First, last and head EDU: first those of the lower span, then those of the upper one."""
NEXT_ROLE = 6
"""The next EDU; after it come the means over the lower and over the upper span."""
N_GATHERED, N_MEANS = 7, 2
N_ROLES = N_GATHERED + N_MEANS
STRETCH = 512
"""EDUs computed at once: more than most articles have."""
_ZEROS = 0
"""The slot of an EDU that is absent."""

Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]


class EduRows:
    """Rows of EDUs up to ``end``; the EDU after the last stands for an absent one.

    ``roles`` are (M, 9 K, D), ``edus`` (N, M D): parser after parser.
    """

    def __init__(self, roles: Stored, edus: Array) -> None:
        self._roles = roles
        self._edus = edus
        self.end = 0
        """EDUs before it are loaded, unless they were let go."""
        self.width = roles.shape[0] * roles.shape[1] // N_ROLES
        self._slots = np.full(len(edus) + 1, _ZEROS)
        self._rows: Array = np.zeros((N_GATHERED, 1, self.width), dtype=np.float32)
        # Double precision: the sums of long documents would lose what single spans differ by.
        self._sums: Doubles = np.zeros((N_MEANS, 1, self.width))
        self._total: Doubles = np.zeros((N_MEANS, 1, self.width))

    def load(self, kept: Iterable[int], reached: int) -> None:
        """Let go of all EDUs but some, and compute a stretch from where loading ended."""
        n_edus = len(self._edus)
        held = np.array(sorted(kept), dtype=np.int64)
        old = np.concatenate([[_ZEROS], self._slots[held]])
        new = np.arange(self.end, min(reached + STRETCH, n_edus + 1))
        n_slots = len(old) + len(new)
        rows = np.zeros((N_GATHERED, n_slots, self.width), dtype=np.float32)
        sums: Doubles = np.empty((N_MEANS, n_slots, self.width))
        rows[:, : len(old)] = self._rows[:, old]
        sums[:, : len(old)] = self._sums[:, old]
        self._compute(self.end, rows[:, len(old) :], sums[:, len(old) :])
        self._slots[:n_edus] = _ZEROS
        self._slots[np.concatenate([held, new])] = np.arange(1, n_slots)
        self._rows, self._sums = rows, sums
        self.end = int(new[-1]) + 1

    def _compute(self, first: int, rows: Array, sums: Doubles) -> None:
        """Fill rows (7, S, M K) by role, and the sums (2, S, M K) of all EDUs before each."""
        n_rows = rows.shape[1]
        count = min(n_rows, len(self._edus) - first)
        added: Doubles = np.empty((N_MEANS, 1 + count, self.width))
        added[:, :1] = self._total
        width = self.width // len(self._roles)
        for m, edus in enumerate(np.split(self._edus, len(self._roles), 1)):
            columns = slice(m * width, (m + 1) * width)
            found = _product(edus, first, first + count, self._roles[m])
            by_role = found.reshape(count, N_ROLES, width).transpose(1, 0, 2)
            rows[:, :count, columns] = by_role[:N_GATHERED]
            added[:, 1:, columns] = by_role[N_GATHERED:]
        for place in range(count):  # row by row: cumsum takes many times as long over them
            added[:, place + 1] += added[:, place]
        self._total = added[:, -1:].copy()
        sums[:] = added[:, :n_rows]

    def spans(self, which: int, spans: Ints) -> Array:
        """Add up what spans (T, 3) of start, end and head bring as the lower or the upper one.

        That is: the rows of these EDUs in their roles, and the span's mean, (T, M K).
        """
        starts, ends, heads = spans.T
        from_start, to_end = self._slots[starts], self._slots[ends]
        sums = self._sums[which]
        means = (sums[to_end] - sums[from_start]) / (ends - starts)[:, None]
        first, last, head = self._rows[which * ROLES_OF_SPAN :][:ROLES_OF_SPAN]
        found: Array = first[from_start]
        found += last[self._slots[ends - 1]]
        found += head[self._slots[heads]]
        found += means
        return found

    def nexts(self, edus: Ints) -> Array:
        """Return what EDUs (T) bring as the next one, (T, M K)."""
        found: Array = self._rows[NEXT_ROLE, self._slots[edus]]
        return found


def _product(edus: Array, first: int, end: int, role: Stored) -> Array:
    """Map EDUs, never one alone if there are more: its last bits would be others."""
    before = 1 if end - first == 1 and first else 0
    return product_across(edus[first - before : end], role)[before:]
