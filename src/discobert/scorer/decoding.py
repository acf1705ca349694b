"""The decoding that was tuned for a model, as its bundle stores it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discobert.errors import BundleError, ConfigError, UsageError
from discobert.runtime.tensors import Array
from discobert.selection.budget import NO_BUDGET, Budget
from discobert.selection.build import Decoding
from discobert.selection.paper.greedy import Greedy, Overflow
from discobert.selection.paper.length_normalisation import NO_NORMALISATION, LengthNormalisation
from discobert.selection.paper.ranked import CandidateOptions, RankCandidates, Ranked
from discobert.selection.redundancy import ALLOW_REPEATS, Blocking


class LengthRule(Enum):
    """What ends a summary."""

    STEPS = "steps"
    """A number of units chosen for their score, what they need not counted: the paper's rule."""

    WORDS = "words"
    """A number of words; a unit that does not fit is passed over."""

    FULL_WORDS = "full-words"
    """A number of words; the first unit that does not fit ends the summary."""

    RANK = "rank"
    """A ranker of whole candidate summaries, document by document."""

    @classmethod
    def _missing_(cls, value: object) -> "LengthRule":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown length rule {value!r}: use one of {allowed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TunedDecoding:
    """Scores to a selection: closures always whole, repeats refused or not."""

    rule: LengthRule = LengthRule.STEPS
    value: int = 5
    """Steps or words; the most steps of a candidate where a ranker decides."""
    blocking: bool = True
    """Refuse a unit that repeats three words in a row."""
    economy: LengthNormalisation = NO_NORMALISATION
    """Length normalisation; the key of the settings in a bundle is ``economy``."""
    sentence_weight: float = 0.0
    """Weight of the sentence's log-odds, by the sentence network, beside those of an EDU."""
    bias: float = 0.0
    """Added to these log-odds: the higher, the more the length of an EDU decides."""

    def __post_init__(self) -> None:
        if self.value < 1:
            raise ConfigError(f"the length of a summary must be at least 1, got {self.value}")

    def with_ranker(self, rank: RankCandidates | None = None) -> Decoding:
        """Return what selection needs; a ranking rule without a ranker takes all its steps."""
        redundancy = Blocking() if self.blocking else ALLOW_REPEATS
        if self.rule is LengthRule.RANK and rank is not None:
            return Decoding(search=Ranked(rank, self.candidates()), redundancy=redundancy)
        is_words = self.rule in {LengthRule.WORDS, LengthRule.FULL_WORDS}
        skips = self.rule is not LengthRule.FULL_WORDS
        return Decoding(
            search=Greedy(
                overflow=Overflow.SKIP if skips else Overflow.STOP,
                max_steps=None if is_words else self.value,
            ),
            budget=Budget(words=self.value) if is_words else NO_BUDGET,
            redundancy=redundancy,
            length_normalisation=self.economy,
        )

    def probabilities(self, logits: Array, sentences: Array | None) -> NDArray[np.float64]:
        """Turn the log-odds of units and, if there are any, of their sentences into scores."""
        total = logits.astype(np.float64) + self.bias
        if sentences is not None:
            total += self.sentence_weight * sentences
        return 1 / (1 + np.exp(-total))

    def candidates(self) -> CandidateOptions:
        """Return which candidates a ranker chooses among."""
        return CandidateOptions(min_steps=min(2, self.value), max_steps=self.value)

    def settings(self) -> dict[str, Any]:
        """Write the rule as plain values."""
        return asdict(self) | {"rule": self.rule.value}

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "TunedDecoding":
        """Read the rule from plain values."""
        try:
            return cls(
                rule=LengthRule(settings["rule"]),
                value=int(settings["value"]),
                blocking=bool(settings["blocking"]),
                economy=LengthNormalisation(**settings.get("economy", {})),
                sentence_weight=float(settings.get("sentence_weight", 0.0)),
                bias=float(settings.get("bias", 0.0)),
            )
        except (KeyError, TypeError, ValueError, ConfigError, UsageError) as error:
            raise BundleError(f"the bundle's decoding cannot be read: {error!r}") from error
