"""The sets of EDUs of one sentence that hold all that their members need.

EDUs that need each other have the same closure and are taken together, so what is left is a partial
order. Under our dependency rules every EDU has at most one head besides its other halves, and the
order is a forest; nothing here relies on that but the speed of ``best_closed_sets``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Edus = tuple[int, ...]


def closed_sets(
    edus: range, closures: Sequence[frozenset[int]], *, limit: int
) -> tuple[Edus, ...] | None:
    """List the closed sets of a sentence that are not empty, or ``None`` if there are too many."""
    members = _by_closure(edus, closures)
    if len(members) > limit:  # every closure is a closed set
        return None
    # Sets are bit masks relative to the first EDU; heads come before what depends on them.
    sets = [0]
    for closure in sorted(members, key=lambda closure: (len(closure), min(closure))):
        mask = _mask(closure, edus)
        needed = mask & ~_mask(members[closure], edus)
        sets += [chosen | mask for chosen in sets if chosen & needed == needed]
        if len(sets) > limit + 1:
            return None
    return tuple(_unmask(mask, edus) for mask in sets[1:])


def _by_closure(edus: range, closures: Sequence[frozenset[int]]) -> dict[frozenset[int], list[int]]:
    members: dict[frozenset[int], list[int]] = {}
    for edu in edus:
        members.setdefault(closures[edu], []).append(edu)
    return members


def _mask(chosen: Iterable[int], edus: range) -> int:
    return sum(1 << (edu - edus.start) for edu in chosen)


def _unmask(mask: int, edus: range) -> Edus:
    return tuple(edu for edu in edus if mask >> (edu - edus.start) & 1)


@dataclass(frozen=True, slots=True)
class Forest:
    """EDUs that need each other as one node, in preorder; ``after`` is the end of a subtree."""

    members: tuple[Edus, ...]
    after: tuple[int, ...]


def forest(edus: range, closures: Sequence[frozenset[int]]) -> Forest:
    """Order the EDUs of a sentence so that whatever needs a node directly follows it.

    A node with several heads is put below the one that itself needs most.
    """
    members = _by_closure(edus, closures)
    children: dict[frozenset[int] | None, list[frozenset[int]]] = {}
    for closure in members:
        children.setdefault(_head(closure, members), []).append(closure)
    order: list[frozenset[int]] = []
    after: dict[frozenset[int], int] = {}
    todo = [(closure, False) for closure in reversed(children[None])]
    while todo:
        closure, done = todo.pop()
        if done:
            after[closure] = len(order)
            continue
        order.append(closure)
        todo.append((closure, True))
        todo += [(child, False) for child in reversed(children.get(closure, []))]
    return Forest(
        tuple(tuple(members[closure]) for closure in order),
        tuple(after[closure] for closure in order),
    )


def _head(
    closure: frozenset[int], members: Mapping[frozenset[int], list[int]]
) -> frozenset[int] | None:
    heads = closure.difference(members[closure])
    if not heads or heads in members:
        return heads or None
    return max((other for other in members if other < closure), key=len)


def best_closed_sets(
    trees: Forest, values: Sequence[float], costs: Sequence[int], *, capacity: int, n_sets: int
) -> list[Edus]:
    """Find the most valuable set of nodes with their heads for up to ``n_sets`` bounds on the cost.

    Values and costs belong to the nodes. Exact by dynamic programming over the preorder.
    """
    best = _best_values(trees, values, costs, capacity)
    bounds = [c for c in range(capacity + 1) if c == 0 or best[0, c] > best[0, c - 1]]
    step = max(1, -(-len(bounds) // n_sets))
    chosen = [_trace(trees, best, values, costs, bound) for bound in bounds[::-1][::step]]
    return [edus for edus in chosen if edus]


def _best_values(
    trees: Forest, values: Sequence[float], costs: Sequence[int], capacity: int
) -> NDArray[np.float64]:
    """Row i, column c: the best value of nodes from i on at a cost of at most c."""
    n_nodes = len(values)
    best = np.zeros((n_nodes + 1, capacity + 1))
    for node in reversed(range(n_nodes)):
        skip, take = best[trees.after[node]], best[node + 1]
        best[node] = skip
        if costs[node] <= capacity:
            taken = take[: capacity + 1 - costs[node]] + values[node]
            np.maximum(skip[costs[node] :], taken, out=best[node, costs[node] :])
    return best


def _trace(
    trees: Forest,
    best: NDArray[np.float64],
    values: Sequence[float],
    costs: Sequence[int],
    capacity: int,
) -> Edus:
    chosen: list[int] = []
    node, left = 0, capacity
    while node < len(values):
        if best[node, left] > best[trees.after[node], left]:
            chosen += trees.members[node]
            left -= costs[node]
            node += 1
        else:
            node = trees.after[node]
    return tuple(sorted(chosen))
