"""Layout of a drawn RST tree: rows are EDUs, levels grow away from the text.

Every subtree lies on the row of its most central EDU. A nucleus needs no line of its own then: it
is the stem of the row, and satellites and further nuclei are brackets that end on it. Lines of
different groups never overlap, because the level of a group is higher than all inside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from discobert.data.rst import Nuclearity
from discobert.render.trees.rst_groups import Group, GroupedSubtree, GroupedTree

_WIDEST_STEP, _LEAST_STEP = 20.0, 6.0
_WIDTH = 340.0
_NEAR_LEVELS = 40
_FAR_WIDTH = 160.0


@dataclass(frozen=True, slots=True)
class Bracket:
    """A line from the row of a subtree to that of its sibling, along the level of their group."""

    child: GroupedSubtree
    """The subtree that the line belongs to."""
    sibling: GroupedSubtree
    """The subtree that it is joined to."""
    relation: str
    level: int
    continues: bool
    """Whether the line along the level continues to a further nucleus."""

    @property
    def rows(self) -> tuple[int, int]:
        """The upper and the lower row."""
        first, second = sorted((self.child.head, self.sibling.head))
        return first, second

    @property
    def is_below(self) -> bool:
        """Whether the child follows its sibling in the text."""
        return self.sibling.head < self.child.head


@dataclass(frozen=True, slots=True)
class Drawing:
    """A bracket for every EDU but the most central one, and the level that its stem reaches."""

    brackets: tuple[Bracket | None, ...]
    stems: tuple[int, ...]
    levels: int

    def distance(self, level: int) -> float:
        """Return how many pixels a level lies from the text.

        Levels share the width of the drawing. If a tree is too high for that, levels near the
        text, which show the structure of sentences, keep their distance; far ones are compressed.
        """
        step = min(_WIDEST_STEP, max(_LEAST_STEP, _WIDTH / max(1, self.levels)))
        near = min(level, _NEAR_LEVELS)
        far = (level - near) * min(step, _FAR_WIDTH / max(1, self.levels - _NEAR_LEVELS))
        return round(near * step + far, 2)


def draw(grouped: GroupedTree) -> Drawing:
    """Lay a tree out; every EDU but the most central one has exactly one bracket."""
    n_edus = grouped.root.end
    brackets: list[Bracket | None] = [None] * n_edus
    stems = [0] * n_edus
    for group in grouped.groups:
        level = 1 + max(subtree.level for subtree in group.children)
        stems[group.head.head] = level
        for bracket in _brackets(group, level):
            brackets[bracket.child.head] = bracket
    return Drawing(tuple(brackets), tuple(stems), grouped.root.level)


def _brackets(group: Group, level: int) -> Iterator[Bracket]:
    if group.nuclearity is not Nuclearity.BOTH:
        satellite = next(subtree for subtree in group.children if not subtree.is_nucleus)
        yield Bracket(satellite, group.head, group.relation, level, continues=False)
        return
    for index in range(1, len(group.children)):
        before, subtree = group.children[index - 1 : index + 1]
        continues = index + 1 < len(group.children)
        yield Bracket(subtree, before, group.relation, level, continues)
