"""Discourse and coreference graphs as edge lists."""

import pytest
from tests.builders import chain, cluster, doc, tree

from discobert.data.coref import Cluster, Mention
from discobert.data.document import Document, Edu, Span
from discobert.data.graph import DiscourseGraph, Edge
from discobert.data.rst import Leaf
from discobert.discourse.dependencies import PAPER
from discobert.discourse.graphs import (
    EdgeCounts,
    cluster_edus,
    coref_graph,
    edge_counts,
    rst_graph,
    strict_rst_graph,
)
from discobert.errors import UsageError


def arrows(graph: DiscourseGraph) -> set[tuple[int, int]]:
    return {(edge.dependent, edge.head) for edge in graph.edges}


@pytest.mark.parametrize(
    ("nuclearity", "dependent", "head"), [("NS", 1, 0), ("SN", 0, 1), ("NN", 1, 0)]
)
def test_less_central_child_links_to_the_other(nuclearity: str, dependent: int, head: int) -> None:
    assert rst_graph(tree(nuclearity, 0, 1)).edges == (Edge(dependent, head, "rel"),)


@pytest.mark.parametrize("n_edus", [1, 2, 67, 5000])
def test_rst_graph_has_an_edge_per_branch_and_no_loop(n_edus: int) -> None:
    graph = rst_graph(chain(n_edus, "NN"))
    assert graph.size == n_edus
    assert edge_counts(graph) == EdgeCounts(pairs=n_edus - 1, directed=n_edus - 1, loops=0)


def test_rst_graph_of_figure_2() -> None:
    shape = tree("SN", 0, tree("NN", 1, tree("NS", 2, tree("SN", 3, 4))))
    assert arrows(rst_graph(shape)) == {(3, 4), (4, 2), (2, 1), (0, 1)}


def test_strict_rst_graph_holds_enforced_dependencies_only() -> None:
    document = doc("[The man,] [~tired,] [slept.] | [It rained] [and she read.]")
    shape = tree(
        "NN", tree("NN", tree("NS", 0, 1), 2, "same-unit"), tree("NN", 3, 4, "list"), "list"
    )
    assert arrows(strict_rst_graph(document, shape)) == {(1, 0), (0, 2), (2, 0)}
    assert arrows(strict_rst_graph(document, shape, rules=PAPER)) == {(1, 0)}
    assert strict_rst_graph(document, shape).size == 5


def test_edus_that_mention_the_same_thing_are_joined_both_ways() -> None:
    document = doc("[Ann left] [because it rained.] | [She took her hat.]")
    graph = coref_graph(document, [cluster(document, "Ann", "She", "her")])
    assert arrows(graph) == {(0, 0), (1, 1), (2, 2), (0, 2), (2, 0)}
    assert graph.edges == tuple(sorted(graph.edges))


def test_a_pair_in_two_clusters_is_joined_once() -> None:
    document = doc("[Ann lost the hat] [and she found it.]")
    clusters = [cluster(document, "Ann", "she"), cluster(document, "the hat", "it")]
    graph = coref_graph(document, clusters)
    assert len(graph.edges) == 4
    assert edge_counts(graph) == EdgeCounts(pairs=1, directed=2, loops=2)


def test_a_mention_belongs_to_every_edu_it_overlaps() -> None:
    document = doc("[The man] [who slept] [was tired,] [as he was old.]")
    clusters = [cluster(document, "The man who slept", "he")]
    assert cluster_edus(document, clusters) == ((0, 1, 3),)
    assert (0, 1) in arrows(coref_graph(document, clusters))


def test_touching_an_edu_is_not_overlapping_it() -> None:
    document = doc("[ab][cd][ef]")
    clusters = [Cluster((Mention(Span(2, 4)),)), Cluster((Mention(Span(1, 3)),))]
    assert cluster_edus(document, clusters) == ((1,), (0, 1))


def test_without_clusters_every_edu_has_its_loop() -> None:
    graph = coref_graph(doc("[One,] [two.]"), [])
    assert graph == DiscourseGraph(2, (Edge(0, 0), Edge(1, 1)))


def test_parallel_edges_count_once() -> None:
    graph = DiscourseGraph(2, (Edge(0, 1, "a"), Edge(0, 1, "b"), Edge(1, 0)))
    assert edge_counts(graph) == EdgeCounts(pairs=1, directed=2, loops=0)


def test_single_edu_graph_is_empty() -> None:
    assert rst_graph(Leaf(0)) == DiscourseGraph(1, ())


def test_reach_joins_the_nearest_edus_of_a_cluster_only() -> None:
    document = doc("[a] [a] [b] [a] [a]")
    clusters = [cluster(document, "a", "a", "a", "a")]
    off_diagonal = {
        pair for pair in arrows(coref_graph(document, clusters, reach=1)) if pair[0] < pair[1]
    }
    assert off_diagonal == {(0, 1), (1, 3), (3, 4)}
    assert coref_graph(document, clusters, reach=3) == coref_graph(document, clusters)


@pytest.mark.parametrize("reach", [0, -1])
def test_reach_must_be_positive(reach: int) -> None:
    with pytest.raises(UsageError, match="at least 1, got"):
        coref_graph(doc("[One.]"), [], reach=reach)


def test_reach_keeps_books_feasible() -> None:
    n_edus = 5_000
    spans = [Span(2 * i, 2 * i + 1) for i in range(n_edus)]
    document = Document(
        "book", "a " * n_edus, (Span(0, 2 * n_edus),), tuple(Edu(span, 0) for span in spans)
    )
    hero = Cluster(tuple(map(Mention, spans)))
    graph = coref_graph(document, [hero], reach=2)
    assert edge_counts(graph).pairs == 2 * n_edus - 3
