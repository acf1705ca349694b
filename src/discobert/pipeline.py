"""The method: text → analysis → salience → selection → summary."""

from dataclasses import dataclass

from discobert.data.document import SourceText
from discobert.data.summary import Analysis, Summary, SummaryWarning
from discobert.protocols import Analyser, Scorer
from discobert.runtime.stages import stage
from discobert.selection.build import selection_problem
from discobert.selection.explain import cuts_made, reasons_left_out
from discobert.selection.preferences import unmet_preferences
from discobert.selection.request import DEFAULT_REQUEST, SummaryRequest
from discobert.selection.select import select
from discobert.selection.write import write


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Summarises texts with one analyser and one scorer."""

    analyser: Analyser  # sentences, EDUs, RST tree, coreference: NeuralAnalyser
    scorer: Scorer  # the DiscoBERT network: NeuralScorer; or a baseline

    def summarise(self, source: SourceText, request: SummaryRequest = DEFAULT_REQUEST) -> Summary:
        """Summarise a raw text."""
        return self.summarise_analysis(self.analyser.analyse(source), request)

    def summarise_analysis(
        self, analysis: Analysis, request: SummaryRequest = DEFAULT_REQUEST
    ) -> Summary:
        """Summarise an analysed text; without a length, as long as the scorer was tuned to."""
        salience = self.scorer.score(analysis)  # a score for every EDU
        stage("choosing")
        problem = selection_problem(analysis, salience, request)  # units, dependencies, limit
        solution = select(problem)  # closed under dependencies, within the limit
        written = write(solution)  # verbatim lines, repaired where clauses were cut
        problem, selection = solution.problem, solution.selection
        return Summary(
            document=problem.document,
            scores=problem.salience,
            selection=selection,
            dependencies=problem.dependencies,
            sentences=written.lines,
            model=self.scorer.model,
            warnings=(
                *solution.warnings,
                *written.warnings,
                *problem.warnings,
                *unmet_preferences(problem.document, selection, request),
                *(SummaryWarning(*note) for note in problem.document.markup.notes),
            ),
            left=reasons_left_out(solution),
            replacements=written.replacements,
            cuts=cuts_made(analysis, solution),
            is_news=salience.is_news,
            request=request.record(),
            analysis=analysis,
        )
