"""Ratings of summaries by readers who do not know which system wrote which.

A panel is a set of documents with summaries by two or three systems. Each rater gets a sheet with
some or all of the documents; documents on several sheets measure how far raters agree.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from discobert.errors import InvalidValue

LOWEST, HIGHEST = 1, 5
MIN_SYSTEMS, MAX_SYSTEMS = 2, 3


class Question(Enum):
    """What raters answer about each summary; the paper asked the first three (Table 5)."""

    OVERALL = "overall"
    COHERENCE = "coherence"
    GRAMMATICALITY = "grammaticality"
    INFORMATIVENESS = "informativeness"
    MISLEADING = "misleading"

    @property
    def scale(self) -> range:
        """The allowed answers: 1 to 5, or 0 (no) and 1 (yes) for a misleading summary."""
        return range(2) if self is Question.MISLEADING else range(LOWEST, HIGHEST + 1)


PAPER_QUESTIONS = (Question.OVERALL, Question.COHERENCE, Question.GRAMMATICALITY)


class FaultKind(Enum):
    """What can be wrong with a line of a summary."""

    BROKEN = "broken"
    FILLER = "filler"
    SENSELESS_CUT = "senseless-cut"
    CAPTION = "caption"
    REPEAT = "repeat"
    DANGLING = "dangling"


class Place(Enum):
    """Where a summary stands on the sheet."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"

    @property
    def letter(self) -> str:
        """The letter that raters see."""
        return "ABC"[list(Place).index(self)]


@dataclass(frozen=True, slots=True)
class PanelKey:
    """What raters must not know: the systems, the documents, and which system stands where."""

    panel: str
    """Identifies the panel; panels that differ in anything have different names."""
    systems: tuple[str, ...]
    documents: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    """For each document the indices of the systems, from the first place to the last."""
    questions: tuple[Question, ...] = tuple(Question)

    def __post_init__(self) -> None:
        n_systems = len(self.systems)
        if not MIN_SYSTEMS <= n_systems <= MAX_SYSTEMS:
            raise InvalidValue(
                f"a panel has {MIN_SYSTEMS} to {MAX_SYSTEMS} systems, got {n_systems}"
            )
        for name in self.systems:
            if self.systems.count(name) > 1:
                raise InvalidValue(f"two systems are called {name!r}")
        if not self.documents or len(self.documents) != len(self.orders):
            raise InvalidValue(
                f"{len(self.documents)} documents with {len(self.orders)} orders of summaries"
            )
        for order in self.orders:
            if sorted(order) != list(range(n_systems)):
                raise InvalidValue(f"{order} is no order of {n_systems} systems")

    @property
    def places(self) -> tuple[Place, ...]:
        """The places of a document's summaries."""
        return tuple(Place)[: len(self.systems)]

    def system_at(self, document: int, place: Place) -> str:
        """Return which system stands at a place."""
        return self.systems[self.orders[document][self.places.index(place)]]

    def place_of(self, document: int, system: str) -> Place:
        """Return where a system stands."""
        return self.places[self.orders[document].index(self.systems.index(system))]


@dataclass(frozen=True, slots=True)
class SheetKey:
    """The sheet of one rater: which documents of the panel it shows, in its order."""

    sheet: str
    panel: PanelKey
    shown: tuple[int, ...]

    def __post_init__(self) -> None:
        for document in self.shown:
            if not 0 <= document < len(self.panel.documents):
                raise InvalidValue(f"document {document + 1} of {len(self.panel.documents)}")


@dataclass(frozen=True, slots=True)
class ShownSummary:
    """A summary by its place; ``document`` counts from 0 in the panel."""

    document: int
    place: Place


@dataclass(frozen=True, slots=True)
class RatedQuestion:
    """One question about one summary."""

    summary: ShownSummary
    question: Question


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that is faulty; the quote may be missing."""

    kind: FaultKind
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of one rater; what was left out is missing."""

    sheet: SheetKey
    rater: str
    """Identifies the rater: random for a page, the name of the file for JSON lines."""
    name: str
    """The name that the rater gave, if any."""
    saved: str
    """Date and time in ISO form, if known."""
    values: Mapping[RatedQuestion, int]
    ranks: Mapping[ShownSummary, int] = field(default_factory=dict)
    """1 for the best summary of a document; equal ranks are ties."""
    misleading: Mapping[ShownSummary, str] = field(default_factory=dict)
    """Quote of the misleading line and the reason."""
    faults: Mapping[ShownSummary, tuple[Fault, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for summary in self._summaries():
            self._require_shown(summary)
        for answer, value in self.values.items():
            scale = answer.question.scale
            if value not in scale:
                raise InvalidValue(
                    f"{answer.question.value} goes from {scale[0]} to {scale[-1]}, got {value}"
                )
        for rank in self.ranks.values():
            if not 1 <= rank <= len(self.panel.systems):
                raise InvalidValue(f"ranks go from 1 to {len(self.panel.systems)}, got {rank}")

    def _summaries(self) -> Iterator[ShownSummary]:
        yield from (answer.summary for answer in self.values)
        for remarks in (self.ranks, self.misleading, self.faults):
            yield from remarks

    def _require_shown(self, summary: ShownSummary) -> None:
        if summary.document not in self.sheet.shown:
            raise InvalidValue(f"document {summary.document + 1} was rated but is not on the sheet")
        if summary.place not in self.panel.places:
            raise InvalidValue(
                f"the {summary.place.value} of {len(self.panel.systems)} summaries was rated"
            )

    @property
    def panel(self) -> PanelKey:
        """The panel that the sheet belongs to."""
        return self.sheet.panel

    @property
    def n_finished(self) -> int:
        """Documents whose questions are all answered."""
        counts = dict.fromkeys(self.sheet.shown, 0)
        for answer in self.values:
            counts[answer.summary.document] += 1
        complete = len(self.panel.systems) * len(self.panel.questions)
        return list(counts.values()).count(complete)
