"""The bracketed trees of the RST Discourse Treebank (``.dis``), n-ary or binary.

``( Nucleus (leaf 2) (rel2par span) (text _!and why._!) )``; ``<P>`` at the end of a text ends a
paragraph.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree, nodes
from discobert.errors import FormatError, InvalidTree
from discobert.store.treebanks.assemble import SPAN, Subtree, assemble, leaf_subtree
from discobert.store.treebanks.tree_file import TreeFile, checked_relation, squeeze

_ITEM = re.compile(
    r"""
      \(\s* (?P<role> Root | Nucleus | Satellite ) \b
    | \(\s* span \s+ (?P<span> [0-9]{1,9} \s+ [0-9]{1,9} ) \s*\)
    | \(\s* leaf \s+ (?P<leaf> [0-9]{1,9} ) \s*\)
    | \(\s* rel2par \s+ (?P<relation> [^\s()]+ ) \s*\)
    | \(\s* text \s+ _! (?P<text> .*? ) _! \s*\)
    | (?P<close> \) )
    | (?P<skip> //TT_ERR | \s+ )    # TT_ERR was left in some files by the annotation tool
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_PARAGRAPH_END = re.compile(r"<P>\s*$", re.IGNORECASE)
_DEEPEST_INDENT = 50


@dataclass(frozen=True, slots=True)
class _Node:
    """An open bracket: its line, whether it is Root, Nucleus or Satellite, and its content."""

    line: int
    role: str
    values: dict[str, str] = field(default_factory=dict)
    children: list[Subtree] = field(default_factory=list)


def parse_dis(text: str, *, name: str) -> TreeFile:
    """Parse the content of a file; ``name`` is its name in errors."""
    outside = _Node(1, "file")
    opened, edus, paragraphs = [outside], list[str](), [0]
    for line, kind, value in _items(text, name):
        node = opened[-1]
        if kind == "role":
            _check_role(value.lower(), node, f"{name}:{line}")
            opened.append(_Node(line, value.lower()))
        elif node is outside:
            raise FormatError(f"{name}:{line}: a bracket is closed or filled that was not opened")
        elif kind == "close":
            opened.pop()
            opened[-1].children.append(_close(node, edus, paragraphs, name))
        else:
            node.values[kind] = value
    if opened[-1] is not outside:
        raise FormatError(
            f"{name}:{opened[-1].line}: a bracket is opened here and never closed "
            f"({len(opened) - 1} are open at the end of the file)"
        )
    if not outside.children:
        raise FormatError(f"{name}: holds no tree")
    starts = tuple(start for start in paragraphs if start < len(edus))
    return TreeFile(tuple(edus), outside.children[0].tree, starts)


def _items(text: str, name: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, kind and content of every bracket."""
    position, line = 0, 1
    while position < len(text):
        match = _ITEM.match(text, position)
        if match is None or match.lastgroup is None:
            found = squeeze(text[position : position + 40])
            raise FormatError(f"{name}:{line}: cannot read {found!r} as subtree of an RST tree")
        if match.lastgroup != "skip":
            yield line, match.lastgroup, match[match.lastgroup]
        line += text.count("\n", position, match.end())
        position = match.end()


def _check_role(role: str, parent: _Node, place: str) -> None:
    if (role == "root") != (parent.role == "file"):
        raise FormatError(f"{place}: a tree starts with Root and holds no other; found {role}")
    if role == "root" and parent.children:
        raise FormatError(f"{place}: a second tree begins; a file holds one")


def _close(node: _Node, edus: list[str], paragraphs: list[int], name: str) -> Subtree:
    """Turn a bracket into a subtree of the tree, adding its EDU if it is a leaf."""
    place = f"{name}:{node.line}"
    if node.children:
        subtree = _close_branch(node, place)
    else:
        subtree = leaf_subtree(len(edus))
        edus.append(_edu_text(node, len(edus) + 1, place))
        if _PARAGRAPH_END.search(node.values["text"]):
            paragraphs.append(len(edus))
    relation = node.values.get("relation", SPAN)
    return replace(subtree, is_nucleus=node.role != "satellite", relation=relation)


def _close_branch(node: _Node, place: str) -> Subtree:
    try:
        subtree = assemble(node.children)
    except InvalidTree as error:
        raise FormatError(f"{place}: {error}") from error
    claimed = [int(number) for number in node.values.get("span", "").split()]
    if claimed and claimed != [subtree.start + 1, subtree.end]:
        raise FormatError(
            f"{place}: (span {claimed[0]} {claimed[1]}) holds EDUs {subtree.start + 1} to "
            f"{subtree.end}; an EDU is missing or misplaced"
        )
    return subtree


def _edu_text(node: _Node, number: int, place: str) -> str:
    found = int(node.values.get("leaf", 0))
    if found != number:
        raise FormatError(f"{place}: EDU {number} is missing; found leaf {found or 'nothing'}")
    text = squeeze(_PARAGRAPH_END.sub("", node.values.get("text", "")))
    if not text:
        raise FormatError(f"{place}: EDU {number} has no text")
    return text


def format_dis(tree_file: TreeFile) -> str:
    """Write a binary tree in the layout of the RST Discourse Treebank."""
    middles = {(node.start, node.end): node.middle for node in nodes(tree_file.tree)}
    todo: list[str | _Open] = [_Open(tree_file.tree, 0, len(tree_file.edus), "Root", "", 0)]
    lines: list[str] = []
    opened = frozenset(tree_file.paragraphs[1:])
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            lines.append(item)
        elif isinstance(item.tree, Leaf):
            end = "<P>" if item.end in opened else ""
            lines.append(_leaf_line(item, tree_file.edus[item.start] + end))
        else:
            middle = middles[item.start, item.end]
            span = f"(span {item.start + 1} {item.end})"
            lines.append(f"{item.indent}( {item.role} {span}{item.label}")
            todo += [f"{item.indent})", *_children(item.tree, item, middle)]
    return "\n".join([*lines, ""])


@dataclass(frozen=True, slots=True)
class _Open:
    """A subtree still to be written."""

    tree: RstTree
    start: int
    end: int
    role: str
    relation: str
    depth: int

    @property
    def indent(self) -> str:
        # Bounded, or a deep tree would be mostly white space.
        return "  " * min(self.depth, _DEEPEST_INDENT)

    @property
    def label(self) -> str:
        return f" (rel2par {self.relation})" if self.relation else ""


def _leaf_line(item: _Open, edu: str) -> str:
    # A text must not hold its own delimiter; readers that ignore white space see no difference.
    text = edu.replace("_!", "_ !")
    return f"{item.indent}( {item.role} (leaf {item.end}){item.label} (text _!{text}_!) )"


def _children(branch: Branch, item: _Open, middle: int) -> tuple[_Open, _Open]:
    """Return the right child, then the left one: the last item is written next."""
    relation = checked_relation(branch.relation)
    (left_role, left_relation), (right_role, right_relation) = {
        Nuclearity.LEFT: (("Nucleus", SPAN), ("Satellite", relation)),
        Nuclearity.RIGHT: (("Satellite", relation), ("Nucleus", SPAN)),
        Nuclearity.BOTH: (("Nucleus", relation), ("Nucleus", relation)),
    }[branch.nuclearity]
    depth = item.depth + 1
    return (
        _Open(branch.right, middle, item.end, right_role, right_relation, depth),
        _Open(branch.left, item.start, middle, left_role, left_relation, depth),
    )
