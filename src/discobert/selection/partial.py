"""A selection under construction: what is selected, why, and how long its text is."""

from collections.abc import Iterable

from discobert.discourse.units import by_sentence
from discobert.selection.preferences import roles_left_out
from discobert.selection.problem import SCORE, Reasons, SelectionProblem
from discobert.selection.redundancy import Gram, ngrams, repeated_share


class PartialSelection:
    """EDUs selected so far, always closed under dependencies."""

    def __init__(self, problem: SelectionProblem) -> None:
        self.reasons: Reasons = {}
        self.cost = 0
        self._problem = problem
        self._lines: dict[int, tuple[int, ...]] = {}
        self._shown: set[Gram] = set()

    def missing(self, edu: int) -> frozenset[int]:
        """Return what choosing an EDU would add: itself and what it needs, as far as not chosen."""
        return self._problem.closures[edu].difference(self.reasons)

    def worth(self, edu: int, new: frozenset[int]) -> float | None:
        """Return the score of an EDU in view of what is shown, or ``None`` if it is refused."""
        redundancy = self._problem.redundancy
        score = self._problem.scores[edu]
        if redundancy.n == 0:
            return redundancy.worth(score, 0.0)
        grams = ngrams(self._problem.document, new, redundancy.n)
        return redundancy.worth(score, repeated_share(grams, self._shown))

    def cost_with(self, new: frozenset[int]) -> int:
        """Return the cost after adding EDUs."""
        return self.cost + sum(
            self._problem.line_cost(sentence, edus) - self._line_cost(sentence)
            for sentence, edus in self._lines_with(new).items()
        )

    def add(self, edu: int, new: frozenset[int]) -> None:
        """Choose an EDU and what it needs."""
        self.cost = self.cost_with(new)
        self._lines |= self._lines_with(new)
        self.reasons |= {other: SCORE if other == edu else f"needed by {edu}" for other in new}
        if self._problem.redundancy.n:
            self._shown |= ngrams(self._problem.document, new, self._problem.redundancy.n)

    def add_if_fits(self, edu: int, new: frozenset[int]) -> bool:
        """Choose an EDU and what it needs if the limit allows."""
        fits = self._problem.fits(self.cost_with(new))
        if fits:
            self.add(edu, new)
        return fits

    def top_up(self, edus: Iterable[int]) -> None:
        """Add EDUs in the order given until the problem's minimum is reached, repeats or not."""
        for edu in edus:
            if self.cost >= self._problem.floor:
                return
            new = self.missing(edu)
            if new:
                self.add_if_fits(edu, new)

    def _line_cost(self, sentence: int) -> int:
        shown = self._lines.get(sentence)
        return self._problem.line_cost(sentence, shown) if shown else 0

    def _lines_with(self, new: frozenset[int]) -> dict[int, tuple[int, ...]]:
        return {
            sentence: tuple(sorted((*self._lines.get(sentence, ()), *edus)))
            for sentence, edus in by_sentence(self._problem.document, new).items()
        }


def whole_document(problem: SelectionProblem) -> Reasons | None:
    """Choose everything if there is an upper bound and the document keeps to it.

    What is left out for its role in the file (headings, quoted mail) is not part of everything.
    """
    if problem.limit.at_most is None:
        return None
    edus = sorted(problem.order)
    if len(edus) < len(problem.scores):
        roles = roles_left_out(problem.document, problem.request)
        if len(edus) + len(roles) < len(problem.scores) or not roles.keys().isdisjoint(edus):
            return None
    within = problem.length(edus) <= problem.limit.at_most
    return dict.fromkeys(edus, SCORE) if within else None
