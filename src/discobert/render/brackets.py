"""Where the lines of a drawn tree go: rows are EDUs, levels grow away from the text.

Every part of the tree lies on the row of its most central EDU. A nucleus needs no line of its own
then: it is the row's stem, and satellites and further nuclei are brackets that end on it. No two
lines of different groups overlap, because a group stands on a higher level than all inside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from discobert.data.rst import Nuclearity
from discobert.render.rst_groups import Group, Grouping, Part

_WIDEST_STEP, _LEAST_STEP = 20.0, 6.0
_WIDTH = 340.0
_NEAR_LEVELS = 40
_FAR_WIDTH = 160.0


@dataclass(frozen=True, slots=True)
class Bracket:
    """A line from the row of a part to the row of its sibling, along the level of their group."""

    part: Part
    """The part that hangs on the line."""
    other: Part
    """The part that it is joined to."""
    relation: str
    level: int
    goes_on: bool
    """Whether the line along the level goes on to a further nucleus."""

    @property
    def rows(self) -> tuple[int, int]:
        """The upper and the lower row."""
        first, second = sorted((self.part.head, self.other.head))
        return first, second

    @property
    def hangs_below(self) -> bool:
        """Whether the part follows its sibling in the text."""
        return self.other.head < self.part.head


@dataclass(frozen=True, slots=True)
class Drawing:
    """A bracket for every EDU but the most central one, and the level that its stem reaches."""

    brackets: tuple[Bracket | None, ...]
    stems: tuple[int, ...]
    levels: int

    def distance(self, level: int) -> float:
        """Return how many pixels a level lies from the text.

        Levels share the width of the drawing. Of a tree too high for that, those near the text,
        which show how sentences hang together, stay apart, and those far from it are pressed.
        """
        step = min(_WIDEST_STEP, max(_LEAST_STEP, _WIDTH / max(1, self.levels)))
        near = min(level, _NEAR_LEVELS)
        far = (level - near) * min(step, _FAR_WIDTH / max(1, self.levels - _NEAR_LEVELS))
        return round(near * step + far, 2)


def draw(grouping: Grouping) -> Drawing:
    """Lay a tree out; every EDU but one hangs on exactly one bracket."""
    n_edus = grouping.root.end
    brackets: list[Bracket | None] = [None] * n_edus
    stems = [0] * n_edus
    for group in grouping.groups:
        level = 1 + max(part.level for part in group.parts)
        stems[group.head.head] = level
        for bracket in _brackets(group, level):
            brackets[bracket.part.head] = bracket
    return Drawing(tuple(brackets), tuple(stems), grouping.root.level)


def _brackets(group: Group, level: int) -> Iterator[Bracket]:
    if group.nuclearity is not Nuclearity.BOTH:
        satellite = next(part for part in group.parts if not part.is_nucleus)
        yield Bracket(satellite, group.head, group.relation, level, goes_on=False)
        return
    for index in range(1, len(group.parts)):
        before, part = group.parts[index - 1 : index + 1]
        goes_on = index + 1 < len(group.parts)
        yield Bracket(part, before, group.relation, level, goes_on)
