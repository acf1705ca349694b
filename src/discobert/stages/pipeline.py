"""The method on one screen: texts, analyses, scores, choices, summaries."""

from collections.abc import Sequence
from dataclasses import dataclass

from discobert.data.summary import Analysis, ModelId, Scores, Summary
from discobert.logic.realise import realise
from discobert.logic.select import SelectionOptions, select
from discobert.logic.units import UnitKind, candidates
from discobert.stages.protocols import Analyser, CorefResolver, RstParser, Scorer, Segmenter


@dataclass(frozen=True, slots=True)
class StagedAnalyser:
    """Raw texts to whole analyses, one stage after the other."""

    segmenter: Segmenter
    parser: RstParser
    resolver: CorefResolver

    def analyse(self, texts: Sequence[tuple[str, str]]) -> list[Analysis]:
        """Analyse (id, text) pairs."""
        documents = self.segmenter.segment(texts)
        trees = self.parser.parse(documents)
        clusters = self.resolver.resolve(documents)
        return [Analysis(*parts) for parts in zip(documents, trees, clusters, strict=True)]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Raw texts to summaries that can explain themselves."""

    analyser: Analyser
    scorer: Scorer

    def summarise(
        self, analyses: Sequence[Analysis], options: SelectionOptions, kind: UnitKind
    ) -> list[Summary]:
        """Summarise analysed texts; each summary depends on its own text alone."""
        scores = self.scorer.score(analyses)
        model = self.scorer.model
        pairs = zip(analyses, scores, strict=True)
        return [compose(analysis, score, options, kind, model) for analysis, score in pairs]


def compose(
    analysis: Analysis, scores: Scores, options: SelectionOptions, kind: UnitKind, model: ModelId
) -> Summary:
    """Choose units with all that they need, and write them out."""
    document, scores, dependencies = candidates(analysis, scores, kind)
    choice = select(document, scores, dependencies, options)
    lines = realise(document, choice.selection.edus, rules=options.repairs)
    return Summary(document, scores, choice.selection, dependencies, lines, model, choice.warnings)
