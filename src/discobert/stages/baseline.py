"""Scorers that need no training: the lead, LexRank, and the nuclearity of the RST tree."""

from collections.abc import Sequence
from dataclasses import dataclass

from discobert.data.summary import Analysis, ModelId, Scores
from discobert.logic.lexrank import lexrank
from discobert.logic.nuclearity import promotion_depths
from discobert.logic.rouge import tokenise

LEAD = ModelId("lead", "1")
LEXRANK = ModelId("lexrank", "1")
RST_TRIM = ModelId("rst-trim", "1")


@dataclass(frozen=True, slots=True)
class LeadScorer:
    """The earlier a sentence, the higher its EDUs; the first gets 1."""

    model: ModelId = LEAD

    def score(self, analyses: Sequence[Analysis]) -> list[Scores]:
        """Score by the place of the sentence alone."""
        return [
            Scores(tuple(1 / (1 + edu.sentence) for edu in analysis.document.edus))
            for analysis in analyses
        ]


@dataclass(frozen=True, slots=True)
class LexRankScorer:
    """All EDUs of a sentence get its centrality, the most central sentence of a document gets 1."""

    model: ModelId = LEXRANK

    def score(self, analyses: Sequence[Analysis]) -> list[Scores]:
        """Score each document by itself."""
        return [_central(analysis) for analysis in analyses]


@dataclass(frozen=True, slots=True)
class NuclearityScorer:
    """The nearer to the root of the RST tree an EDU is promoted, the higher; the root's get 1."""

    model: ModelId = RST_TRIM

    def score(self, analyses: Sequence[Analysis]) -> list[Scores]:
        """Score by the tree alone."""
        return [
            Scores(tuple(1 / (1 + depth) for depth in promotion_depths(analysis.rst)))
            for analysis in analyses
        ]


def _central(analysis: Analysis) -> Scores:
    document = analysis.document
    shares = lexrank([tokenise(span.of(document.text)) for span in document.sentences])
    highest = float(shares.max())
    return Scores(tuple(float(shares[edu.sentence]) / highest for edu in document.edus))
