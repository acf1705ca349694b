"""What a readable summary is worth: the weights that tuning chooses, stored in the bundle."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from discobert.errors import BundleError


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableWeights:
    """Weights of the search for readable summaries; the value of a sentence is in log-odds."""

    words: int = 95
    """The default length."""
    best: float = 0.5
    """Share of the editors' log-odds in the value of a sentence; the rest is salience."""
    bias: float = 1.75
    """Added to the value of every sentence: the higher, the more sentences are chosen."""
    per_word: float = 0.0
    """Cost of a word."""
    first: float = 4.0
    """Bonus of the first sentence that is no heading or caption."""
    next: float = 0.8
    """Bonus of a sentence that follows the last selected one directly."""
    jump: float = 0.05
    """Cost of each sentence skipped between two selected ones, up to ``max_jump`` of them."""
    max_jump: int = 8
    repeat: float = 3.0
    """Cost of a sentence whose content words are all shown already; in proportion for a part."""
    skip: float = 0.25
    """Probability of being a heading, caption or filler above which a sentence is no candidate."""
    focus: float = 4.0
    """Bonus of a sentence that is wholly about the focus of the request."""
    cut: float = 0.92
    """Probability of doing no harm from which on a cut is a candidate."""
    cut_cost: float = 2.0
    """Cost of a cut, times the probability that it does harm."""

    def settings(self) -> dict[str, Any]:
        """Return plain values for a bundle."""
        return asdict(self)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "ReadableWeights":
        """Read plain values from a bundle."""
        try:
            known = {
                name: type(value)(settings[name])
                for name, value in asdict(cls()).items()
                if name in settings
            }
            if not all(math.isfinite(value) for value in known.values()):
                raise ValueError(f"not finite: {known}")  # noqa: TRY301 - reported below
            return cls(**known)
        except (OverflowError, TypeError, ValueError) as error:
            message = f"the weights of the readable style cannot be read: {error!r}"
            raise BundleError(message) from error


DEFAULT_WEIGHTS = ReadableWeights()
"""Preferred by blind readers among those tried (docs/readable.md); tuning starts from them."""
