"""A scorer that needs no training: the nuclearity of the RST tree."""

from collections.abc import Sequence
from dataclasses import dataclass

from discobert.data.summary import Analysis, ModelId, Scores
from discobert.discourse.dependencies import promotion_depths

RST_TRIM = ModelId("rst-trim", "1")


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
