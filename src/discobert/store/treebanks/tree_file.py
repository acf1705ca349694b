"""The content of a tree file of any format: the texts of the EDUs and a binary tree over them."""

import re
from dataclasses import dataclass
from itertools import pairwise

from discobert.data.rst import Branch, RstTree, check_tree, fold
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import is_same_unit
from discobert.errors import InvalidTree


@dataclass(frozen=True, slots=True)
class TreeFile:
    """EDU texts, white space evened out, with their tree.

    ``paragraphs`` holds the index of the first EDU of each paragraph, as far as the file has them.
    """

    edus: tuple[str, ...]
    tree: RstTree
    paragraphs: tuple[int, ...] = (0,)

    def __post_init__(self) -> None:
        check_tree(self.tree, len(self.edus))
        for index, edu in enumerate(self.edus):
            if not edu or edu != squeeze(edu):
                raise InvalidTree(f"EDU {index} is empty or has uneven white space: {edu[:40]!r}")
        rising = all(earlier < later for earlier, later in pairwise(self.paragraphs))
        inside = self.paragraphs[:1] == (0,) and self.paragraphs[-1] < len(self.edus)
        if not rising or not inside:
            raise InvalidTree("paragraphs must start at EDU 0, rise, and stay among the EDUs")

    @property
    def text(self) -> str:
        """The EDUs joined by spaces, with an empty line between paragraphs."""
        opened = frozenset(self.paragraphs)
        gaps = ["", *("\n\n" if i in opened else " " for i in range(1, len(self.edus)))]
        return "".join(gap + edu for gap, edu in zip(gaps, self.edus, strict=True))


def from_analysis(analysis: Analysis) -> TreeFile:
    """Keep the EDU texts, the tree and the paragraphs of an analysis."""
    document = analysis.document
    edus = tuple(squeeze(document.edu_text(index)) for index in range(len(document.edus)))
    groups = document.edus_by_sentence()
    return TreeFile(edus, analysis.rst, tuple(groups[i].start for i in document.paragraphs))


def squeeze(text: str) -> str:
    """Make every stretch of white space one space."""
    return " ".join(text.split())


def checked_relation(relation: str) -> str:
    """Return the name of a relation; raise an error if no format can hold it."""
    if not re.fullmatch(r"[^\s()]+", relation) or relation.lower() == "span":
        raise InvalidTree(
            f"the relation {relation!r} cannot be written to a tree file: a name holds no white "
            "space and no brackets, and is not 'span', which marks a nucleus"
        )
    return relation


def coarse(relation: str) -> str:
    """Return the class of a fine relation: all before the first hyphen, but ``same-unit`` whole."""
    return "same-unit" if is_same_unit(relation) else relation.lower().partition("-")[0]


def coarse_tree(tree: RstTree) -> RstTree:
    """Replace every relation of a tree by its class."""

    def at_branch(branch: Branch, left: RstTree, right: RstTree) -> RstTree:
        return Branch(coarse(branch.relation), branch.nuclearity, left, right)

    return fold(tree, lambda leaf: leaf, at_branch)
