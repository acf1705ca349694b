"""Coreference: mentions and their clusters."""

from dataclasses import dataclass
from itertools import pairwise

from discobert.data.document import Span
from discobert.errors import InvalidSpan


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A span of text that refers to an entity."""

    span: Span


@dataclass(frozen=True, slots=True)
class Cluster:
    """Mentions of one entity, in reading order, none twice."""

    mentions: tuple[Mention, ...]

    def __post_init__(self) -> None:
        if not self.mentions:
            raise InvalidSpan("a cluster needs at least one mention")
        if not all(earlier < later for earlier, later in pairwise(self.mentions)):
            raise InvalidSpan("the mentions of a cluster must be in reading order, none twice")
