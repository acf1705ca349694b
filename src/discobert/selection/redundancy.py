"""How much a unit repeats what is already shown, and what that does to its score."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from discobert.data.document import Document
from discobert.errors import UsageError

_WORD = re.compile(r"\w+(?:['’]\w+)*")

Gram = tuple[str, ...]


def _check_length(n: int) -> None:
    if n < 1:
        raise UsageError(f"n-grams that count as repeated need at least 1 word, got {n}")


class Redundancy(Protocol):
    """A view on repetition of word sequences; of length 0, nothing is compared."""

    @property
    def n(self) -> int:
        """How many words make a sequence."""
        ...

    def worth(self, score: float, overlap: float) -> float | None:
        """Return the score less a penalty, or ``None`` to refuse the unit.

        ``overlap`` is the share of the unit's n-grams that the summary already shows.
        """
        ...


@dataclass(frozen=True, slots=True)
class RepeatsAllowed:
    """Repetition costs nothing."""

    n: int = 0

    def worth(self, score: float, overlap: float) -> float | None:
        """Leave the score as it is."""
        return score


@dataclass(frozen=True, slots=True)
class Blocking:
    """A unit that repeats any n-gram is refused; the usual length is three."""

    n: int = 3

    def __post_init__(self) -> None:
        _check_length(self.n)

    def worth(self, score: float, overlap: float) -> float | None:
        """Refuse any overlap."""
        return None if overlap > 0 else score


ALLOW_REPEATS = RepeatsAllowed()


def ngrams(document: Document, edus: Iterable[int], n: int) -> frozenset[Gram]:
    """Collect the n-grams of EDUs, over the border of neighbours in one sentence, in lower case."""
    ordered = sorted(edus)
    runs = groupby(
        enumerate(ordered), key=lambda item: (item[1] - item[0], document.edus[item[1]].sentence)
    )
    found: set[Gram] = set()
    for _, run in runs:
        tokens = [
            token
            for _, edu in run
            for token in _WORD.findall(document.edu_text(edu).lower().replace("’", "'"))
        ]
        found.update(zip(*(tokens[k:] for k in range(n)), strict=False))
    return frozenset(found)


def repeated_share(grams: Set[Gram], shown: Set[Gram]) -> float:
    """Return the share of n-grams already shown; a unit too short to have any repeats nothing."""
    return len(grams & shown) / len(grams) if grams else 0.0
