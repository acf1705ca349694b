"""Coreference: mentions of one thing, gathered in clusters."""

from dataclasses import dataclass

from discobert.data.document import Span
from discobert.errors import InvalidSpan


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A stretch of text that names something."""

    span: Span


@dataclass(frozen=True, slots=True)
class Cluster:
    """Mentions of one thing, in reading order, none twice."""

    mentions: tuple[Mention, ...]

    def __post_init__(self) -> None:
        if not self.mentions:
            raise InvalidSpan("a cluster needs at least one mention")
        if list(self.mentions) != sorted(set(self.mentions)):
            raise InvalidSpan("the mentions of a cluster must be in reading order, none twice")
