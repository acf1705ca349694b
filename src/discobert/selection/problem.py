"""A selection under way: what is chosen, why, and how long the text of it is."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from discobert.data.document import Document
from discobert.discourse.units import by_sentence
from discobert.selection.budget import LengthUnit, Limit, measure
from discobert.selection.redundancy import Gram, Redundancy, ngrams, overlap
from discobert.writing.realise import SentenceRealiser, lines

SCORE = "score"
"""The reason of an EDU that was chosen for itself."""

LEAD = "lead"
"""The reason of an EDU that was chosen as part of the first sentence, on demand."""

Reasons = dict[int, str]

_LONG_LINE = 64


@dataclass(frozen=True, slots=True)
class SelectionProblem:
    """All that a selection method needs to know about one document.

    ``order`` lists the EDUs by falling score, the earlier first among equals, without those that
    may not be chosen. ``margin`` is what a method must leave free of the limit.
    """

    document: Document
    scores: tuple[float, ...]
    order: tuple[int, ...]
    closures: tuple[frozenset[int], ...]
    limit: Limit
    redundancy: Redundancy
    realiser: SentenceRealiser
    edu_costs: tuple[int, ...]
    """What each EDU costs if nothing is repaired."""

    margin: int = 0
    lead: frozenset[int] = frozenset()
    """What a method must choose as far as it fits; its scores outweigh all others."""

    costs: dict[tuple[int, tuple[int, ...]], int] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def allowed(self) -> Collection[int]:
        """The EDUs that may be chosen."""
        n_edus = len(self.scores)
        return range(n_edus) if len(self.order) == n_edus else frozenset(self.order)

    @property
    def capacity(self) -> int | None:
        """What the lines of a summary may cost together, see ``line_cost``."""
        at_most = self.limit.at_most
        return None if at_most is None else at_most + self._overhead - self.margin

    @property
    def floor(self) -> int:
        """What the lines of a summary should cost together at least."""
        return self.limit.at_least + self._overhead if self.limit.at_least else 0

    @property
    def _overhead(self) -> int:
        # Every line counts the space after it; the last one has none.
        return 1 if self.limit.unit is LengthUnit.CHARS else 0

    def fits(self, cost: int) -> bool:
        """Tell whether lines of a cost are within the limit."""
        return self.capacity is None or cost <= self.capacity

    def line_cost(self, sentence: int, edus: tuple[int, ...]) -> int:
        """Count what the line of some EDUs of a sentence adds to the length of a summary.

        It is exact but for a mark whose partner is in another sentence, which counts as shown, and
        for very long lines: realising them anew for every EDU would take too long.
        """
        if self.limit.unit is LengthUnit.SENTENCES:
            return 1
        if self.limit.unit is LengthUnit.EDUS:
            return len(edus)
        if len(edus) > _LONG_LINE:
            return sum(self.edu_costs[edu] for edu in edus) + self._overhead
        key = sentence, edus
        if key not in self.costs:
            line = self.realiser.line(sentence, edus) or self.realiser.verbatim(sentence, edus)
            is_words = self.limit.unit is LengthUnit.WORDS
            self.costs[key] = len(line.split()) if is_words else len(line) + 1
        return self.costs[key]

    def length(self, edus: Collection[int]) -> int:
        """Count the length of the summary that shows these EDUs, exactly."""
        chosen = by_sentence(self.document, edus)
        counts_text = self.limit.unit in {LengthUnit.WORDS, LengthUnit.CHARS}
        written = lines(self.realiser, chosen) if counts_text else ()
        return measure(self.limit.unit, written, n_edus=len(edus), n_sentences=len(chosen))


class SelectionMethod(Protocol):
    """A way to choose EDUs."""

    def choose(self, problem: SelectionProblem) -> Reasons:
        """Choose EDUs, closed under dependencies, within the problem's capacity; or none."""
        ...


class PartialSelection:
    """EDUs chosen so far, always closed under dependencies."""

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
        return redundancy.worth(score, overlap(grams, self._shown))

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


def edu_costs(document: Document, unit: LengthUnit) -> tuple[int, ...]:
    """Count what each EDU adds to the length of a summary if nothing is repaired."""
    texts = (document.edu_text(edu) for edu in range(len(document.edus)))
    if unit is LengthUnit.WORDS:
        return tuple(len(text.split()) for text in texts)
    if unit is LengthUnit.CHARS:
        return tuple(len(text) + 1 for text in texts)
    return (1 if unit is LengthUnit.EDUS else 0,) * len(document.edus)


def whole_document(problem: SelectionProblem) -> Reasons | None:
    """Choose everything if there is an upper bound and the document keeps to it."""
    if problem.limit.at_most is None or len(problem.order) < len(problem.scores):
        return None
    edus = range(len(problem.document.edus))
    within = problem.length(edus) <= problem.limit.at_most
    return dict.fromkeys(edus, SCORE) if within else None
