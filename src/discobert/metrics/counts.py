"""Counts for precision, recall and F1, which are added over documents.

All figures are micro-averages between 0 and 1. Where there is nothing to find and nothing was
found, they are 0, as in the CoNLL scorer.
"""

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import compress, count

from discobert.errors import InvalidValue


@dataclass(frozen=True, slots=True)
class Tally:
    """Gold items found, and predicted items that are right.

    The two numerators differ in weighted measures, such as B-cubed.
    """

    found: float = 0
    gold: float = 0
    right: float = 0
    predicted: float = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.found + other.found,
            self.gold + other.gold,
            self.right + other.right,
            self.predicted + other.predicted,
        )

    @property
    def precision(self) -> float:
        """The share of the predicted that is right."""
        return self.right / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold that was found."""
        return self.found / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


NOTHING = Tally()
"""The empty tally."""


@dataclass(frozen=True, slots=True)
class Hits:
    """Right answers out of a total."""

    right: int = 0
    total: int = 0

    def __add__(self, other: "Hits") -> "Hits":
        return Hits(self.right + other.right, self.total + other.total)

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.right / self.total if self.total else 0.0


def overlap(gold: AbstractSet[Hashable], predicted: AbstractSet[Hashable]) -> Tally:
    """Count the members that two sets share."""
    shared = len(gold & predicted)
    return Tally(shared, len(gold), shared, len(predicted))


@dataclass(frozen=True, slots=True)
class SegmentationTally:
    """Starts of EDUs: all of them, and those inside gold sentences."""

    every: Tally = NOTHING
    inner: Tally = NOTHING

    def __add__(self, other: "SegmentationTally") -> "SegmentationTally":
        return SegmentationTally(self.every + other.every, self.inner + other.inner)


def compare_starts(
    gold: AbstractSet[int], predicted: AbstractSet[int], *, sentences: AbstractSet[int]
) -> SegmentationTally:
    """Compare EDU starts by their characters.

    For the inner ones gold sentence starts are dropped from both sides; every other predicted
    boundary counts, one that a wrong sentence split brought in too.
    """
    inner = overlap(gold - sentences, predicted - sentences)
    return SegmentationTally(overlap(gold, predicted), inner)


def compare_flags(gold: Sequence[bool], predicted: Sequence[bool]) -> Tally:
    """Compare two answers to one yes-no question about the same units, such as "has a subject"."""
    if len(gold) != len(predicted):
        raise InvalidValue(f"{len(predicted)} answers were predicted for {len(gold)} units")
    return overlap(set(compress(count(), gold)), set(compress(count(), predicted)))
