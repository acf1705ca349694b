"""Single decisions of the paper's released code in place of the paper's or ours, to see their cost.

Each is a system beside ``discobert-bare``, with the same scores and the same length: the paper's
selection with repairs of lines alone. The violations that ``evaluate`` counts show which of them
break the promise that no clause is shown without one that it needs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from discobert.api import Summarizer
from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import (
    LEGACY,
    OURS,
    PAPER,
    DependencyRules,
    closures,
    enforced_dependencies,
)
from discobert.evaluate.systems import Reach, SystemExtract
from discobert.selection.build import Decoding, build_problem, requested_decoding
from discobert.selection.paper.greedy import Greedy, Overflow
from discobert.selection.partial import PartialSelection, whole_document
from discobert.selection.problem import Reasons, Search, SelectionProblem
from discobert.selection.redundancy import ALLOW_REPEATS, Gram, ngrams
from discobert.selection.request import SummaryRequest
from discobert.selection.select import select
from discobert.selection.write import write
from discobert.store.corpora.articles import Article

_TRIGRAM = 3


def direct_heads(n_edus: int, edges: Sequence[Edge]) -> tuple[frozenset[int], ...]:
    """Return, for each EDU, itself and its direct heads: one step, not the whole chain."""
    brought = [{edu} for edu in range(n_edus)]
    for edge in edges:
        brought[edge.dependent].add(edge.head)
    return tuple(map(frozenset, brought))


@dataclass(frozen=True, slots=True)
class UnitBlocking:
    """Refuses single EDUs of a closure that repeat three words, and keeps the rest of it.

    A head may go while its dependent stays, which is why ours takes or refuses closures whole.
    """

    overflow: Overflow = Overflow.SKIP

    def choose(self, problem: SelectionProblem) -> Reasons:
        """Choose EDUs by falling score."""
        whole = whole_document(problem)
        if whole:
            return whole
        partial, shown = PartialSelection(problem), set[Gram]()
        for edu in problem.order:
            missing = partial.missing(edu)
            new = frozenset(u for u in missing if not _grams(problem.document, u) & shown)
            if not new:
                continue
            if partial.add_if_fits(edu, new):
                shown.update(*(_grams(problem.document, unit) for unit in new))
            elif self.overflow is Overflow.STOP and partial.reasons:
                break
        return partial.reasons


def _grams(document: Document, edu: int) -> frozenset[Gram]:
    return ngrams(document, (edu,), _TRIGRAM)


def block_by_unit(decoding: Decoding) -> Decoding:
    """Block repeats unit by unit inside closures."""
    search: Search = decoding.search
    overflow = search.overflow if isinstance(search, Greedy) else Overflow.SKIP
    return replace(decoding, search=UnitBlocking(overflow), redundancy=ALLOW_REPEATS)


def allow_repeats(decoding: Decoding) -> Decoding:
    """Refuse no repeats."""
    return replace(decoding, redundancy=ALLOW_REPEATS)


def unchanged(decoding: Decoding) -> Decoding:
    """Decode as the model was tuned to."""
    return decoding


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """What differs from ours in one system."""

    rules: DependencyRules = OURS
    reach: Reach = closures
    decoding: Callable[[Decoding], Decoding] = unchanged

    def summary_by(
        self, summarizer: Summarizer, request: SummaryRequest, article: Article, analysis: Analysis
    ) -> SystemExtract:
        """Select by the model's scores with this difference, and write it out as requested."""
        document = analysis.document
        salience = summarizer.pipeline.scorer.score(analysis)
        edges = enforced_dependencies(document, analysis.rst, rules=self.rules)
        problem = build_problem(
            document,
            salience.scores,
            edges,
            decoding=self.decoding(requested_decoding(salience, salience.unit, request)),
            request=request,
            clusters=analysis.coref,
        )
        reached = replace(problem, closures=self.reach(len(document.edus), edges))
        solution = select(reached.limited_to(problem.limit, problem.search))
        return SystemExtract(write(solution).lines, solution.selection.edus)


ONE_HOP = Departure(reach=direct_heads)
LEFT_SUBJECT = Departure(rules=replace(OURS, subject_test=LEGACY.subject_test))
PLAIN_SAME_UNIT = Departure(rules=PAPER)
UNIT_BLOCKING = Departure(decoding=block_by_unit)
NO_BLOCKING = Departure(decoding=allow_repeats)
