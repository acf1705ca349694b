"""Systems of an evaluation file, and how their figures are written in tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from discobert.data.codecs.fields import Field

METRICS = ("rouge1", "rouge2", "rougeL")
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class SystemScores:
    """One system of an evaluation."""

    field: Field

    def figure(self, name: str) -> float:
        """Return a mean: a metric, words, tokens, lines or violations."""
        return self.field.member(name).number()

    def interval(self, metric: str) -> tuple[float, float]:
        """Return the bounds of a metric's 95 % interval."""
        low, high = self.field.member("ci95").member(metric).items(Field.number)
        return low, high

    def gain(self, baseline: str, metric: str) -> str:
        """Write the paired difference from a baseline with its interval; nothing from itself."""
        versus = self.field.member("versus")
        if baseline not in versus.object():
            return NOTHING
        found = versus.member(baseline).member(metric)
        low, high = found.member("ci95").items(Field.number)
        difference = found.member("difference").number()
        return f"{signed(difference)} ({signed(low)} to {signed(high)})"

    def rouge(self) -> str:
        """Write the three means."""
        return slashed([self.figure(metric) for metric in METRICS])


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation file."""

    field: Field

    @property
    def documents(self) -> int:
        """How many documents were scored."""
        return self.field.member("documents").integer()

    @property
    def names(self) -> tuple[str, ...]:
        """The systems in their order."""
        return tuple(self.field.member("systems").object())

    def system(self, name: str) -> SystemScores:
        """Return a system, which must be there."""
        return SystemScores(self.field.member("systems").member(name))

    def gaps(self, system: str, other: str) -> str:
        """Write the differences of two systems' means."""
        first, second = self.system(system), self.system(other)
        return " / ".join(signed(first.figure(m) - second.figure(m)) for m in METRICS)


def slashed(values: Sequence[float], digits: int = 2) -> str:
    """Write figures side by side."""
    return " / ".join(f"{value:.{digits}f}" for value in values)


def signed(value: float) -> str:
    """Write a difference with its sign; a true minus is easier to see."""
    return f"{value:+.2f}".replace("-", "−")
