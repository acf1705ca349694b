"""Scorers that need no training."""

import pytest
from tests.builders import MODEL
from tests.builders import analysis as built

from discobert.data.document import Document, Edu, Span
from discobert.data.rst import Branch, Leaf, Nuclearity
from discobert.data.summary import Analysis
from discobert.protocols import Scorer
from discobert.scorer.baselines import NuclearityScorer, PositionScorer
from discobert.selection.budget import Budget

TEXT = "The ferry ran aground, crews said. It rained. The ferry crews were tired."


def analysis() -> Analysis:
    bounds = [(0, 22, 0), (23, 34, 0), (35, 45, 1), (46, 73, 2)]
    edus = tuple(Edu(Span(start, end), sentence) for start, end, sentence in bounds)
    sentences = (Span(0, 34), Span(35, 45), Span(46, 73))
    first = Branch("attribution", Nuclearity.LEFT, Leaf(0), Leaf(1))
    rest = Branch("joint", Nuclearity.BOTH, Leaf(2), Leaf(3))
    tree = Branch("elaboration", Nuclearity.LEFT, first, rest)
    return Analysis(Document("a", TEXT, sentences, edus), tree)


def scores(scorer: Scorer) -> tuple[float, ...]:
    first, second = scorer.score(analysis()), scorer.score(analysis())
    assert first == second
    assert first.unit is scorer.unit
    return first.scores.values


def test_nuclearity_falls_with_the_depth_of_promotion() -> None:
    assert scores(NuclearityScorer()) == (1.0, 1 / 3, 1 / 2, 1 / 2)


def test_early_sentences_and_independent_clauses_score_higher() -> None:
    found = PositionScorer(MODEL).score(built("[He left] [because it rained] | [She stayed.]"))
    assert found.scores.values == pytest.approx((1.0, 0.7, 0.5))


def test_a_lone_connective_is_never_worth_telling() -> None:
    found = PositionScorer(MODEL).score(built("[But] [he left.] | [Why?]"))
    assert found.scores.values[0] < 0 < found.scores.values[2]


def test_baselines_have_a_usual_length() -> None:
    assert PositionScorer(MODEL).score(analysis()).decoding.budget == Budget(sentences=3)
    assert NuclearityScorer().score(analysis()).decoding.budget == Budget(words=60)
