"""The first layer of the parser's state scorer: what each EDU adds to it, a stretch at a time.

The layer is a sum over EDUs in their roles, so each EDU's part is computed once. A book's parts
would fill hundreds of megabytes; those of EDUs that no state can see any more are dropped.
N EDUs, S slots, M parsers side by side, D width of an EDU's vector, K hidden width.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from discobert.discourse.transitions import TreeSpan
from discobert.runtime.matmul import matmul_transposed
from discobert.runtime.tensors import Array

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
PlacedSpan = tuple[int, int, TreeSpan]
"""A row, and the span to add to it: as the lower one (0) or as the upper one (1)."""


class EduRows:
    """Rows of EDUs up to ``end``; the EDU after the last stands for an absent one.

    ``roles`` are (M, 9 K, D), ``edus`` (N, M D): parser after parser.
    """

    def __init__(self, roles: Array, edus: Array) -> None:
        self._roles = roles
        self._edus = edus
        self.end = 0
        """EDUs before it are loaded, unless they were dropped."""
        self.width = roles.shape[0] * roles.shape[1] // N_ROLES
        self._slots = [_ZEROS] * (len(edus) + 1)
        self._held: list[int] = []
        """The EDUs that have a slot of their own."""
        self._rows: Array = np.zeros((N_GATHERED, 1, self.width), dtype=np.float32)
        # Double precision: the sums of long documents would lose what single spans differ by.
        self._sums: Doubles = np.zeros((N_MEANS, 1, self.width))
        self._total: Doubles = np.zeros((N_MEANS, 1, self.width))

    def load(self, kept: Iterable[int], reached: int) -> None:
        """Drop all EDUs but some, and compute a stretch from where loading ended."""
        held = sorted(kept)
        old = [_ZEROS, *(self._slots[edu] for edu in held)]
        new = range(self.end, min(reached + STRETCH, len(self._edus) + 1))
        n_slots = len(old) + len(new)
        rows = np.zeros((N_GATHERED, n_slots, self.width), dtype=np.float32)
        sums: Doubles = np.empty((N_MEANS, n_slots, self.width))
        rows[:, : len(old)] = self._rows[:, old]
        sums[:, : len(old)] = self._sums[:, old]
        self._compute(self.end, rows[:, len(old) :], sums[:, len(old) :])
        for edu in self._held:
            self._slots[edu] = _ZEROS
        self._held = [*held, *new]
        for slot, edu in enumerate(self._held, start=1):
            self._slots[edu] = slot
        self._rows, self._sums = rows, sums
        self.end = new.stop

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

    def add_spans(self, rows: Array, spans: Sequence[PlacedSpan]) -> None:
        """Add to rows (R, M K) what spans bring as the lower or the upper one.

        That is: the rows of their first, last and head EDU in these roles, and their means.
        """
        slots, n_slots = self._slots, self._rows.shape[1]
        # Rows are taken by one number each, role after role: several numbers cost many times that.
        by_role = self._rows.reshape(-1, self.width)
        sums = self._sums.reshape(-1, self.width)
        places = [
            (
                row,
                ROLES_OF_SPAN * which * n_slots + slots[start],
                (ROLES_OF_SPAN * which + 1) * n_slots + slots[end - 1],
                (ROLES_OF_SPAN * which + 2) * n_slots + slots[head],
                which * n_slots + slots[start],
                which * n_slots + slots[end],
                end - start,
            )
            for row, which, (start, end, head) in spans
        ]
        row, first, last, head, before, after, length = np.array(places).T
        added = rows.take(row, 0)
        for role in (first, last, head):
            added += by_role.take(role, 0)
        added += (sums.take(after, 0) - sums.take(before, 0)) / length[:, None]
        rows[row] = added

    def add_next(self, row: Array, edu: int) -> None:
        """Add to a row (M K) what an EDU brings as the next one."""
        row += self._rows[NEXT_ROLE, self._slots[edu]]


def _product(edus: Array, first: int, end: int, role: Array) -> Array:
    """Map EDUs, at least two at a time: the product of a single row rounds differently."""
    before = 1 if end - first == 1 and first else 0
    return matmul_transposed(edus[first - before : end], role)[before:]
