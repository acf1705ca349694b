"""What a summary is made of: EDUs or whole sentences."""

from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from discobert.data.document import Document, Edu
from discobert.data.graph import Edge
from discobert.data.summary import Analysis, Scores
from discobert.logic.dependencies import enforced_dependencies


class UnitKind(Enum):
    """The pieces that selection chooses among."""

    EDU = "edu"
    SENTENCE = "sentence"


class Candidates(NamedTuple):
    """A document cut into the units to choose among, their scores and who needs whom."""

    document: Document
    scores: Scores
    dependencies: tuple[Edge, ...]


def candidates(analysis: Analysis, scores: Scores, kind: UnitKind) -> Candidates:
    """Offer the EDUs with their dependencies, or sentences, which need no others."""
    doc = analysis.document
    if kind is UnitKind.EDU:
        return Candidates(doc, scores, enforced_dependencies(doc, analysis.rst))
    best = tuple(max(scores.values[edu] for edu in edus) for edus in doc.edus_by_sentence())
    sentences = tuple(Edu(span, index) for index, span in enumerate(doc.sentences))
    return Candidates(replace(doc, edus=sentences), Scores(best), ())
