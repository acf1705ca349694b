"""Scores of RST trees and of the dependencies read off them."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.rst import RstTree, nodes
from discobert.metrics.counts import NOTHING, Hits, Tally, overlap


@dataclass(frozen=True, slots=True)
class Parseval:
    """Original Parseval: inner nodes with their labels, the root counted, the leaves not."""

    span: Tally = NOTHING
    nuclearity: Tally = NOTHING
    relation: Tally = NOTHING
    full: Tally = NOTHING

    def __add__(self, other: "Parseval") -> "Parseval":
        return Parseval(
            self.span + other.span,
            self.nuclearity + other.nuclearity,
            self.relation + other.relation,
            self.full + other.full,
        )


@dataclass(frozen=True, slots=True)
class _Constituent:
    span: tuple[int, int]
    nuclearity: str
    relation: str


def compare_trees(
    gold: Document, gold_tree: RstTree, predicted: Document, predicted_tree: RstTree
) -> Parseval:
    """Compare two trees over the same text; their EDUs may differ, since nodes match by characters.

    A node is right in span if it starts and ends where a gold node does; nuclearity and relation
    are those of the node itself (labels on the parent), and "full" asks for both.
    """
    ours = _constituents(predicted, predicted_tree)
    theirs = _constituents(gold, gold_tree)

    def compare(*fields: str) -> Tally:
        return overlap(_project(theirs, fields), _project(ours, fields))

    return Parseval(
        compare("span"),
        compare("span", "nuclearity"),
        compare("span", "relation"),
        compare("span", "nuclearity", "relation"),
    )


def _project(constituents: Iterable[_Constituent], fields: Iterable[str]) -> set[Hashable]:
    return {tuple(getattr(node, field) for field in fields) for node in constituents}


def _constituents(document: Document, tree: RstTree) -> list[_Constituent]:
    spans = [edu.span for edu in document.edus]
    # An EDU may include the space after it or not: ends are compared without it.
    ends = [span.start + len(span.of(document.text).rstrip()) for span in spans]
    return [
        _Constituent(
            (spans[node.start].start, ends[node.end - 1]), node.nuclearity.value, node.relation
        )
        for node in nodes(tree)
    ]


def single_heads(edges: Iterable[Edge]) -> dict[int, int]:
    """Choose one head for each dependent.

    Only the parts of an interrupted clause, which need each other, leave a choice: a head that does
    not need the dependent in turn comes first, then the leftmost, which is the one that the branch
    itself makes the head.
    """
    pairs = {(edge.dependent, edge.head) for edge in edges}
    chosen: dict[int, int] = {}
    for dependent, head in sorted(pairs, key=lambda pair: (pair[::-1] in pairs, pair)):
        chosen.setdefault(dependent, head)
    return chosen


def compare_heads(
    document: Document, gold: Mapping[int, int], predicted: Mapping[int, int]
) -> Hits:
    """Compare heads, "none" included, over the EDUs of sentences that have several (intra_uas)."""
    edus = [edu for found in document.edus_by_sentence() if len(found) > 1 for edu in found]
    return Hits(sum(gold.get(edu) == predicted.get(edu) for edu in edus), len(edus))
