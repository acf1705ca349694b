"""The paper's selection: EDUs by falling score, each with all that it needs."""

from dataclasses import dataclass
from enum import Enum

from discobert.errors import UsageError
from discobert.selection.partial import PartialSelection, whole_document
from discobert.selection.problem import Reasons, SelectionProblem


class Overflow(Enum):
    """What happens when an EDU with its needs does not fit any more."""

    SKIP = "skip"
    """It is passed over, and lower scores are tried: the summary comes close to the limit."""

    STOP = "stop"
    """The selection ends, once something is chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Greedy:
    """Takes the best EDU with its whole closure, again and again; a closure is never split."""

    overflow: Overflow = Overflow.SKIP
    max_steps: int | None = None
    """How many EDUs may be chosen for their score (the paper's length: its L of 5 means 6)."""

    def __post_init__(self) -> None:
        if self.max_steps is not None and self.max_steps < 1:
            raise UsageError(f"max_steps must be at least 1, got {self.max_steps}")

    def choose(self, problem: SelectionProblem) -> Reasons:
        """Choose EDUs by falling score, without repeats."""
        whole = whole_document(problem) if self.max_steps is None else None
        if whole:
            return whole
        partial = PartialSelection(problem)
        self._fill(problem, partial)
        partial.top_up(problem.order)
        return partial.reasons

    def _fill(self, problem: SelectionProblem, partial: PartialSelection) -> None:
        n_steps = 0
        for edu in problem.order:
            if n_steps == self.max_steps:
                return
            new = partial.missing(edu)
            if not new or partial.worth(edu, new) is None:
                continue
            if partial.add_if_fits(edu, new):
                n_steps += 1
            elif self.overflow is Overflow.STOP and partial.reasons:
                return
