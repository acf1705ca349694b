"""What a unit is worth beside what it costs: the scores of all that it brings, over their length.

A network that learns which units an oracle would choose prefers long ones, since they share more
words with a reference, and ignores what else a unit will bring. In a summary of so many
words both take the place of something better.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import fsum, pow

from discobert.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthNormalisation:
    """How scores are weighed before units are compared."""

    share: float = 0.0
    """Weight of the mean score of all words that a unit brings, against the unit's own score."""
    power: float = 0.0
    """How fast worth falls with the number of these words; 1: worth is a score per word."""

    def __post_init__(self) -> None:
        for name in ("share", "power"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} must be between 0 and 1, got {getattr(self, name)}")

    def weighed(
        self,
        scores: Sequence[float],
        closures: Sequence[Collection[int]],
        words: Sequence[int],
    ) -> tuple[float, ...]:
        """Return what each unit is worth."""
        if not self.share and not self.power:
            return tuple(scores)
        lengths = [max(1, count) for count in words]
        return tuple(
            self._worth(scores[unit], [(scores[other], lengths[other]) for other in closure])
            for unit, closure in enumerate(closures)
        )

    def _worth(self, own: float, brought: Sequence[tuple[float, int]]) -> float:
        n_words = sum(length for _, length in brought)
        mean = fsum(score * length for score, length in brought) / n_words
        mixed = (1 - self.share) * own + self.share * mean
        # Below zero, what is shorter shall not be worth less.
        cost = pow(n_words, self.power)
        return mixed / cost if mixed > 0 else mixed * cost


NO_NORMALISATION = LengthNormalisation()
