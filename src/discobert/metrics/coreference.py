"""Coreference scores as the CoNLL-2012 reference scorer defines them (Pradhan et al. 2014)."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.data.coref import Cluster
from discobert.data.document import Document, Span
from discobert.discourse.graphs import cluster_edus
from discobert.metrics.counts import NOTHING, Tally, overlap

Chain = frozenset[Hashable]
"""A cluster as a set of any keys that both sides share, such as token ranges."""


@dataclass(frozen=True, slots=True)
class CorefTally:
    """The three measures whose mean F1 is the CoNLL score."""

    muc: Tally = NOTHING
    b3: Tally = NOTHING
    ceafe: Tally = NOTHING

    def __add__(self, other: "CorefTally") -> "CorefTally":
        return CorefTally(self.muc + other.muc, self.b3 + other.b3, self.ceafe + other.ceafe)

    @property
    def conll_f1(self) -> float:
        """The mean F1 of MUC, B-cubed and entity-based CEAF."""
        return (self.muc.f1 + self.b3.f1 + self.ceafe.f1) / 3


def token_chains(clusters: Iterable[Cluster], tokens: Sequence[Span]) -> tuple[Chain, ...]:
    """Express clusters as ranges of the tokens their mentions touch, singletons dropped.

    A mention that touches no token is dropped; one that two clusters claim stays with the first.
    """
    starts = [token.start for token in tokens]
    ends = [token.end for token in tokens]
    taken: set[tuple[int, int]] = set()
    chains: list[Chain] = []
    for cluster in clusters:
        spans = (mention.span for mention in cluster.mentions)
        ranges = {(bisect_right(ends, s.start), bisect_left(starts, s.end)) for s in spans}
        chain = {span for span in ranges if span[0] < span[1]} - taken
        taken |= chain
        chains.append(frozenset(chain))
    return tuple(chain for chain in chains if len(chain) > 1)


def compare_chains(gold: Sequence[Chain], predicted: Sequence[Chain]) -> CorefTally:
    """Score the chains of one document; no mention may be in two chains of one side."""
    return CorefTally(_muc(gold, predicted), _b_cubed(gold, predicted), _ceaf_e(gold, predicted))


def _shared(chains: Sequence[Chain], others: Sequence[Chain]) -> list[Counter[int]]:
    """Count, for each chain, the mentions it shares with each of the others."""
    place = {mention: index for index, other in enumerate(others) for mention in other}
    return [Counter(place[mention] for mention in chain if mention in place) for chain in chains]


def _muc(gold: Sequence[Chain], predicted: Sequence[Chain]) -> Tally:
    return Tally(*_links(gold, predicted), *_links(predicted, gold))


def _links(chains: Sequence[Chain], others: Sequence[Chain]) -> tuple[int, int]:
    """Count the links of the chains that the others keep, and all of them."""
    kept = sum(sum(shared.values()) - len(shared) for shared in _shared(chains, others))
    return kept, sum(len(chain) - 1 for chain in chains)


def _b_cubed(gold: Sequence[Chain], predicted: Sequence[Chain]) -> Tally:
    return Tally(*_b_cubed_sums(gold, predicted), *_b_cubed_sums(predicted, gold))


def _b_cubed_sums(chains: Sequence[Chain], others: Sequence[Chain]) -> tuple[float, int]:
    """Sum, over mentions, the share of their chain that is in one chain of the other side."""
    pairs = zip(chains, _shared(chains, others), strict=True)
    kept = sum(n * n / len(chain) for chain, shared in pairs for n in shared.values())
    return kept, sum(len(chain) for chain in chains)


def _ceaf_e(gold: Sequence[Chain], predicted: Sequence[Chain]) -> Tally:
    similarity = np.zeros((len(gold), len(predicted)))
    for row, shared in enumerate(_shared(gold, predicted)):
        for column, n in shared.items():
            similarity[row, column] = 2 * n / (len(gold[row]) + len(predicted[column]))
    best = float(sum(similarity[pair] for pair in assign(similarity)))
    return Tally(best, len(gold), best, len(predicted))


def assign(weights: NDArray[np.float64]) -> tuple[tuple[int, int], ...]:
    """Pair rows with columns, each at most once, so that the sum of the weights is largest.

    This is the Hungarian method: every row of a wide matrix, or every column of a tall one, gets a
    partner. Rows are added one by one along the shortest augmenting path with potentials, so the
    work grows with rows x rows x columns.
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
    """Assign a column to the row, moving other rows along the cheapest path to a free one."""
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


def edu_pairs(document: Document, clusters: Iterable[Cluster]) -> frozenset[tuple[int, int]]:
    """List the pairs of different EDUs with mentions of one entity."""
    several = (cluster for cluster in clusters if len(cluster.mentions) > 1)
    return frozenset(
        (edu, other)
        for edus in cluster_edus(document, several)
        for position, edu in enumerate(edus)
        for other in edus[position + 1 :]
    )


def compare_edu_pairs(
    document: Document, gold: Iterable[Cluster], predicted: Iterable[Cluster]
) -> Tally:
    """Compare the coreference graphs that two sets of clusters give over the same EDUs."""
    return overlap(edu_pairs(document, gold), edu_pairs(document, predicted))
