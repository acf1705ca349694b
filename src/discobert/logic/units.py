"""What a summary is made of: EDUs or whole sentences."""

from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from discobert.data.document import Document, Edu
from discobert.data.graph import Edge
from discobert.data.summary import Analysis, Scores
from discobert.logic.dependencies import enforced_dependencies
from discobert.logic.grammar_needs import NONE, Needs, with_needs


class UnitKind(Enum):
    """The pieces that selection chooses among."""

    EDU = "edu"
    SENTENCE = "sentence"


class Candidates(NamedTuple):
    """A document cut into the units to choose among, their scores and who needs whom."""

    document: Document
    scores: Scores
    dependencies: tuple[Edge, ...]


def candidates(
    analysis: Analysis, scores: Scores, kind: UnitKind, needs: Needs = NONE
) -> Candidates:
    """Offer the EDUs with their dependencies, or sentences, which need no others."""
    doc = analysis.document
    if kind is UnitKind.EDU:
        edges = enforced_dependencies(doc, analysis.rst)
        return Candidates(doc, scores, with_needs(doc, analysis.rst, edges, needs))
    best = tuple(max(scores.values[edu] for edu in edus) for edus in doc.edus_by_sentence())
    sentences = tuple(Edu(span, index) for index, span in enumerate(doc.sentences))
    return Candidates(replace(doc, edus=sentences), Scores(best), ())
