"""Who said what, by the RST tree."""

from typing import NamedTuple

from discobert.data.document import Document
from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree, fold


class Attribution(NamedTuple):
    """The head EDU of the source ("she said") and that of the content."""

    source: int
    content: int


def attributions(document: Document, tree: RstTree) -> tuple[Attribution, ...]:
    """List the attributions whose heads are in one sentence, in reading order of the sources."""
    found: list[Attribution] = []

    def at_leaf(leaf: Leaf) -> int:
        return leaf.edu

    def at_branch(branch: Branch, left: int, right: int) -> int:
        to_the_right = branch.nuclearity is Nuclearity.RIGHT
        head, other = (right, left) if to_the_right else (left, right)
        same_sentence = document.edus[head].sentence == document.edus[other].sentence
        if same_sentence and branch.relation.lower().startswith("attribution"):
            found.append(Attribution(other, head))
        return head

    fold(tree, at_leaf, at_branch)
    return tuple(sorted(found))
