"""A selection written out: lines, what in them is not verbatim, and what a reader should know."""

from collections.abc import Sequence
from typing import NamedTuple

from discobert.data.summary import Replacement, SummaryWarning
from discobert.discourse.references import Dangling
from discobert.discourse.units import by_sentence
from discobert.selection.antecedents import dangling_warnings
from discobert.selection.budget import length_in
from discobert.selection.problem import SelectionProblem
from discobert.selection.request import ReferencePolicy
from discobert.selection.select import Solution
from discobert.writing.antecedent_names import replaced, replacements
from discobert.writing.realise import lines, realise


class WrittenSummary(NamedTuple):
    """The lines of a summary."""

    lines: tuple[str, ...]
    replacements: tuple[Replacement, ...] = ()
    warnings: tuple[SummaryWarning, ...] = ()


def write(solution: Solution) -> WrittenSummary:
    """Write the selected EDUs out, one line a sentence.

    Names replace pronouns without antecedent if that is asked for and the length allows it.
    """
    problem, edus = solution.problem, solution.selection.edus
    written = lines(problem.realiser, by_sentence(problem.document, edus))
    policy = problem.request.references
    if policy is ReferencePolicy.KEEP:
        return WrittenSummary(written)
    dangling = problem.references.dangling(edus)
    if policy is not ReferencePolicy.RESOLVE or not dangling:
        return WrittenSummary(written, (), dangling_warnings(problem.document, dangling, edus))
    changes = replacements(problem.document, problem.clusters, dangling)
    written, changes = _with_names(problem, edus, changes)
    resolved = {(change.unit, change.start) for change in changes}
    rest = tuple(one for one in dangling if _place(one) not in resolved)
    return WrittenSummary(written, changes, dangling_warnings(problem.document, rest, edus))


def _place(dangling: Dangling) -> tuple[int, int]:
    return dangling.unit, dangling.mention.span.start if dangling.mention else -1


def _with_names(
    problem: SelectionProblem, edus: Sequence[int], changes: Sequence[Replacement]
) -> tuple[tuple[str, ...], tuple[Replacement, ...]]:
    """Make as many changes, from the first on, as the length allows; bisection finds how many."""
    document, limit = problem.document, problem.limit
    n_sentences = len({document.edus[edu].sentence for edu in edus})
    repairs = problem.request.rules.repairs

    def lines_with(n_changes: int) -> tuple[str, ...]:
        return realise(replaced(document, changes[:n_changes]), edus, rules=repairs)

    def fits(n_changes: int) -> bool:
        length = length_in(
            limit.unit, lines_with(n_changes), n_edus=len(edus), n_sentences=n_sentences
        )
        return limit.at_most is None or length <= limit.at_most

    low, high = 0, len(changes)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return lines_with(low), tuple(changes[:low])
