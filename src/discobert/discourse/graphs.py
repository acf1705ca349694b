"""The two graphs over EDUs: discourse relations and coreference."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.data.graph import DiscourseGraph, Edge
from discobert.data.rst import RstTree
from discobert.discourse.dependencies import OURS, DependencyRules, enforced_dependencies, heads
from discobert.errors import UsageError


def rst_graph(tree: RstTree) -> DiscourseGraph:
    """Join the two head EDUs of every branch, the less central one to the other.

    A tree over n EDUs gives n - 1 edges and no loops, as in the paper's Table 1.
    """
    edges = heads(tree)
    return DiscourseGraph(len(edges) + 1, edges)


def strict_rst_graph(
    document: Document, tree: RstTree, *, rules: DependencyRules = OURS
) -> DiscourseGraph:
    """Join only EDUs of which one depends on the other inside one sentence."""
    return DiscourseGraph(len(document.edus), enforced_dependencies(document, tree, rules=rules))


def cluster_edus(document: Document, clusters: Iterable[Cluster]) -> tuple[tuple[int, ...], ...]:
    """Return the EDUs that the mentions of each cluster overlap, in reading order, none twice.

    This is the coreference graph in its compact form: linear in the number of mentions.
    """
    starts = [edu.span.start for edu in document.edus]
    ends = [edu.span.end for edu in document.edus]
    return tuple(_touched(cluster, starts, ends) for cluster in clusters)


def _touched(cluster: Cluster, starts: list[int], ends: list[int]) -> tuple[int, ...]:
    touched: set[int] = set()
    for mention in cluster.mentions:
        first = bisect_right(ends, mention.span.start)
        touched.update(range(first, bisect_left(starts, mention.span.end)))
    return tuple(sorted(touched))


def coref_graph(
    document: Document, clusters: Iterable[Cluster], *, reach: int | None = None
) -> DiscourseGraph:
    """Join, in both directions and once, all EDUs with mentions of one entity; loop every EDU.

    The pairs of a cluster grow with the square of its size: an entity mentioned in
    5,000 EDUs has 25 million edges. ``reach`` joins each EDU only to that many EDUs of the cluster
    before and after it, which keeps the graph linear; the exact graph is the default.
    """
    if reach is not None and reach < 1:
        message = f"the reach of a coreference graph must be at least 1, got {reach}"
        raise UsageError(message)
    n_edus = len(document.edus)
    pairs = {(edu, edu) for edu in range(n_edus)}
    for edus in cluster_edus(document, clusters):
        pairs.update(_pairs(edus, reach or len(edus)))
    return DiscourseGraph(n_edus, tuple(Edge(*pair) for pair in sorted(pairs)))


def _pairs(edus: Sequence[int], reach: int) -> Iterable[tuple[int, int]]:
    for position, edu in enumerate(edus):
        for other in edus[position + 1 : position + 1 + reach]:
            yield edu, other
            yield other, edu


@dataclass(frozen=True, slots=True)
class EdgeCounts:
    """How large a graph is, each way of counting it by name."""

    pairs: int
    """Unordered pairs of two different EDUs that are joined: the figure we publish."""

    directed: int
    """Edges between two different EDUs, a pair joined both ways counting twice."""

    loops: int
    """Edges from an EDU to itself."""


def edge_counts(graph: DiscourseGraph) -> EdgeCounts:
    """Count the edges of a graph; parallel edges count once."""
    ends = {(edge.dependent, edge.head) for edge in graph.edges}
    directed = [pair for pair in ends if pair[0] != pair[1]]
    pairs = {frozenset(pair) for pair in directed}
    return EdgeCounts(pairs=len(pairs), directed=len(directed), loops=len(ends) - len(directed))
