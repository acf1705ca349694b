"""A selection problem: units of one document with scores, dependencies, costs and a limit."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.summary import Scores, SummaryWarning
from discobert.discourse.references import References
from discobert.discourse.units import by_sentence
from discobert.selection.budget import LengthUnit, Limit, length_in
from discobert.selection.paper.length_normalisation import LengthNormalisation
from discobert.selection.redundancy import Redundancy
from discobert.selection.request import SummaryRequest
from discobert.writing.realise import SentenceRealiser, lines

SCORE = "score"
"""The reason of an EDU that was selected for its score."""

LEAD = "lead"
"""The reason of an EDU that was selected as part of the first sentence, on demand."""

Reasons = dict[int, str]
"""Selected EDUs, each with its reason."""

_LONG_LINE = 64


class Search(Protocol):
    """A way to select EDUs."""

    def choose(self, problem: "SelectionProblem") -> Reasons:
        """Select EDUs, closed under dependencies, within the problem's capacity; or none."""
        ...


@dataclass(frozen=True, slots=True)
class SelectionProblem:
    """All that selection, writing and explanation need of one document.

    ``order`` lists the EDUs by falling score, the earlier first among equals, without those that
    may not be selected. ``margin`` is what a search must leave free of the limit.
    """

    document: Document
    clusters: tuple[Cluster, ...]
    references: References = field(repr=False)
    salience: Scores
    """The scores of the model, raised where the focus is."""
    dependencies: tuple[Edge, ...]
    scores: tuple[float, ...]
    """What units are compared by: salience after length normalisation, the lead above all."""
    order: tuple[int, ...]
    closures: tuple[frozenset[int], ...]
    limit: Limit
    search: Search
    redundancy: Redundancy
    length_normalisation: LengthNormalisation
    realiser: SentenceRealiser
    edu_costs: tuple[int, ...]
    """What each EDU costs if nothing is repaired."""
    request: SummaryRequest

    margin: int = 0
    lead: frozenset[int] = frozenset()
    """What a search must select as far as it fits; its scores outweigh all others."""
    minimum: Limit | None = None
    """A lower bound that the usual length may miss; it then takes the place of ``limit``."""
    warnings: tuple[SummaryWarning, ...] = ()
    """What was found while the problem was built."""

    costs: dict[tuple[int, tuple[int, ...]], int] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def allowed(self) -> Collection[int]:
        """The EDUs that may be selected."""
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
        """Return whether lines of a cost are within the limit."""
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
        return length_in(self.limit.unit, written, n_edus=len(edus), n_sentences=len(chosen))

    def limited_to(self, limit: Limit, search: Search) -> "SelectionProblem":
        """Return the problem with another limit and another search."""
        costs = edu_costs(self.document, limit.unit)
        scores = comparable_scores(
            self.document,
            self.salience.values,
            self.closures,
            limit.unit,
            self.length_normalisation,
        )
        scores = lifted(scores, self.lead)
        return replace(
            self,
            limit=limit,
            search=search,
            scores=scores,
            order=by_score(scores, self.order),
            edu_costs=costs,
            minimum=None,
            costs={},
        )


def edu_costs(document: Document, unit: LengthUnit) -> tuple[int, ...]:
    """Count what each EDU adds to the length of a summary if nothing is repaired."""
    texts = (document.edu_text(edu) for edu in range(len(document.edus)))
    if unit is LengthUnit.WORDS:
        return tuple(len(text.split()) for text in texts)
    if unit is LengthUnit.CHARS:
        return tuple(len(text) + 1 for text in texts)
    return (1 if unit is LengthUnit.EDUS else 0,) * len(document.edus)


def comparable_scores(
    document: Document,
    salience: Sequence[float],
    closures: Sequence[Collection[int]],
    unit: LengthUnit,
    normalisation: LengthNormalisation,
) -> tuple[float, ...]:
    """Normalise scores by length, unless lengths are counted so that long units cost no more."""
    if unit not in {LengthUnit.WORDS, LengthUnit.CHARS}:
        return tuple(salience)
    return normalisation.weighed(salience, closures, edu_costs(document, LengthUnit.WORDS))


def lifted(scores: tuple[float, ...], lead: frozenset[int]) -> tuple[float, ...]:
    """Raise the scores of the lead above the sum of all others."""
    lift = 1 + math.fsum(map(abs, scores)) if lead else 0
    return tuple(score + lift if edu in lead else score for edu, score in enumerate(scores))


def by_score(scores: Sequence[float], allowed: Iterable[int]) -> tuple[int, ...]:
    """Order EDUs by falling score, the earlier first among equals."""
    return tuple(sorted(allowed, key=lambda edu: (-scores[edu], edu)))
