"""The XML of RSTTool and rstWeb (``.rs3``, ``.rs4``): segments and groups that name their parents.

A child with the relation ``span`` is the content of its parent. Other children are nuclei of a
``multinuc`` group, or satellites of the parent itself. Secondary edges and signals are ignored.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from discobert.data.rst import Branch, Leaf, Nuclearity, fold, nodes
from discobert.errors import FormatError, InvalidTree
from discobert.store.treebanks.assemble import SPAN, Subtree, assemble, leaf_subtree
from discobert.store.treebanks.tree_file import TreeFile, checked_relation, squeeze

MULTINUC = "multinuc"
_PARAGRAPH = "paragraph"
"""Our comment before the first segment of a paragraph; other tools skip comments."""
_SHOWN_ROOTS = 5
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class _Element:
    """A segment (then it has an EDU number) or a group."""

    line: int
    id: str
    kind: str
    parent: str
    relation: str
    edu: int = -1


@dataclass(frozen=True, slots=True)
class _Body:
    """What a file holds: its elements by id, the EDU texts, and the types of its relations."""

    name: str
    elements: dict[str, _Element] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    paragraphs: list[int] = field(default_factory=list)
    types: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def error(self, line: int, message: str) -> FormatError:
        return FormatError(f"{self.name}:{line}: {message}")


def parse_rs3(data: bytes, *, name: str) -> TreeFile:
    """Parse the content of a file; ``name`` is its name in errors."""
    body = _read_xml(data, name)
    children: dict[str, list[_Element]] = defaultdict(list)
    for element in body.elements.values():
        if element.parent and element.parent not in body.elements:
            raise body.error(
                element.line, f"{element.id} names the missing parent {element.parent}"
            )
        children[element.parent].append(element)
    subtrees: dict[str, Subtree] = {}
    for element in reversed(_parents_first(children, body)):
        siblings = [(child, subtrees.pop(child.id)) for child in children[element.id]]
        subtrees[element.id] = _join(element, siblings, body)
    (whole,) = subtrees.values()
    return _tree_file(whole, body)


def _read_xml(data: bytes, name: str) -> _Body:
    body = _Body(name)
    parser = expat.ParserCreate()
    handler = _Handler(parser, body)
    parser.buffer_text = True
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.text
    parser.CommentHandler = handler.comment
    # Without declarations there are no entities that expand without end or name other files.
    parser.StartDoctypeDeclHandler = handler.refuse_declarations
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        message = f"broken XML: {expat.errors.messages[error.code]}"
        raise body.error(error.lineno, message) from error
    except FormatError:  # of our own handlers
        raise
    except (LookupError, ValueError) as error:
        raise body.error(1, f"the encoding cannot be read: {error}") from error
    return body


@dataclass(slots=True)
class _Handler:
    """Gathers the content of a file while it is parsed."""

    parser: expat.XMLParserType
    body: _Body
    in_segment: bool = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "rel":
            self.body.types[attributes.get("name", "")].add(attributes.get("type", ""))
        elif tag in {"segment", "group"}:
            if self.in_segment:
                line = self.parser.CurrentLineNumber
                raise self.body.error(line, f"a {tag} lies inside a segment; they stand apart")
            _add(tag, attributes, self.parser.CurrentLineNumber, self.body)
            self.in_segment = tag == "segment"

    def comment(self, text: str) -> None:
        if text.strip() == _PARAGRAPH:
            self.body.paragraphs.append(len(self.body.texts))

    def end(self, tag: str) -> None:
        self.in_segment = self.in_segment and tag != "segment"

    def text(self, text: str) -> None:
        if self.in_segment:
            self.body.texts[-1] += text

    def refuse_declarations(self, *_: object) -> NoReturn:
        line = self.parser.CurrentLineNumber
        raise self.body.error(line, "a document type is declared; tree files have none")


def _add(tag: str, attributes: dict[str, str], line: int, body: _Body) -> None:
    name = attributes.get("id", "")
    if not name or name in body.elements:
        raise body.error(line, f"the {tag} needs an id of its own, got {name!r}")
    is_segment = tag == "segment"
    if is_segment:
        body.texts.append("")
    body.elements[name] = _Element(
        line=line,
        id=name,
        kind=tag if is_segment else attributes.get("type", SPAN),
        parent=attributes.get("parent", ""),
        relation=attributes.get("relname", SPAN),
        edu=len(body.texts) - 1 if is_segment else -1,
    )


def _parents_first(children: dict[str, list[_Element]], body: _Body) -> list[_Element]:
    """List all elements from the root down, without empty groups that belong to nothing."""
    roots = [root for root in children[""] if root.kind == "segment" or children[root.id]]
    if len(roots) != 1:
        ids = ", ".join(root.id for root in roots[:_SHOWN_ROOTS])
        listed = f": elements {ids} have no parent" if ids else ""
        raise FormatError(f"{body.name}: a tree has one root, this one has {len(roots)}{listed}")
    ordered = list(roots)
    for element in ordered:
        ordered += children[element.id]
    strays = len(children[""]) - 1
    if len(ordered) + strays < len(body.elements):
        found = {element.id for element in ordered}
        lost = next(e for e in body.elements.values() if e.parent and e.id not in found)
        raise body.error(lost.line, f"{lost.id} is its own ancestor")
    return ordered


def _join(element: _Element, children: list[tuple[_Element, Subtree]], body: _Body) -> Subtree:
    """Join the content of an element with the satellites that point at it."""
    frequency = Counter(child.relation for child, _ in children)
    subtrees = [leaf_subtree(element.edu)] if element.kind == "segment" else []
    for child, subtree in children:
        nucleus = _is_nucleus(element, child.relation, frequency, body.types)
        subtrees.append(replace(subtree, is_nucleus=nucleus, relation=child.relation))
    try:
        return assemble(subtrees)
    except InvalidTree as error:
        raise body.error(element.line, f"{element.kind} {element.id}: {error}") from error


def _is_nucleus(
    parent: _Element, relation: str, frequency: Counter[str], types: dict[str, set[str]]
) -> bool:
    if parent.kind == "segment":
        return False
    if relation == SPAN or parent.kind != MULTINUC:
        return relation == SPAN
    # A name may be declared for both kinds of relation, or for none.
    return MULTINUC in types[relation] if relation in types else frequency[relation] > 1


def _tree_file(whole: Subtree, body: _Body) -> TreeFile:
    edus = tuple(squeeze(text) for text in body.texts)
    for element in body.elements.values():
        if element.kind == "segment" and not edus[element.edu]:
            raise body.error(element.line, f"segment {element.id} has no text")
    starts = (0, *sorted({start for start in body.paragraphs if 0 < start < len(edus)}))
    return TreeFile(edus, whole.tree, starts)


@dataclass(frozen=True, slots=True)
class _Placed:
    """An element by its number; several nuclei in one group share a relation."""

    number: int
    nuclei: str = ""


@dataclass(frozen=True, slots=True)
class _Groups:
    """Elements in the order of their numbers: the segments, then the groups made so far."""

    multinuclear: frozenset[str]
    kinds: list[str]
    parents: dict[int, tuple[int, str]] = field(default_factory=dict)

    def add(self, kind: str) -> int:
        self.kinds.append(kind)
        return len(self.kinds)

    def at_branch(self, branch: Branch, left: _Placed, right: _Placed) -> _Placed:
        relation = checked_relation(branch.relation)
        if branch.nuclearity is Nuclearity.BOTH:
            return self._join_nuclei(left, right, relation)
        nucleus, satellite = left, right
        if branch.nuclearity is Nuclearity.RIGHT:
            nucleus, satellite = right, left
        if nucleus.nuclei and relation in self.multinuclear:
            # Straight under the group it would be taken for one more nucleus.
            nucleus = self._wrap(nucleus)
        self.parents[satellite.number] = (nucleus.number, relation)
        return self._wrap(nucleus)

    def _join_nuclei(self, left: _Placed, right: _Placed, relation: str) -> _Placed:
        group = right
        if right.nuclei != relation:
            group = _Placed(self.add(MULTINUC), relation)
            self.parents[right.number] = (group.number, relation)
        self.parents[left.number] = (group.number, relation)
        return group

    def _wrap(self, content: _Placed) -> _Placed:
        span = _Placed(self.add(SPAN))
        self.parents[content.number] = (span.number, SPAN)
        return span


def format_rs3(tree_file: TreeFile) -> str:
    """Write a tree that rstWeb opens; right-branching nuclei of one relation become one group."""
    branches = nodes(tree_file.tree)
    several = frozenset(n.relation for n in branches if n.nuclearity is Nuclearity.BOTH)
    single = {n.relation for n in branches if n.nuclearity is not Nuclearity.BOTH}
    groups = _Groups(several, ["segment"] * len(tree_file.edus))
    fold(tree_file.tree, _at_leaf, groups.at_branch)
    relations = sorted({(name, "rst") for name in single} | {(name, MULTINUC) for name in several})
    lines = [
        "<rst>",
        "\t<header>",
        "\t\t<relations>",
        *(f'\t\t\t<rel name={quoteattr(name)} type="{kind}"/>' for name, kind in relations),
        "\t\t</relations>",
        "\t</header>",
        "\t<body>",
        *_element_lines(tree_file, groups),
        "\t</body>",
        "</rst>",
    ]
    return "\n".join([*lines, ""])


def _at_leaf(leaf: Leaf) -> _Placed:
    return _Placed(leaf.edu + 1)


def _element_lines(tree_file: TreeFile, groups: _Groups) -> Iterator[str]:
    opened = frozenset(tree_file.paragraphs[1:])
    for number, kind in enumerate(groups.kinds, start=1):
        parent, relation = groups.parents.get(number, (0, ""))
        place = f' parent="{parent}" relname={quoteattr(relation)}' if parent else ""
        if kind == "segment":
            if number - 1 in opened:
                yield f"\t\t<!-- {_PARAGRAPH} -->"
            text = escape(_NOT_XML.sub("\ufffd", tree_file.edus[number - 1]))
            yield f'\t\t<segment id="{number}"{place}>{text}</segment>'
        else:
            yield f'\t\t<group id="{number}" type="{kind}"{place}/>'
