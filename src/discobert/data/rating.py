"""Ratings of two systems by people who do not know which is which, as in the paper's Table 5."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from discobert.errors import InvalidValue

LOWEST, HIGHEST = 1, 5


class Question(Enum):
    """What the paper asked its raters about."""

    OVERALL = "overall"
    COHERENCE = "coherence"
    GRAMMATICALITY = "grammaticality"


class Place(Enum):
    """Where a summary stood on the sheet."""

    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class SheetKey:
    """What raters must not know: the systems, the documents, and who stood where."""

    sheet: str
    """Names the sheet; two sheets that differ in anything have different names."""
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
        """Return which system stood at a place."""
        return self.systems[self.swapped[document] != (place is Place.SECOND)]


@dataclass(frozen=True, slots=True)
class Answer:
    """One question on one summary; ``document`` counts from 0."""

    document: int
    place: Place
    question: Question


@dataclass(frozen=True, slots=True)
class Ratings:
    """What one rater has saved; questions that were left out are missing."""

    key: SheetKey
    rater: str
    """Tells raters apart; the browser draws it."""
    name: str
    """What the rater wants to be called, if anything."""
    saved: str
    """When, as a date and time that sorts by itself."""
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
