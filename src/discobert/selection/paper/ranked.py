"""Candidate summaries of one document, for a model that ranks whole summaries.

All of them are what greedy selection would choose, at several lengths, and what it would choose if
one of its first picks were not there: few, good, and different where it matters.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from discobert.errors import UsageError
from discobert.selection.problem import SCORE, Reasons, SelectionProblem
from discobert.selection.redundancy import ngrams

RankCandidates = Callable[[Sequence[tuple[int, ...]]], Sequence[float]]
"""Scores of candidates, each given as its units in reading order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateOptions:
    """How many steps a candidate takes, and how many first picks are left out in turn."""

    min_steps: int = 3
    max_steps: int = 8
    leave_out: int = 3

    def __post_init__(self) -> None:
        if not 1 <= self.min_steps <= self.max_steps or self.leave_out < 0:
            raise UsageError(
                "candidates need 1 <= min_steps <= max_steps and leave_out >= 0, got "
                f"{self.min_steps}, {self.max_steps} and {self.leave_out}"
            )


DEFAULT = CandidateOptions()


@dataclass(frozen=True, slots=True)
class GreedyInput:
    """What greedy selection works on: units by falling score, their closures and n-grams."""

    order: Sequence[int]
    closures: Sequence[Collection[int]]
    grams: Sequence[frozenset[object]]


def candidate_choices(given: GreedyInput, options: CandidateOptions = DEFAULT) -> list[Reasons]:
    """List candidates with the reason of each unit, none twice; plain greedy ones come first."""
    picks = [*_grown(given, options.max_steps)]
    found: dict[tuple[int, ...], Reasons] = {}
    _keep(found, picks, options)
    firsts = [pick for pick, _ in picks[: options.leave_out]]
    for first in firsts:
        _keep(found, [*_grown(given, options.max_steps, without=first)], options)
    return list(found.values())


def _keep(
    found: dict[tuple[int, ...], Reasons],
    picks: Sequence[tuple[int, Reasons]],
    options: CandidateOptions,
) -> None:
    """Add those of enough steps; a document too short for that gives its longest."""
    for _, reasons in picks[options.min_steps - 1 :] or picks[-1:]:
        found.setdefault(tuple(sorted(reasons)), reasons)


def _grown(
    given: GreedyInput, max_steps: int, *, without: int | None = None
) -> Iterator[tuple[int, Reasons]]:
    """Yield the unit picked at each step and the selection after it, repeats refused."""
    reasons: Reasons = {}
    shown: set[object] = set()
    n_steps = 0
    for unit in given.order:
        new = [other for other in given.closures[unit] if other not in reasons]
        if unit in reasons or without in given.closures[unit]:
            continue
        grams = frozenset[object]().union(*(given.grams[other] for other in new))
        if grams & shown:
            continue
        shown |= grams
        reasons |= {other: SCORE if other == unit else f"needed by {unit}" for other in new}
        n_steps += 1
        yield unit, dict(reasons)
        if n_steps == max_steps:
            return


@dataclass(frozen=True, slots=True)
class Ranked:
    """Selection by rank: of all candidates within the limit, the one the model puts first."""

    rank: RankCandidates
    options: CandidateOptions = DEFAULT

    def choose(self, problem: SelectionProblem) -> Reasons:
        """Choose a candidate, or none if none fits."""
        n = problem.redundancy.n
        grams = [
            ngrams(problem.document, [edu], n) if n else frozenset[object]()
            for edu in range(len(problem.closures))
        ]
        found = candidate_choices(GreedyInput(problem.order, problem.closures, grams), self.options)
        fitting = [reasons for reasons in found if self._fits(problem, reasons)]
        if not fitting:
            return {}
        most = max(len(problem.lead.intersection(reasons)) for reasons in fitting)
        fitting = [each for each in fitting if len(problem.lead.intersection(each)) == most]
        scores = self.rank([tuple(sorted(reasons)) for reasons in fitting])
        return max(zip(scores, fitting, strict=True), key=lambda pair: pair[0])[1]

    @staticmethod
    def _fits(problem: SelectionProblem, reasons: Reasons) -> bool:
        at_most = problem.limit.at_most
        return at_most is None or problem.length(tuple(reasons)) <= at_most - problem.margin
