"""What a readable summary is worth: coefficients that tuning fits to ratings, in the bundle."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from discobert.errors import BundleError

FEATURES = (
    "best",
    "gain",
    "salience",
    "sentence",
    "word",
    "new_word",
    "central",
    "first",
    "next",
    "jump",
    "distance",
    "contrast",
    "repeat",
    "furniture",
    "cut_sentence",
    "cut_word",
    "question",
)
"""What the search counts in a summary, each with a coefficient of the same name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableWeights:
    """Coefficients of a linear regression of blind ratings (1 to 5), and bounds of the search.

    The search finds the summary with the highest predicted rating.
    """

    best: float = 0.1434
    """For each sentence: log-odds that an editor would choose it."""
    gain: float = 0.3382
    """For each sentence: log-odds of its own ROUGE, relative to the best sentence's."""
    salience: float = -0.0207
    """For each sentence: log-odds that it belongs into the set of sentences of highest ROUGE."""
    sentence: float = 0.4588
    """For each sentence."""
    word: float = -0.0111
    """For each word."""
    new_word: float = 0.0137
    """For each content word that was not shown before."""
    central: float = 0.0408
    """For each such word: logarithm of the number of sentences that have it."""
    first: float = 0.4851
    """For the first sentence that is no heading or caption."""
    next: float = 0.1856
    """For a sentence that follows the last selected one directly."""
    jump: float = 0.07
    """For a sentence that does not."""
    distance: float = -0.0364
    """For each sentence skipped between two selected ones, up to ``max_jump`` of them."""
    contrast: float = -0.2628
    """For a sentence without the next one if that contradicts or limits it ("But …")."""
    repeat: float = -0.0356
    """For each sentence: share of its content words that are shown already."""
    furniture: float = -0.7765
    """For each sentence: probability of being a heading, caption or filler."""
    cut_sentence: float = -0.2592
    """For each sentence of which something is cut."""
    cut_word: float = -0.0054
    """For each word that is cut."""
    question: float = -0.7254
    """For a summary that ends with a question."""

    words: int = 75
    """The least default length: that of the first three sentences, but not less than this."""
    most_words: int = 100
    """The greatest default length."""
    floor: float = 0.1
    """Least value of the last of the best sentences that fit; all sentences of a text in which
    that one is worth less are raised, for nothing stands out in it, or the summary is long."""
    max_jump: int = 8
    skip: float = 0.25
    """Probability of being a heading, caption or filler above which a sentence is no candidate."""
    focus: float = 2.0
    """For a sentence that is wholly about the focus of the request."""
    cut: float = 0.9
    """Probability of doing no harm from which on a cut is a candidate."""

    def coefficients(self) -> tuple[float, ...]:
        """Return the coefficients of ``FEATURES``."""
        return tuple(getattr(self, name) for name in FEATURES)

    def settings(self) -> dict[str, Any]:
        """Return plain values for a bundle."""
        return asdict(self)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "ReadableWeights":
        """Read plain values from a bundle; those of bundles before 0.10.0 are for another search.

        They were not fitted to ratings; the default weights replace them.
        """
        try:
            if "new_word" not in settings:
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
"""Fitted to ratings by blind readers (docs/readable.md)."""
