"""Half-open character offsets."""

from dataclasses import dataclass

from discobert.errors import InvalidSpan


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open character offsets (code points)."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise InvalidSpan(f"a span needs 0 <= start < end, got [{self.start}, {self.end})")

    def __contains__(self, other: "Span") -> bool:
        return self.start <= other.start and other.end <= self.end

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: "Span") -> bool:
        """Return whether the two have a character in common."""
        return self.start < other.end and other.start < self.end

    def of(self, text: str) -> str:
        """Cut the span out of its text."""
        return text[self.start : self.end]
