"""Blind ratings of two systems, as in the paper's Table 5."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from discobert.errors import InvalidValue

LOWEST, HIGHEST = 1, 5


class Question(Enum):
    """The questions to raters, as in the paper."""

    OVERALL = "overall"
    COHERENCE = "coherence"
    GRAMMATICALITY = "grammaticality"


class Place(Enum):
    """Position of a summary on the sheet."""

    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class SheetKey:
    """The key to a blind sheet: systems, documents, and the order of summaries."""

    sheet: str
    """Identifier of the sheet; different sheets have different ones."""
    systems: tuple[str, str]
    documents: tuple[str, ...]
    swapped: tuple[bool, ...]
    """Whether the second system came first, for each document."""

    def __post_init__(self) -> None:
        if self.systems[0] == self.systems[1]:
            raise InvalidValue(f"two systems are called {self.systems[0]!r}")
        if not self.documents or len(self.documents) != len(self.swapped):
            raise InvalidValue(
                f"{len(self.documents)} documents with {len(self.swapped)} orders of summaries"
            )

    def system_at(self, document: int, place: Place) -> str:
        """Return the system at a position."""
        return self.systems[self.swapped[document] != (place is Place.SECOND)]


@dataclass(frozen=True, slots=True)
class Answer:
    """One question on one summary; ``document`` counts from 0."""

    document: int
    place: Place
    question: Question


@dataclass(frozen=True, slots=True)
class Ratings:
    """The answers of one rater; questions left out are missing."""

    key: SheetKey
    rater: str
    """Identifier of the rater, drawn at random by the browser."""
    name: str
    """Name that the rater has given, or empty."""
    saved: str
    """Date and time in a sortable format."""
    values: Mapping[Answer, int]

    def __post_init__(self) -> None:
        for answer, value in self.values.items():
            if not 0 <= answer.document < len(self.key.documents):
                raise InvalidValue(
                    f"document {answer.document + 1} of {len(self.key.documents)} was rated"
                )
            if not LOWEST <= value <= HIGHEST:
                raise InvalidValue(f"ratings go from {LOWEST} to {HIGHEST}, got {value}")

    @property
    def n_finished(self) -> int:
        """Documents with all answers."""
        of_each = [0] * len(self.key.documents)
        for answer in self.values:
            of_each[answer.document] += 1
        return of_each.count(len(Place) * len(Question))
