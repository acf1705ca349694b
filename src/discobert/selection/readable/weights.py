"""What a readable summary is worth: the weights that tuning chooses, stored in the bundle."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from discobert.errors import BundleError

EXTRACT_WORDS = 75
"""Length of the extracts that the editors' log-odds are about; longer summaries take more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableWeights:
    """Weights of the search for readable summaries."""

    words: int = 88
    """The default length."""
    best: float = 0.5
    """Share of the editors' log-odds in the value of a sentence; the rest is salience."""
    bias: float = 0.5
    """Added to the log-odds of every sentence."""
    longer: float = 1.5
    """Added to the log-odds, times the logarithm of the wanted length over ``EXTRACT_WORDS``."""
    threshold: float = 0.25
    """Probability from which on a sentence is worth its words: an editor's choice of that
    probability neither raises nor lowers the expected overlap with the extract."""
    relative: float = 0.5
    """The threshold is at most this share of the probability of the last of the best sentences
    that fit."""
    word_value: float = 0.12
    """Value of a word of a sentence, times probability less ``threshold``."""
    first: float = 3.0
    """Bonus of the first sentence that is no heading or caption."""
    next: float = 0.4
    """Bonus of a sentence that follows the last selected one directly."""
    jump: float = 0.05
    """Cost of each sentence skipped between two selected ones, up to ``max_jump`` of them."""
    max_jump: int = 8
    contrast: float = 0.4
    """Cost of a sentence without the next one if that contradicts or limits it ("But …")."""
    repeat: float = 1.5
    """Cost of a sentence whose content words are all shown already; in proportion for a part."""
    skip: float = 0.25
    """Probability of being a heading, caption or filler above which a sentence is no candidate."""
    focus: float = 4.0
    """Bonus of a sentence that is wholly about the focus of the request, in log-odds."""
    cut: float = 0.85
    """Probability of doing no harm from which on a cut is a candidate."""
    cut_cost: float = 0.6
    """Cost of a cut, times the probability that it does harm."""

    def settings(self) -> dict[str, Any]:
        """Return plain values for a bundle."""
        return asdict(self)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "ReadableWeights":
        """Read plain values from a bundle; those of bundles before 0.9.0 are for another search.

        They valued sentences without regard to their length; the default weights replace them.
        """
        try:
            if "word_value" not in settings:
                return cls()
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
