"""Units of selection: EDUs or whole sentences."""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from itertools import groupby
from typing import NamedTuple

from discobert.data.document import Document, Edu
from discobert.data.graph import Edge
from discobert.data.summary import Analysis, Scores
from discobert.discourse.clause_needs import NONE, Needs, selection_dependencies
from discobert.language.quotes import quotations


class UnitKind(Enum):
    """Kinds of units that selection chooses among."""

    EDU = "edu"
    SENTENCE = "sentence"


class ScoredUnits(NamedTuple):
    """A document whose EDUs are the units to choose among, their scores and dependencies."""

    document: Document
    scores: Scores
    dependencies: tuple[Edge, ...]


def scored_units(
    analysis: Analysis, scores: Scores, kind: UnitKind, needs: Needs = NONE
) -> ScoredUnits:
    """Return the EDUs with their dependencies, or the sentences, which have none."""
    doc = analysis.document
    if kind is UnitKind.EDU:
        return ScoredUnits(doc, scores, selection_dependencies(doc, analysis.rst, needs))
    best = tuple(max(scores.values[edu] for edu in edus) for edus in doc.edus_by_sentence())
    sentences = tuple(Edu(span, index) for index, span in enumerate(doc.sentences))
    return ScoredUnits(replace(doc, edus=sentences), Scores(best), ())


def by_sentence(document: Document, edus: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Group EDUs by sentence, both in reading order."""
    groups = groupby(sorted(edus), key=lambda edu: document.edus[edu].sentence)
    return {sentence: tuple(group) for sentence, group in groups}


def quoted_units(document: Document) -> frozenset[int]:
    """Return the units of which at least half the letters and digits are inside quotations."""
    text = document.text
    is_quoted = bytearray(len(text))
    for paragraph in document.paragraph_spans():
        done = paragraph.start
        for span in quotations(text, paragraph):
            start = max(span.start, done)  # of quotations inside each other, the outer one is first
            if start < span.end:
                is_quoted[start : span.end] = b"\1" * (span.end - start)
                done = span.end
    return frozenset(
        unit
        for unit, edu in enumerate(document.edus)
        if _is_mostly_quoted(edu.span.of(text), is_quoted[edu.span.start : edu.span.end])
    )


def _is_mostly_quoted(text: str, is_quoted: bytearray) -> bool:
    """Return whether at least half the letters and digits of a text are marked as quoted."""
    if not any(is_quoted):
        return False
    flags = [flag for flag, each in zip(is_quoted, text, strict=True) if each.isalnum()]
    return bool(flags) and 2 * sum(flags) >= len(flags)
