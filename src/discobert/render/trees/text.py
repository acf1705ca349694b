"""RST trees as text for the terminal."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from rich.cells import cell_len, chop_cells

from discobert.data.document import Document
from discobert.data.rst import RstTree
from discobert.data.summary import Analysis
from discobert.render.screen import PLAIN, Screen
from discobert.render.trees.rst_groups import GroupedSubtree, GroupedTree, group_nuclei, top_down

WIDTH = 100
MIN_WIDTH = 24
"""A narrower terminal is treated as one of this width."""

_RAIL, _BLANK = "│ ", "  "
# Control characters and marks of writing direction.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def render_tree(analyses: Sequence[Analysis], *, width: int = WIDTH) -> str:
    """Draw each tree from its root, in reading order, wrapped to the width.

    EDUs are counted from 0, as in JSON and Python. Nuclei are at the end of solid lines, satellites
    of dashed ones. Where a tree is too deep for the width, its lower levels start at the left
    margin again, below a line that names them.
    """
    return "\n".join(_render(analysis, max(width, MIN_WIDTH)) for analysis in analyses)


def _render(analysis: Analysis, width: int) -> str:
    doc = analysis.document
    heading = wrap(f"{plain(doc.id)}: {', '.join(counts(doc))}", width)
    lines = [*heading, "", *draw_lines(doc, analysis.rst, width=width)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def draw_lines(
    document: Document,
    tree: RstTree,
    *,
    width: int = WIDTH,
    chosen: Set[int] = frozenset(),
    screen: Screen = PLAIN,
) -> Iterator[str]:
    """Draw a tree, or a part of one, over EDUs of a document; chosen EDUs stand out."""
    writer = _TreeWriter(document, group_nuclei(tree), width, chosen, screen)
    for subtree, depth in top_down(writer.grouped):
        yield from writer.add(subtree, depth)


def counts(document: Document) -> list[str]:
    """Return the numbers of paragraphs, sentences and EDUs in words."""
    return [
        count(len(document.paragraphs), "paragraph"),
        count(len(document.sentences), "sentence"),
        count(len(document.edus), "EDU"),
    ]


def count(number: int, name: str) -> str:
    """Write a number with the noun it counts, in the plural if needed."""
    return f"{number:,} {name}{'' if number == 1 else 's'}"


@dataclass(slots=True)
class _TreeWriter:
    """Writes a tree top-down; ``ends`` has the end of each subtree around the last one written."""

    document: Document
    grouped: GroupedTree
    width: int
    chosen: Set[int] = frozenset()
    screen: Screen = PLAIN
    ends: list[int] = field(default_factory=list)
    margin: int = 0
    """The depth that is drawn at the left margin."""

    @property
    def depths(self) -> int:
        """How many levels fit beside each other; the text keeps more than half of the width."""
        return max(4, 2 * self.width // 5 // len(_RAIL))

    def add(self, subtree: GroupedSubtree, depth: int) -> Iterator[str]:
        """Draw the next subtree; one that enters or leaves a deeper region is marked."""
        margin = max(0, depth - 1) // self.depths * self.depths
        if margin != self.margin:
            yield f"┄┄ levels {margin + 1}–{margin + self.depths} ┄┄"
        self.margin = margin
        self.ends[depth:] = [subtree.end]
        rails = "".join(map(self._rail, range(margin + 1, depth)))
        first = f"{rails}{self._corner(subtree, depth)}{self._label(subtree)}"
        rest = rails + (self._rail(depth) if depth else "")
        rest += "" if subtree.group is None else _RAIL
        lines = wrap(self._text(subtree), self.width - cell_len(first))
        if self._is_chosen(subtree):
            lines = list(map(self.screen.chosen, lines))
        yield first + lines[0]
        yield from (rest.ljust(len(first)) + line for line in lines[1:])

    def _is_chosen(self, subtree: GroupedSubtree) -> bool:
        return subtree.group is None and subtree.start in self.chosen

    def _rail(self, depth: int) -> str:
        """Continue the line to the next sibling at some depth, if there is one."""
        return _RAIL if self.ends[depth] < self.ends[depth - 1] else _BLANK

    def _corner(self, subtree: GroupedSubtree, depth: int) -> str:
        if depth == 0:
            return ""
        corner = "├" if self._rail(depth) == _RAIL else "└"
        return f"{corner}─N " if subtree.is_nucleus else f"{corner}╌S "

    def _label(self, subtree: GroupedSubtree) -> str:
        if subtree.group is not None:
            return ""
        mark = "*" if self._is_chosen(subtree) and not self.screen.colour else ""
        return f"{subtree.start}{mark} "

    def _text(self, subtree: GroupedSubtree) -> str:
        if subtree.group is None:
            return plain(self.document.edu_text(subtree.start))
        relation = plain(self.grouped.groups[subtree.group].relation)
        return f"{relation or '(no name)'} {subtree.start}–{subtree.end - 1}"


def plain(text: str) -> str:
    """Put a text on one line and replace control characters."""
    return _CONTROL.sub("\ufffd", " ".join(text.split()))


def wrap(text: str, width: int) -> list[str]:
    """Break a text between words into lines of some terminal cells; a longer word is cut."""
    lines, filled = [""], 0
    for word in text.split(" "):
        size = len(word) if word.isascii() else cell_len(word)
        if filled and filled + 1 + size <= width:
            lines[-1] += f" {word}"
            filled += 1 + size
        else:
            lines += [word] if size <= width else chop_cells(word, max(2, width))
            filled = cell_len(lines[-1])
    return lines[1:]
