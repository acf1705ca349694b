"""A selection problem solved: closed under dependencies, within the limit, never empty."""

from dataclasses import dataclass, replace

from discobert.data.summary import Selection, SummaryWarning
from discobert.selection.budget import Limit
from discobert.selection.build import with_rules
from discobert.selection.paper.greedy import Greedy
from discobert.selection.problem import LEAD, SCORE, Reasons, SelectionProblem
from discobert.selection.readable.choose import ReadableSearch

_ONE_STEP = Greedy(max_steps=1)
"""One unit, then as many as a lower bound asks for."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A selection, the problem that it solves, and what its reader should know about it."""

    problem: SelectionProblem
    selection: Selection
    warnings: tuple[SummaryWarning, ...] = ()


def select(problem: SelectionProblem) -> Solution:
    """Select EDUs with all that they depend on, at least one, within the limit.

    If not even one closed unit fits, the one of the best score is selected, with the warning
    ``over-budget``. If the usual length misses a lower bound, the problem is solved once more with
    that bound in place of the usual limit.
    """
    solution = _solve(problem)
    if problem.minimum is None or _reaches(solution, problem.minimum):
        return solution
    if isinstance(problem.search, ReadableSearch):
        return _solve(problem.limited_to(problem.minimum, problem.search))
    search = with_rules(_ONE_STEP, problem.request)
    return _solve(problem.limited_to(problem.minimum, search))


def _solve(problem: SelectionProblem) -> Solution:
    reasons = _within_limit(problem) or _one_unit(problem)
    reasons |= {edu: LEAD for edu in problem.lead if reasons.get(edu) == SCORE}
    edus = tuple(sorted(reasons))
    selection = Selection(edus, tuple(reasons[edu] for edu in edus))
    return Solution(problem, selection, _warnings(problem, edus))


def _reaches(solution: Solution, minimum: Limit) -> bool:
    measured = replace(solution.problem, limit=minimum, costs={})
    return measured.length(solution.selection.edus) >= minimum.at_least


def _within_limit(problem: SelectionProblem) -> Reasons:
    """Search again with a margin for as long as the realised text is too long.

    A search counts a quotation mark as shown whose partner is in another sentence. If that is not
    shown, repairs may leave a line a character longer than counted.
    """
    while True:
        reasons = problem.search.choose(problem)
        excess = _excess(problem, reasons)
        if excess <= 0:
            return reasons
        problem = replace(problem, margin=problem.margin + excess)


def _excess(problem: SelectionProblem, reasons: Reasons) -> int:
    at_most = problem.limit.at_most
    return problem.length(tuple(reasons)) - at_most if at_most is not None and reasons else 0


def _one_unit(problem: SelectionProblem) -> Reasons:
    """Select the best unit that fits, or else the best one."""
    units = (_unit(problem, edu) for edu in problem.order)
    fitting = (reasons for reasons in units if _excess(problem, reasons) <= 0)
    if not isinstance(problem.search, ReadableSearch):
        return next(fitting, _unit(problem, problem.order[0]))
    return _shortest_unit(problem, problem.search)


def _shortest_unit(problem: SelectionProblem, search: ReadableSearch) -> Reasons:
    """Select the shortest closed unit of the sentences that may be selected."""
    eligible, edus = search.eligible(problem), problem.document.edus
    order = [edu for edu in problem.order if eligible[edus[edu].sentence]]
    units = [_unit(problem, edu) for edu in order or problem.order]
    return min(units, key=lambda reasons: (problem.length(tuple(reasons)), min(reasons)))


def _unit(problem: SelectionProblem, edu: int) -> Reasons:
    return dict.fromkeys(problem.closures[edu], f"needed by {edu}") | {edu: SCORE}


def _warnings(problem: SelectionProblem, edus: tuple[int, ...]) -> tuple[SummaryWarning, ...]:
    limit, length = problem.limit, problem.length(edus)
    counted = limit.unit.counted
    if limit.at_most is not None and length > limit.at_most:
        which, at = "best", problem.order[0]
        if isinstance(problem.search, ReadableSearch):
            which, at = "shortest", edus[0]
        message = f"not even one unit fits {counted(limit.at_most)}; the {which} one has {length}"
        return (SummaryWarning("over-budget", message, unit=at),)
    if length < limit.at_least:
        least = counted(limit.at_least)
        message = f"the summary has {length} of at least {least}; no more fits"
        return (SummaryWarning("under-minimum", message),)
    return ()
