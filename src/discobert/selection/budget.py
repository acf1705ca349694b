"""How long a summary may be, counted on its realised text."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from numbers import Integral, Real

from discobert.data.document import Document
from discobert.errors import UsageError, WrongType


class LengthUnit(Enum):
    """What a length counts."""

    WORDS = "words"
    SENTENCES = "sentences"
    EDUS = "edus"
    CHARS = "chars"

    def counted(self, number: int) -> str:
        """Write a number of this unit: 2 words, 1 word."""
        return f"{number} {self.value if number != 1 else self.value.removesuffix('s')}"


@dataclass(frozen=True, slots=True)
class Limit:
    """A budget for one document: bounds in one unit; ``at_most`` is ``None`` for no upper bound."""

    unit: LengthUnit
    at_most: int | None
    at_least: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """At most one upper bound and at most one lower bound, in the same unit.

    Words are ``len(text.split())`` and characters ``len(text)`` of the summary in one string,
    sentences are source sentences touched, EDUs those shown; a ratio is of the document's words.
    """

    words: int | None = None
    sentences: int | None = None
    edus: int | None = None
    chars: int | None = None
    ratio: float | None = None
    min_words: int | None = None
    min_sentences: int | None = None
    min_edus: int | None = None
    min_chars: int | None = None
    min_ratio: float | None = None

    def __post_init__(self) -> None:
        upper, lower = self._given(""), self._given("min_")
        for name, value in (upper | lower).items():
            _check(name, value)
        for bounds in (upper, lower):
            if len(bounds) > 1:
                raise UsageError(f"give only one of {' and '.join(bounds)}")
        for (name, most), (min_name, least) in zip(upper.items(), lower.items(), strict=False):
            self._check_pair(name, most, min_name, least)

    @staticmethod
    def _check_pair(name: str, most: float, min_name: str, least: float) -> None:
        if _unit(name) is not _unit(min_name.removeprefix("min_")):
            raise UsageError(f"{min_name} cannot go with {name}: use min_{name}")
        if min_name == f"min_{name}" and least > most:
            raise UsageError(f"{min_name} {least} is more than {name} {most}")

    def _given(self, prefix: str) -> dict[str, float]:
        names = [prefix + name for name in ("words", "sentences", "edus", "chars", "ratio")]
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def is_minimum(self) -> bool:
        """Whether there is a lower bound and nothing else."""
        return bool(self._given("min_")) and not self._given("")

    def limit(self, document: Document) -> Limit:
        """Work the budget out for a document."""
        upper = [(_unit(n), _count(n, v, document)) for n, v in self._given("").items()]
        lower = [
            (_unit(n), _count(n, v, document))
            for n, v in ((n.removeprefix("min_"), v) for n, v in self._given("min_").items())
        ]
        unit = next((unit for unit, _ in upper + lower), LengthUnit.WORDS)
        at_most = next((count for _, count in upper), None)
        return Limit(unit, at_most, next((count for _, count in lower), 0))


NO_BUDGET = Budget()
"""As long as the method makes it."""


def _check(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, Real):
        is_ratio = name.endswith("ratio")
        taken = "more than 0 and at most 1" if is_ratio else "a whole number of at least 1"
        raise WrongType(name, taken, value)
    if name.endswith("ratio"):
        if not 0 < float(value) <= 1:  # false for NaN too
            raise UsageError(f"{name} must be more than 0 and at most 1, got {value}")
    elif not isinstance(value, Integral) or int(value) < 1:
        raise UsageError(f"{name} must be a whole number of at least 1, got {value}")


def _unit(name: str) -> LengthUnit:
    return LengthUnit.WORDS if name == "ratio" else LengthUnit(name)


def _count(name: str, value: float, document: Document) -> int:
    if name != "ratio":
        return int(value)
    # The small term undoes rounding: 0.29 of 100 words are 29, not 28.
    return math.floor(value * len(document.text.split()) + 1e-9)


def length_in(unit: LengthUnit, lines: Sequence[str], *, n_edus: int, n_sentences: int) -> int:
    """Count the length of a summary."""
    if unit is LengthUnit.WORDS:
        return sum(len(line.split()) for line in lines)
    if unit is LengthUnit.CHARS:
        return len(" ".join(lines))
    return n_edus if unit is LengthUnit.EDUS else n_sentences
