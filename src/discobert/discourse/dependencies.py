"""Dependencies between EDUs, read off an RST tree.

Every span has a head EDU: a leaf is its own head; a branch takes the head of its nucleus, or of
its left child when both children are nuclei. A satellite's head depends on the nucleus's head;
of two nuclei the right head depends on the left one if the right one would lack a subject.
"""

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from discobert.data.document import Document
from discobert.data.graph import Edge
from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree, fold, nodes


class SubjectTest(Enum):
    """Which span must lack a subject for the right one of two nuclei to depend on the left one."""

    RIGHT_HEAD = "right-head"
    """The head EDU of the right child: the text that would be stranded."""

    RIGHT_SPAN = "right-span"
    """The right child as a whole."""

    LEFT_HEAD = "left-head"
    """The head EDU of the left child, as the released code has it."""


class SameUnit(Enum):
    """Dependencies between the two parts of an interrupted clause."""

    MUTUAL = "mutual"
    """Each part needs the other: half a clause cannot be read."""

    ORDINARY = "ordinary"
    """As any other relation."""


class Scope(Enum):
    """Which dependencies are listed."""

    DOCUMENT = "document"
    """All of them, also between sentences."""

    SENTENCE = "sentence"
    """Those whose whole dependent span lies in the sentence of the head."""


class LeadingPunctuation(Enum):
    """Role of a document's first EDU if it starts with punctuation."""

    IGNORED = "ignored"
    SATELLITE = "satellite"


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyRules:
    """One way of reading dependencies off a tree."""

    subject_test: SubjectTest = SubjectTest.RIGHT_HEAD
    same_unit: SameUnit = SameUnit.MUTUAL
    scope: Scope = Scope.DOCUMENT
    leading_punctuation: LeadingPunctuation = LeadingPunctuation.IGNORED


OURS = DependencyRules()
"""The paper's rules, and both parts of an interrupted clause need each other."""

PAPER = DependencyRules(same_unit=SameUnit.ORDINARY)
"""The paper's rules and nothing else."""

LEGACY = DependencyRules(
    subject_test=SubjectTest.LEFT_HEAD,
    same_unit=SameUnit.ORDINARY,
    scope=Scope.SENTENCE,
    leading_punctuation=LeadingPunctuation.SATELLITE,
)
"""What the paper's released code does, for comparisons.

Two inputs differ from that code's: ``Edu.has_subject`` may count more than its one label ``nsubj``,
and punctuation is recognised by its first character instead of a parser's label.
"""

VARIANTS: Mapping[str, DependencyRules] = MappingProxyType(
    {"ours": OURS, "paper": PAPER, "legacy": LEGACY}
)

_ENDS = attrgetter("dependent", "head")


class _Headed(NamedTuple):
    """A span of EDUs ``start`` to ``end`` with its head."""

    head: int
    start: int
    end: int


def is_same_unit(relation: str) -> bool:
    """Return whether a relation is same-unit, in any spelling."""
    return relation.lower().replace("-", "").replace("_", "").replace(" ", "") == "sameunit"


def heads(tree: RstTree) -> tuple[Edge, ...]:
    """Link, for every branch, the head EDU of its less central child to the branch's head EDU."""
    edges: list[Edge] = []

    def at_branch(branch: Branch, left: int, right: int) -> int:
        to_the_right = branch.nuclearity is Nuclearity.RIGHT
        head, dependent = (right, left) if to_the_right else (left, right)
        edges.append(Edge(dependent, head, branch.relation))
        return head

    fold(tree, _own_index, at_branch)
    return tuple(sorted(edges, key=_ENDS))


def _own_index(leaf: Leaf) -> int:
    return leaf.edu


class Attribution(NamedTuple):
    """The head EDU of the source ("she said") and that of the content."""

    source: int
    content: int


def attributions(document: Document, tree: RstTree) -> tuple[Attribution, ...]:
    """List the attributions inside sentences, in reading order of the sources."""
    return tuple(
        Attribution(edge.dependent, edge.head)
        for edge in enforced(document, heads(tree))
        if edge.label.lower().startswith("attribution")
    )


def promotion_depths(tree: RstTree) -> tuple[int, ...]:
    """Return, for each EDU, the depth of the highest node that promotes it; the root has depth 0.

    A node promotes what its nuclei promote (Marcu 1997; Louis et al. 2010), so an EDU is promoted
    up to its first ancestor that is a satellite.
    """
    branches = nodes(tree)
    n_edus = len(branches) + 1
    # Each span's own depth and the depth its promoted EDUs reach; a parent precedes its children.
    reached = {(0, n_edus): (0, 0)}
    for node in reversed(branches):
        depth, top = reached.pop((node.start, node.end))
        for start, end, satellite in (
            (node.start, node.middle, node.nuclearity is Nuclearity.RIGHT),
            (node.middle, node.end, node.nuclearity is Nuclearity.LEFT),
        ):
            reached[start, end] = (depth + 1, depth + 1 if satellite else top)
    return tuple(top for _, (_, top) in sorted(reached.items()))


