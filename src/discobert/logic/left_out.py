"""Why the units that a summary lacks were not chosen."""

from collections.abc import Mapping

from discobert.data.summary import Selection
from discobert.logic.draft import Draft, SelectionTask
from discobert.logic.quoted import quoted_units


def left_reasons(task: SelectionTask, selection: Selection) -> tuple[str, ...]:
    """Name a reason for each unit not chosen, in reading order, see ``data.explanation.LEFT``.

    What scores lower than all chosen for their score was left for that; what scores higher was
    refused, or did not fit into what the others left free.
    """
    draft = _draft(task, selection)
    by_score = [
        task.scores[edu]
        for edu, reason in zip(selection.edus, selection.reasons, strict=True)
        if reason == "score"
    ]
    lowest = min(by_score, default=-float("inf"))
    barred = _barred(task)
    unchosen = set(range(len(task.scores))).difference(selection.edus)
    return tuple(barred.get(edu) or _reason(task, draft, edu, lowest) for edu in sorted(unchosen))


def _draft(task: SelectionTask, selection: Selection) -> Draft:
    draft = Draft(task)
    for edu in selection.edus:
        draft.add(edu, frozenset([edu]))
    return draft


def _barred(task: SelectionTask) -> Mapping[int, str]:
    excluded = set(range(len(task.scores))).difference(task.order)
    if not excluded:
        return {}
    quoted = quoted_units(task.document)
    return {edu: "quotation" if edu in quoted else "needs quotation" for edu in excluded}


def _reason(task: SelectionTask, draft: Draft, edu: int, lowest: float) -> str:
    if task.scores[edu] < lowest:
        return "score"
    new = draft.missing(edu)
    if draft.worth(edu, new) is None:
        return "repeats"
    return "method" if task.fits(draft.cost_with(new)) else "length"
