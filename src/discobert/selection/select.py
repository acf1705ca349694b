"""Scores to a selection that keeps to dependencies and length."""

import math
from dataclasses import dataclass, replace

from discobert.data.document import Document
from discobert.data.graph import DiscourseGraph, Edge
from discobert.data.summary import Scores, Selection, SummaryWarning
from discobert.discourse.clause_needs import DEFAULT as DEFAULT_NEEDS
from discobert.discourse.clause_needs import Needs
from discobert.discourse.dependencies import closures
from discobert.errors import InvalidGraph, InvalidValue
from discobert.selection.antecedents import ReferencePolicy
from discobert.selection.budget import NO_BUDGET, Budget, LengthUnit
from discobert.selection.greedy import Greedy
from discobert.selection.headings import Headings
from discobert.selection.length_normalisation import NO_NORMALISATION, LengthNormalisation
from discobert.selection.preferences import NO_WISHES, Wishes, steer
from discobert.selection.problem import (
    LEAD,
    SCORE,
    Reasons,
    SelectionMethod,
    SelectionProblem,
    edu_costs,
)
from discobert.selection.redundancy import ALLOW_REPEATS, Redundancy
from discobert.writing.fragments import Repairs
from discobert.writing.realise import SentenceRealiser
from discobert.writing.repairs import DEFAULT

GREEDY = Greedy()


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How readable a summary shall be, whatever its length and method."""

    repairs: Repairs = DEFAULT
    needs: Needs = DEFAULT_NEEDS
    references: ReferencePolicy = ReferencePolicy.REPAIR
    headings: Headings = Headings.SKIP


READABLE = Style()
RESOLVED = Style(references=ReferencePolicy.RESOLVE)
"""Names take the place of pronouns whose antecedent is not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionOptions:
    """How EDUs are chosen and written out."""

    method: SelectionMethod = GREEDY
    budget: Budget = NO_BUDGET
    redundancy: Redundancy = ALLOW_REPEATS
    economy: LengthNormalisation = NO_NORMALISATION
    repairs: Repairs = DEFAULT
    needs: Needs = DEFAULT_NEEDS
    references: ReferencePolicy = ReferencePolicy.REPAIR
    headings: Headings = Headings.SKIP
    wishes: Wishes = NO_WISHES

    def styled(self, style: Style) -> "SelectionOptions":
        """Return the options with another style."""
        return replace(
            self,
            repairs=style.repairs,
            needs=style.needs,
            references=style.references,
            headings=style.headings,
        )


DEFAULT_OPTIONS = SelectionOptions()


@dataclass(frozen=True, slots=True)
class Choice:
    """A selection and what its reader should know about it."""

    selection: Selection
    warnings: tuple[SummaryWarning, ...] = ()


def select(
    document: Document,
    scores: Scores,
    edges: tuple[Edge, ...],
    options: SelectionOptions = DEFAULT_OPTIONS,
) -> Choice:
    """Choose EDUs with all that they need, at least one, within the budget.

    ``edges`` are the dependencies to obey, each inside one sentence. If not even one closed unit
    fits, the one of the best score is chosen, with the warning ``over-budget``.
    """
    problem = selection_problem(document, scores, edges, options)
    reasons = _within_limit(problem, options.method) or _one_unit(problem)
    reasons |= {edu: LEAD for edu in problem.lead if reasons.get(edu) == SCORE}
    edus = tuple(sorted(reasons))
    selection = Selection(edus, tuple(reasons[edu] for edu in edus))
    return Choice(selection, _warnings(problem, edus))


def selection_problem(
    document: Document,
    scores: Scores,
    edges: tuple[Edge, ...],
    options: SelectionOptions,
) -> SelectionProblem:
    """Gather what a method needs; a wanted lead outweighs all else, the unwanted has no place."""
    _check(document, scores, edges)
    steering = steer(document, edges, options.wishes)
    closed = closures(len(scores.values), edges)
    limit = options.budget.limit(document)
    worths = scores.values
    if limit.unit in {LengthUnit.WORDS, LengthUnit.CHARS}:  # else a long unit costs no more
        words = edu_costs(document, LengthUnit.WORDS)
        worths = options.economy.weighed(scores.values, closed, words)
    values = _lifted(worths, steering.lead)
    allowed = [edu for edu in range(len(values)) if edu not in steering.excluded]
    return SelectionProblem(
        document=document,
        scores=values,
        order=tuple(sorted(allowed, key=lambda edu: (-values[edu], edu))),
        closures=closed,
        limit=limit,
        redundancy=options.redundancy,
        realiser=SentenceRealiser(document, options.repairs),
        edu_costs=edu_costs(document, limit.unit),
        lead=steering.lead,
    )


def _lifted(values: tuple[float, ...], lead: frozenset[int]) -> tuple[float, ...]:
    """Raise the scores of the lead above what all others together are worth."""
    lift = 1 + math.fsum(map(abs, values)) if lead else 0
    return tuple(value + lift if edu in lead else value for edu, value in enumerate(values))


def _check(document: Document, scores: Scores, edges: tuple[Edge, ...]) -> None:
    n_edus = len(document.edus)
    if len(scores.values) != n_edus:
        raise InvalidValue(f"{document.id}: {len(scores.values)} scores for {n_edus} EDUs")
    for edu, score in enumerate(scores.values):
        if not math.isfinite(score):
            raise InvalidValue(f"{document.id}: the score of EDU {edu} must be finite, got {score}")
    for edge in DiscourseGraph(n_edus, edges).edges:
        if document.edus[edge.dependent].sentence != document.edus[edge.head].sentence:
            raise InvalidGraph(
                f"{document.id}: dependency {edge.dependent} -> {edge.head} leaves its sentence; "
                "selection obeys those inside one sentence (see dependencies.enforced)"
            )


def _within_limit(problem: SelectionProblem, method: SelectionMethod) -> Reasons:
    """Choose again with a margin for as long as the realised text is too long.

    A method counts a quotation mark as shown whose partner is in another sentence. If that is not
    shown, repairs may leave a line a character longer than counted.
    """
    while True:
        reasons = method.choose(problem)
        excess = _excess(problem, reasons)
        if excess <= 0:
            return reasons
        problem = replace(problem, margin=problem.margin + excess)


def _excess(problem: SelectionProblem, reasons: Reasons) -> int:
    at_most = problem.limit.at_most
    return problem.length(tuple(reasons)) - at_most if at_most is not None and reasons else 0


def _one_unit(problem: SelectionProblem) -> Reasons:
    """Choose the best unit that fits, or else the best one."""
    units = (_unit(problem, edu) for edu in problem.order)
    fitting = (reasons for reasons in units if _excess(problem, reasons) <= 0)
    return next(fitting, _unit(problem, problem.order[0]))


def _unit(problem: SelectionProblem, edu: int) -> Reasons:
    return dict.fromkeys(problem.closures[edu], f"needed by {edu}") | {edu: SCORE}


def _warnings(problem: SelectionProblem, edus: tuple[int, ...]) -> tuple[SummaryWarning, ...]:
    limit, length = problem.limit, problem.length(edus)
    unit = limit.unit.value
    if limit.at_most is not None and length > limit.at_most:
        message = f"not even one unit fits {limit.at_most} {unit}; the best one has {length}"
        return (SummaryWarning("over-budget", message, unit=problem.order[0]),)
    if length < limit.at_least:
        message = f"the summary has {length} of at least {limit.at_least} {unit}; no more fits"
        return (SummaryWarning("under-minimum", message),)
    return ()
