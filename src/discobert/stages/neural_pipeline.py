"""Analyser and summariser of one bundle as a pipeline: the trunk runs once a text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from discobert.data.summary import Analysis, ModelId, Summary
from discobert.logic.select import SelectionOptions
from discobert.logic.units import UnitKind
from discobert.stages.load import neural_analyser
from discobert.stages.load_scorer import neural_scorer
from discobert.stages.pipeline import compose
from discobert.stages.protocols import Analyser
from discobert.stages.readings import SharedReader
from discobert.stages.scorer import NeuralScorer


@dataclass(frozen=True, slots=True)
class NeuralPipeline:
    """Raw texts to summaries, of the length that was tuned or that the user asks for."""

    analyser: Analyser
    scorer: NeuralScorer

    def summarise(
        self,
        analyses: Sequence[Analysis],
        options: SelectionOptions | None = None,
        kind: UnitKind | None = None,
    ) -> list[Summary]:
        """Summarise analysed texts; each summary depends on its own text alone.

        Without ``options`` the bundle's own length rule holds, ranker included. Its view on repeats
        holds with any length.
        """
        return [self._summarise(analysis, options, kind) for analysis in analyses]

    def _summarise(
        self, analysis: Analysis, options: SelectionOptions | None, kind: UnitKind | None
    ) -> Summary:
        judgement = self.scorer.judge(analysis)
        tuned = self.scorer.decoding.options(judgement.rank)
        chosen = tuned if options is None else replace(options, redundancy=tuned.redundancy)
        units = kind or self.scorer.kind
        return compose(analysis, judgement.scores, chosen, units, self.scorer.model)


def neural_pipeline(
    read_file: Callable[[str], bytes], settings: Mapping[str, Any], *, model: ModelId
) -> NeuralPipeline:
    """Build both from the files of a bundle."""
    shared = SharedReader(neural_analyser(read_file, dict(settings)))
    scorer = neural_scorer(read_file, settings, model=model, read=shared.read)
    return NeuralPipeline(shared, scorer)
