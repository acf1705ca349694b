"""Edges stay inside their graph."""

import pytest

from discobert.data.graph import DiscourseGraph, Edge
from discobert.errors import InvalidGraph


def test_edges_sort_by_dependent_then_head() -> None:
    edges = [Edge(1, 0), Edge(0, 2), Edge(0, 1, "b"), Edge(0, 1, "a")]
    assert sorted(edges) == [Edge(0, 1, "a"), Edge(0, 1, "b"), Edge(0, 2), Edge(1, 0)]


@pytest.mark.parametrize("edge", [Edge(0, 2), Edge(2, 0), Edge(-1, 0), Edge(0, -1)])
def test_edge_outside_the_graph_is_refused(edge: Edge) -> None:
    with pytest.raises(InvalidGraph, match="leaves a graph of 2 EDUs"):
        DiscourseGraph(2, (Edge(0, 1), edge))
