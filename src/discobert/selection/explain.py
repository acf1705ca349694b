"""Why units were not selected, and how harmless it is to cut them out of their sentence."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from discobert.data.cuts import Cut
from discobert.data.summary import Analysis, Selection
from discobert.discourse.units import by_sentence
from discobert.selection.partial import PartialSelection
from discobert.selection.preferences import quotation_units, roles_left_out
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
        reasons = readable_reasons(problem, problem.search, selection.edus)
        return _with_roles(problem, selection, reasons)
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


def cuts_made(analysis: Analysis, solution: Solution) -> tuple[Cut, ...]:
    """Return what was left out of each sentence that is shown in part, if it was scored.

    Two cuts of one sentence are harmless together with the product of their probabilities.
    """
    document = analysis.document
    if solution.problem.document is not document:
        return ()  # whole sentences
    judged: dict[int, list[Cut]] = {}
    for cut in analysis.cuts:
        judged.setdefault(document.edus[cut.edus[0]].sentence, []).append(cut)
    sentences = document.edus_by_sentence()
    made = (
        _cut(tuple(edu for edu in sentences[sentence] if edu not in shown), judged[sentence])
        for sentence, shown in by_sentence(document, solution.selection.edus).items()
        if sentence in judged
    )
    return tuple(cut for cut in made if cut is not None)


def _cut(gone: tuple[int, ...], judged: Sequence[Cut]) -> Cut | None:
    """Return the cut of the EDUs, with the highest probability that the scored cuts allow."""
    alone = [cut.harmless for cut in judged if cut.edus == gone]
    together = [
        one.harmless * other.harmless
        for one, other in combinations(judged, 2)
        if len(one.edus) + len(other.edus) == len(gone) and {*one.edus, *other.edus} == {*gone}
    ]
    harmless = max(alone + together, default=None)
    return None if harmless is None else Cut(gone, harmless)


def _partial(problem: SelectionProblem, selection: Selection) -> PartialSelection:
    partial = PartialSelection(problem)
    for edu in selection.edus:
        partial.add(edu, frozenset([edu]))
    return partial


def _barred(problem: SelectionProblem) -> Mapping[int, str]:
    excluded = set(range(len(problem.scores))).difference(problem.order)
    if not excluded:
        return {}
    quoted, roles = (
        quotation_units(problem.document),
        roles_left_out(problem.document, problem.request),
    )
    usual = {edu: "quotation" if edu in quoted else "needs quotation" for edu in excluded}
    return usual | {edu: roles[edu] for edu in excluded.intersection(roles)}


def _with_roles(
    problem: SelectionProblem, selection: Selection, reasons: tuple[str, ...]
) -> tuple[str, ...]:
    """Name the roles of units that may not be selected for them."""
    barred = _barred(problem)
    unchosen = sorted(set(range(len(problem.scores))).difference(selection.edus))
    return tuple(barred.get(edu, why) for edu, why in zip(unchosen, reasons, strict=True))


def _reason(problem: SelectionProblem, partial: PartialSelection, edu: int, lowest: float) -> str:
    if problem.scores[edu] < lowest:
        return "score"
    new = partial.missing(edu)
    if partial.worth(edu, new) is None:
        return "repeats"
    return "method" if problem.fits(partial.cost_with(new)) else "length"
