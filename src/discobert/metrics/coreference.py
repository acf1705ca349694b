"""Coreference scores as the CoNLL-2012 reference scorer defines them (Pradhan et al. 2014)."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from discobert.data.coref import Cluster
from discobert.data.document import Document, Span
from discobert.discourse.graphs import cluster_edus
from discobert.metrics.assignment import assign
from discobert.metrics.counts import NOTHING, Tally, overlap

Chain = frozenset[Hashable]
"""A cluster whose mentions are told by anything that both sides share, such as token ranges."""


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
    """Score the chains of one document; no mention may stand in two chains of one side."""
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
    return Tally(*_company(gold, predicted), *_company(predicted, gold))


def _company(chains: Sequence[Chain], others: Sequence[Chain]) -> tuple[float, int]:
    """Sum, over mentions, the share of their chain that the other side puts beside them."""
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


def edu_pairs(document: Document, clusters: Iterable[Cluster]) -> frozenset[tuple[int, int]]:
    """List the pairs of different EDUs that mention the same thing."""
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
