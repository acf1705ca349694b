"""A scorer that several systems share."""

from discobert.api import Summarizer
from discobert.data.summary import Analysis, ModelId
from discobert.discourse.units import UnitKind
from discobert.pipeline import Pipeline
from discobert.protocols import Scorer
from discobert.selection.build import Salience


class CachedScorer:
    """Keeps the scores of the last text: systems differ in what they select, not in the network."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._last: tuple[Analysis, Salience] | None = None

    @property
    def model(self) -> ModelId:
        """The name and version of the scorer."""
        return self._scorer.model

    @property
    def unit(self) -> UnitKind:
        """What the scores were trained to select."""
        return self._scorer.unit

    def score(self, analysis: Analysis) -> Salience:
        """Score the units of one text."""
        # By identity: comparing the trees of two long texts would cost more than it saves.
        if self._last is None or self._last[0] is not analysis:
            self._last = (analysis, self._scorer.score(analysis))
        return self._last[1]


def with_cached_scores(summarizer: Summarizer) -> Summarizer:
    """Let several systems or requests share the scores of a text."""
    pipeline = summarizer.pipeline
    cached = Pipeline(pipeline.analyser, CachedScorer(pipeline.scorer))
    return Summarizer(cached, summarizer.language)