def dependencies(
    document: Document, tree: RstTree, *, rules: DependencyRules = OURS
) -> tuple[Edge, ...]:
    """List the dependencies of a tree, those between sentences included, labelled by relation."""
    edges: list[Edge] = []

    def at_leaf(leaf: Leaf) -> _Headed:
        return _Headed(leaf.edu, leaf.edu, leaf.edu + 1)

    def at_branch(branch: Branch, left: _Headed, right: _Headed) -> _Headed:
        nuclearity = _nuclearity(document, branch, left, rules)
        to_the_right = nuclearity is Nuclearity.RIGHT
        central, other = (right, left) if to_the_right else (left, right)
        mutual = rules.same_unit is SameUnit.MUTUAL and is_same_unit(branch.relation)
        depends = nuclearity is not Nuclearity.BOTH or _stranded(document, left, right, rules)
        if (mutual or depends) and _in_scope(document, other, central.head, rules):
            edges.append(Edge(other.head, central.head, branch.relation))
        if mutual and _in_scope(document, central, other.head, rules):
            edges.append(Edge(central.head, other.head, branch.relation))
        return _Headed(central.head, left.start, right.end)

    fold(tree, at_leaf, at_branch)
    return tuple(sorted(edges, key=_ENDS))


def _nuclearity(
    document: Document, branch: Branch, left: _Headed, rules: DependencyRules
) -> Nuclearity:
    forced = (
        branch.nuclearity is Nuclearity.BOTH
        and rules.leading_punctuation is LeadingPunctuation.SATELLITE
        and left.end == 1
        and unicodedata.category(document.edu_text(0)[0]).startswith("P")
    )
    return Nuclearity.RIGHT if forced else branch.nuclearity


def _stranded(document: Document, left: _Headed, right: _Headed, rules: DependencyRules) -> bool:
    if rules.subject_test is SubjectTest.RIGHT_HEAD:
        return not document.edus[right.head].has_subject
    if rules.subject_test is SubjectTest.LEFT_HEAD:
        return not document.edus[left.head].has_subject
    return not any(edu.has_subject for edu in document.edus[right.start : right.end])


def _in_scope(document: Document, dependent: _Headed, head: int, rules: DependencyRules) -> bool:
    if rules.scope is Scope.DOCUMENT:
        return True
    edus = document.edus
    sentence = edus[head].sentence
    return edus[dependent.start].sentence == sentence == edus[dependent.end - 1].sentence


def enforced(document: Document, edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Keep the edges inside one sentence: the dependencies that selection enforces.

    Chains across sentences would bring the first sentences of a document into every summary.
    """
    edus = document.edus
    return tuple(e for e in edges if edus[e.dependent].sentence == edus[e.head].sentence)


def enforced_dependencies(
    document: Document, tree: RstTree, *, rules: DependencyRules = OURS
) -> tuple[Edge, ...]:
    """List the dependencies of a tree that selection enforces."""
    return enforced(document, dependencies(document, tree, rules=rules))


def closures(n_edus: int, edges: Iterable[Edge]) -> tuple[frozenset[int], ...]:
    """Return, for each EDU, the set of itself and all its direct and indirect heads.

    The work is proportional to the size of the result, cycles or not: linear in the length of a
    document for enforced dependencies, whose closures stay inside their sentences.
    """
    needs: list[list[int]] = [[] for _ in range(n_edus)]
    for edge in edges:
        needs[edge.dependent].append(edge.head)
    closed: list[frozenset[int]] = []
    for edu in range(n_edus):
        if not needs[edu]:
            closed.append(frozenset((edu,)))
            continue
        reached = {edu}
        todo = needs[edu].copy()
        while todo:
            other = todo.pop()
            if other in reached:
                continue
            if other < edu:
                reached |= closed[other]
            else:
                reached.add(other)
                todo += needs[other]
        closed.append(frozenset(reached))
    return tuple(closed)


def violations(selected: Collection[int], edges: Iterable[Edge]) -> int:
    """Count the selected EDUs that lack one of their direct dependencies; zero means closed."""
    chosen = frozenset(selected)
    return len({e.dependent for e in edges if e.dependent in chosen and e.head not in chosen})
