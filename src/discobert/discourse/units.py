"""What a summary is made of: EDUs or whole sentences."""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from itertools import groupby
from typing import NamedTuple

from discobert.data.document import Document, Edu
from discobert.data.graph import Edge
from discobert.data.summary import Analysis, Scores
from discobert.discourse.clause_needs import NONE, Needs, with_needs
from discobert.discourse.dependencies import enforced_dependencies


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


def by_sentence(document: Document, edus: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Group EDUs by sentence, both in reading order."""
    groups = groupby(sorted(edus), key=lambda edu: document.edus[edu].sentence)
    return {sentence: tuple(group) for sentence, group in groups}
