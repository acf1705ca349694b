"""RST trees: a union of two node types and one traversal."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from discobert.errors import InvalidTree


class Nuclearity(Enum):
    """Which child of a node is central: the left, the right, or both."""

    LEFT = "NS"
    RIGHT = "SN"
    BOTH = "NN"

    @classmethod
    def _missing_(cls, value: object) -> "Nuclearity":
        allowed = ", ".join(member.value for member in cls)
        raise InvalidTree(f"unknown nuclearity {value!r}: use one of {allowed}")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Leaf:
    """One EDU, by its index in the document."""

    edu: int


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class Branch:
    """A relation that joins two adjacent spans of text."""

    relation: str
    nuclearity: Nuclearity
    left: "RstTree"
    right: "RstTree"

    # The generated methods would recurse, and trees can be thousands of levels deep.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Branch) and postorder(self) == postorder(other)

    def __hash__(self) -> int:
        return hash(postorder(self))

    def __repr__(self) -> str:
        return f"Branch({self.relation!r}, {self.nuclearity.value}, {len(leaves(self))} EDUs)"


RstTree = Leaf | Branch
T = TypeVar("T")


def fold(tree: RstTree, leaf: Callable[[Leaf], T], branch: Callable[[Branch, T, T], T]) -> T:
    """Compute a value bottom-up, children first and left before right, without recursion."""
    todo: list[RstTree] = [tree]
    parents_first: list[RstTree] = []
    while todo:
        node = todo.pop()
        parents_first.append(node)
        if isinstance(node, Branch):
            todo += (node.left, node.right)
    done: list[T] = []
    for node in reversed(parents_first):
        if isinstance(node, Leaf):
            done.append(leaf(node))
        else:
            right = done.pop()
            done.append(branch(node, done.pop(), right))
    return done.pop()


def leaves(tree: RstTree) -> tuple[int, ...]:
    """Return the EDU indices from left to right."""
    todo: list[RstTree] = [tree]
    found: list[int] = []
    while todo:
        node = todo.pop()
        if isinstance(node, Leaf):
            found.append(node.edu)
        else:
            todo += (node.right, node.left)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Node:
    """A branch written flat: EDUs [start, middle) on the left, [middle, end) on the right."""

    start: int
    middle: int
    end: int
    nuclearity: Nuclearity
    relation: str


def postorder(tree: RstTree) -> tuple[Node | int, ...]:
    """List the tree bottom-up: EDU indices for leaves, nodes counted in leaves for branches."""
    found: list[Node | int] = []
    n_leaves = 0

    def at_leaf(leaf: Leaf) -> tuple[int, int]:
        nonlocal n_leaves
        found.append(leaf.edu)
        n_leaves += 1
        return n_leaves - 1, n_leaves

    def at_branch(branch: Branch, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        found.append(Node(left[0], left[1], right[1], branch.nuclearity, branch.relation))
        return left[0], right[1]

    fold(tree, at_leaf, at_branch)
    return tuple(found)


def nodes(tree: RstTree) -> tuple[Node, ...]:
    """List the branches bottom-up, as half-open ranges of EDUs."""
    return tuple(item for item in postorder(tree) if isinstance(item, Node))


def tree_from_nodes(n_edus: int, branches: Iterable[Node]) -> RstTree:
    """Rebuild a tree from its branches in any order."""
    built: dict[tuple[int, int], RstTree] = {(i, i + 1): Leaf(i) for i in range(n_edus)}
    for node in sorted(branches, key=lambda node: node.end - node.start):
        parts = [built.get(span) for span in ((node.start, node.middle), (node.middle, node.end))]
        left, right = parts
        if left is None or right is None:
            raise InvalidTree(
                f"node over EDUs [{node.start}, {node.end}) lacks a child split at {node.middle}"
            )
        built[node.start, node.end] = Branch(node.relation, node.nuclearity, left, right)
    root = built.get((0, n_edus))
    if root is None:
        raise InvalidTree(f"no node covers all {n_edus} EDUs")
    return root


def check_tree(tree: RstTree, n_edus: int) -> None:
    """Refuse a tree whose leaves are not the EDUs in reading order, each once."""
    found = leaves(tree)
    if found != tuple(range(n_edus)):
        missing = sorted(set(range(n_edus)) - set(found))
        detail = (
            f"EDU {missing[0]} is missing"
            if missing
            else "EDUs are repeated, out of order or unknown"
        )
        raise InvalidTree(f"the tree must hold EDUs 0 to {n_edus - 1} in order: {detail}")
