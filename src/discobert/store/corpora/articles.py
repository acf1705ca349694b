"""An article of a corpus with its reference summary."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Article:
    """A text with the lines of its reference summary; offsets into it are offsets into ``text``."""

    id: str
    source: str
    text: str
    reference: tuple[str, ...]
    more_references: tuple[tuple[str, ...], ...] = ()
    """Further reference summaries of the same text, each as its lines."""

    @property
    def references(self) -> tuple[tuple[str, ...], ...]:
        """All reference summaries."""
        return (self.reference, *self.more_references)
