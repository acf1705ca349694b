"""An article of a corpus with its reference summary."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Article:
    """A text with the lines of its reference summary; offsets into it are offsets into ``text``."""

    id: str
    source: str
    text: str
    reference: tuple[str, ...]
