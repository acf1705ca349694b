"""Cuts inside sentences: EDUs that may be left out, and how surely that does no harm."""

from dataclasses import dataclass

from discobert.errors import InvalidValue


@dataclass(frozen=True, slots=True)
class Cut:
    """EDUs of one sentence that can be left out together.

    ``harmless`` is the estimated probability that the rest of the sentence is still grammatical,
    faithful to the text and complete.
    """

    edus: tuple[int, ...]
    harmless: float

    def __post_init__(self) -> None:
        if not self.edus or list(self.edus) != sorted(set(self.edus)):
            raise InvalidValue(
                "the EDUs of a cut must be in reading order, none twice, at least one"
            )
        if not 0 <= self.harmless <= 1:
            raise InvalidValue(f"the probability of a cut must be in [0, 1], got {self.harmless}")
