"""Analyses as JSON documents, with the dependencies and graphs derived from them."""

from collections.abc import Sequence

from discobert.data.codecs.analysis import encode_analysis
from discobert.data.codecs.json_text import Json, JsonObject, dumps
from discobert.data.graph import DiscourseGraph
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import OURS, DependencyRules, enforced_dependencies
from discobert.discourse.graphs import coref_graph, rst_graph
from discobert.render.titles import document_title, heading_paragraphs


def render_analysis_json(analyses: Sequence[Analysis], *, array: bool = False) -> str:
    """Write one analysis as an object, several as an array with a line each; ``array`` forces one.

    Not indented: trees may be thousands of levels deep.
    """
    lines = [dumps(describe_analysis(analysis)) for analysis in analyses]
    if len(lines) == 1 and not array:
        return f"{lines[0]}\n"
    return "[{}]\n".format(",\n".join(lines))


def describe_analysis(analysis: Analysis, *, rules: DependencyRules = OURS) -> JsonObject:
    """Encode an analysis with title, headings, dependencies that selection enforces and graphs."""
    document, tree = analysis.document, analysis.rst
    edges = enforced_dependencies(document, tree, rules=rules)
    return {
        **encode_analysis(analysis),
        "title": document_title(document),
        "headings": [*sorted(heading_paragraphs(document))],
        "dependencies": [{"dependent": edge.dependent, "head": edge.head} for edge in edges],
        "graphs": {
            "rst": _encode_graph(rst_graph(tree)),
            "coref": _encode_graph(coref_graph(document, analysis.coref)),
        },
    }


def _encode_graph(graph: DiscourseGraph) -> Json:
    return [[edge.dependent, edge.head] for edge in graph.edges]
