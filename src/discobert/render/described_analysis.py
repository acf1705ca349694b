"""An analysis as JSON together with what follows from it."""

from discobert.data.codec import encode_analysis
from discobert.data.graph import DiscourseGraph
from discobert.data.json_text import Json, JsonObject
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import OURS, DependencyRules, enforced_dependencies
from discobert.discourse.graphs import coref_graph, rst_graph


def describe(analysis: Analysis, *, rules: DependencyRules = OURS) -> JsonObject:
    """Write an analysis with the dependencies that selection obeys and both graphs."""
    document, tree = analysis.document, analysis.rst
    edges = enforced_dependencies(document, tree, rules=rules)
    return {
        **encode_analysis(analysis),
        "dependencies": [{"dependent": edge.dependent, "head": edge.head} for edge in edges],
        "graphs": {
            "rst": _encode_graph(rst_graph(tree)),
            "coref": _encode_graph(coref_graph(document, analysis.coref)),
        },
    }


def _encode_graph(graph: DiscourseGraph) -> Json:
    return [[edge.dependent, edge.head] for edge in graph.edges]
