"""RST trees for drawing: nuclei of one relation are siblings instead of nested."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree, fold


@dataclass(frozen=True, slots=True)
class GroupedSubtree:
    """EDUs ``start`` to ``end`` (exclusive); ``group`` is None for a single EDU."""

    start: int
    end: int
    head: int
    """Its most central EDU."""
    level: int
    """How many groups lie between it and its deepest EDU, itself included."""
    group: int | None
    """Its index among the groups of the tree."""
    is_nucleus: bool

    @property
    def numbers(self) -> str:
        """The EDUs counted from 0, such as ``3–7``."""
        last = "" if self.end == self.start + 1 else f"–{self.end - 1}"
        return f"{self.start}{last}"


@dataclass(frozen=True, slots=True)
class Group:
    """Adjacent children joined by one relation: nucleus and satellite, or two and more nuclei."""

    relation: str
    nuclearity: Nuclearity
    children: tuple[GroupedSubtree, ...]

    @property
    def head(self) -> GroupedSubtree:
        """The nucleus, or the first of several."""
        return self.children[-1 if self.nuclearity is Nuclearity.RIGHT else 0]


@dataclass(frozen=True, slots=True)
class GroupedTree:
    """All groups, children before parents, and the subtree that is the whole text."""

    groups: tuple[Group, ...]
    root: GroupedSubtree


def group_nuclei(tree: RstTree) -> GroupedTree:
    """Undo the right-branching binarisation of multinuclear relations; the rest stays as it is."""
    builder = _GroupBuilder()
    root = fold(tree, _leaf, builder.at_branch)
    return GroupedTree(tuple(map(_finished, builder.groups)), root)


def top_down(grouped: GroupedTree) -> Iterator[tuple[GroupedSubtree, int]]:
    """Yield every subtree with its depth, parents first, in reading order."""
    todo = [(grouped.root, 0)]
    while todo:
        subtree, depth = todo.pop()
        yield subtree, depth
        if subtree.group is not None:
            children = grouped.groups[subtree.group].children
            todo += [(child, depth + 1) for child in reversed(children)]


@dataclass(frozen=True, slots=True)
class _OpenGroup:
    """A group that may still grow to the left: its children from right to left."""

    branch: Branch
    children: list[GroupedSubtree]


@dataclass(frozen=True, slots=True)
class _GroupBuilder:
    groups: list[_OpenGroup] = field(default_factory=list)

    def at_branch(
        self, branch: Branch, left: GroupedSubtree, right: GroupedSubtree
    ) -> GroupedSubtree:
        nuclearity = branch.nuclearity
        left = replace(left, is_nucleus=nuclearity is not Nuclearity.RIGHT)
        level = 1 + max(left.level, right.level)
        if self._continues(branch, right):
            index = right.group
            level = max(1 + left.level, right.level)
        else:
            index = len(self.groups)
            right = replace(right, is_nucleus=nuclearity is not Nuclearity.LEFT)
            self.groups.append(_OpenGroup(branch, [right]))
        self.groups[index or 0].children.append(left)
        head = right.head if nuclearity is Nuclearity.RIGHT else left.head
        return GroupedSubtree(left.start, right.end, head, level, index, is_nucleus=True)

    def _continues(self, branch: Branch, right: GroupedSubtree) -> bool:
        if right.group is None:
            return False
        other = self.groups[right.group].branch
        kinds = {branch.nuclearity, other.nuclearity}
        return kinds == {Nuclearity.BOTH} and branch.relation == other.relation


def _leaf(leaf: Leaf) -> GroupedSubtree:
    return GroupedSubtree(leaf.edu, leaf.edu + 1, leaf.edu, 0, None, is_nucleus=True)


def _finished(opened: _OpenGroup) -> Group:
    branch = opened.branch
    return Group(branch.relation, branch.nuclearity, tuple(reversed(opened.children)))
