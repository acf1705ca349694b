"""The method on one screen: texts, analyses, scores, choices, summaries."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from discobert.data.summary import Analysis, ModelId, Scores, Summary
from discobert.discourse.units import UnitKind, candidates
from discobert.protocols import (
    Analyser,
    CorefResolver,
    Judge,
    Judgement,
    RstParser,
    Scorer,
    Segmenter,
)
from discobert.selection.antecedents import faithful
from discobert.selection.budget import Budget, measure
from discobert.selection.explain import reasons_left_out
from discobert.selection.greedy import Greedy
from discobert.selection.headings import telling
from discobert.selection.length_normalisation import NO_NORMALISATION
from discobert.selection.preferences import NO_WISHES, Wishes, focused, unfulfilled
from discobert.selection.select import READABLE, SelectionOptions, Style, select, selection_problem
from discobert.selection.write import written

THREE_SENTENCES = SelectionOptions(budget=Budget(sentences=3))
"""The length when nobody says and nothing was tuned."""


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
class FixedLength:
    """A scorer as a judge: any scores, always the same way to choose."""

    scorer: Scorer
    usual: SelectionOptions = THREE_SENTENCES
    kind: UnitKind = UnitKind.EDU

    @property
    def model(self) -> ModelId:
        """Who scores."""
        return self.scorer.model

    def judge(self, analysis: Analysis) -> Judgement:
        """Score one text."""
        (scores,) = self.scorer.score([analysis])
        return Judgement(scores, self.usual)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Raw texts to summaries that can explain themselves."""

    analyser: Analyser
    judge: Judge

    def summarise(
        self,
        analyses: Sequence[Analysis],
        options: SelectionOptions | None = None,
        kind: UnitKind | None = None,
        wishes: Wishes = NO_WISHES,
        style: Style = READABLE,
    ) -> list[Summary]:
        """Summarise analysed texts; each summary depends on its own text alone.

        Without ``options`` the judge's own length rule holds, as it does with a mere minimum that
        it reaches; its view on repeats always holds.
        """
        return [self._summarise(each, options, kind, wishes, style) for each in analyses]

    def _summarise(
        self,
        analysis: Analysis,
        options: SelectionOptions | None,
        kind: UnitKind | None,
        wishes: Wishes,
        style: Style,
    ) -> Summary:
        judgement = self.judge.judge(analysis)
        usual, units = judgement.usual, kind or self.judge.kind

        def made(chosen: SelectionOptions) -> Summary:
            # An exact optimum adds scores up, whatever they cost.
            economy = usual.economy if isinstance(chosen.method, Greedy) else NO_NORMALISATION
            chosen = replace(chosen, redundancy=usual.redundancy, economy=economy, wishes=wishes)
            chosen = chosen.styled(style)
            return compose(analysis, judgement.scores, chosen, units, self.judge.model)

        own = usual if units is self.judge.kind else THREE_SENTENCES
        if options is not None and not options.budget.is_minimum:
            return made(options)
        summary = made(own)
        if options is None or reaches(summary, options.budget):
            return summary
        return made(replace(options, method=Greedy(max_steps=1)))


def reaches(summary: Summary, least: Budget) -> bool:
    """Tell whether a summary is as long as it should be at least."""
    limit, edus = least.limit(summary.document), summary.selection.edus
    n_sentences = len({summary.document.edus[edu].sentence for edu in edus})
    length = measure(limit.unit, summary.sentences, n_edus=len(edus), n_sentences=n_sentences)
    return length >= limit.at_least


def compose(
    analysis: Analysis, scores: Scores, options: SelectionOptions, kind: UnitKind, model: ModelId
) -> Summary:
    """Choose units with all that they need, and write them out."""
    document, scores, dependencies = candidates(analysis, scores, kind, options.needs)
    scores, missed = focused(document, scores, analysis.coref, options.wishes)
    method = faithful(options.method, document, analysis.coref, options.references)
    method = telling(method, options.headings)
    choice = select(document, scores, dependencies, replace(options, method=method))
    selection = choice.selection
    lines, changes, loose = written(document, selection.edus, analysis.coref, options)
    left = reasons_left_out(selection_problem(document, scores, dependencies, options), selection)
    warnings = (
        *choice.warnings,
        *loose,
        *missed,
        *unfulfilled(document, selection, options.wishes),
    )
    return Summary(document, scores, selection, dependencies, lines, model, warnings, left, changes)
