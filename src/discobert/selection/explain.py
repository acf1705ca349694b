"""Why units were not selected."""

from collections.abc import Mapping

from discobert.data.summary import Selection
from discobert.discourse.units import quoted_units
from discobert.selection.partial import PartialSelection
from discobert.selection.problem import SelectionProblem
from discobert.selection.readable.choose import ReadableSearch
from discobert.selection.readable.explain import readable_reasons
from discobert.selection.select import Solution


def reasons_left_out(solution: Solution) -> tuple[str, ...]:
    """Name a reason for each unit not selected, in reading order, see ``data.explanation.LEFT``.

    What scores lower than all chosen for their score was left for that; what scores higher was
    refused, or did not fit into what the others left free.
    """
    problem, selection = solution.problem, solution.selection
    if isinstance(problem.search, ReadableSearch):
        return readable_reasons(problem, problem.search, selection.edus)
    partial = _partial(problem, selection)
    by_score = [
        problem.scores[edu]
        for edu, reason in zip(selection.edus, selection.reasons, strict=True)
        if reason == "score"
    ]
    lowest = min(by_score, default=-float("inf"))
    barred = _barred(problem)
    unchosen = set(range(len(problem.scores))).difference(selection.edus)
    return tuple(
        barred.get(edu) or _reason(problem, partial, edu, lowest) for edu in sorted(unchosen)
    )


def _partial(problem: SelectionProblem, selection: Selection) -> PartialSelection:
    partial = PartialSelection(problem)
    for edu in selection.edus:
        partial.add(edu, frozenset([edu]))
    return partial


def _barred(problem: SelectionProblem) -> Mapping[int, str]:
    excluded = set(range(len(problem.scores))).difference(problem.order)
    if not excluded:
        return {}
    quoted = quoted_units(problem.document)
    return {edu: "quotation" if edu in quoted else "needs quotation" for edu in excluded}


def _reason(problem: SelectionProblem, partial: PartialSelection, edu: int, lowest: float) -> str:
    if problem.scores[edu] < lowest:
        return "score"
    new = partial.missing(edu)
    if partial.worth(edu, new) is None:
        return "repeats"
    return "method" if problem.fits(partial.cost_with(new)) else "length"
