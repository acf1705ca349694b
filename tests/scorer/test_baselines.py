"""Scorers that need no training."""

from discobert.data.document import Document, Edu, Span
from discobert.data.rst import Branch, Leaf, Nuclearity
from discobert.data.summary import Analysis
from discobert.protocols import Scorer
from discobert.scorer.baselines import NuclearityScorer

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
    first, second = scorer.score([analysis(), analysis()])
    assert first == second
    return first.values


def test_nuclearity_falls_with_the_depth_of_promotion() -> None:
    assert scores(NuclearityScorer()) == (1.0, 1 / 3, 1 / 2, 1 / 2)
