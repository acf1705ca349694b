"""Parts of an analysed text as users want to see them, with their own text and offsets."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from discobert.data.coref import Cluster
from discobert.data.document import Document, Span
from discobert.data.rst import Branch, Leaf, RstTree, leaves

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class EduView:
    """An EDU with its text; ``index`` is its place among the EDUs, counted from 0."""

    index: int
    sentence: int
    """The index of its sentence."""
    start: int
    end: int
    text: str
    has_subject: bool

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence with its text and its EDUs; ``index`` counts from 0."""

    index: int
    start: int
    end: int
    text: str
    edus: tuple[EduView, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class MentionView:
    """A mention of an entity with its text."""

    start: int
    end: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, repr=False)
class TreeView:
    """A node of an RST tree with the text below it; ``print`` draws it.

    A leaf has an ``edu`` (its index, counted from 0) and no relation; every other node has a
    relation, a nuclearity (``"NS"``, ``"SN"`` or ``"NN"``) and two children.
    """

    document: Document
    node: RstTree

    @property
    def is_leaf(self) -> bool:
        """Whether the node is a single EDU."""
        return isinstance(self.node, Leaf)

    @property
    def edu(self) -> int | None:
        """The index of the EDU, if the node is a leaf."""
        return self.node.edu if isinstance(self.node, Leaf) else None

    @property
    def edus(self) -> tuple[int, ...]:
        """The indices of all EDUs below the node."""
        return leaves(self.node)

    @property
    def relation(self) -> str | None:
        """The relation between the children."""
        return self.node.relation if isinstance(self.node, Branch) else None

    @property
    def nuclearity(self) -> str | None:
        """Which child is central: ``"NS"`` the left one, ``"SN"`` the right one, ``"NN"`` both."""
        return self.node.nuclearity.value if isinstance(self.node, Branch) else None

    @property
    def left(self) -> "TreeView | None":
        """The first child."""
        return TreeView(self.document, self.node.left) if isinstance(self.node, Branch) else None

    @property
    def right(self) -> "TreeView | None":
        """The second child."""
        return TreeView(self.document, self.node.right) if isinstance(self.node, Branch) else None

    @property
    def children(self) -> "tuple[TreeView, ...]":
        """Both children, or none."""
        return tuple(child for child in (self.left, self.right) if child is not None)

    @property
    def text(self) -> str:
        """The source text from the first EDU below the node to the last."""
        edus = self.edus
        first, last = self.document.edus[edus[0]].span, self.document.edus[edus[-1]].span
        return self.document.text[first.start : last.end]

    def __iter__(self) -> "Iterator[TreeView]":
        """Yield this node and all below it, parents first, in reading order."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo += reversed(node.children)

    def __str__(self) -> str:
        from discobert.formats import draw_node

        return draw_node(self.document, self.node)

    def __repr__(self) -> str:
        if isinstance(self.node, Leaf):
            return f"<EDU {self.node.edu}: {self.text!r}>"
        edus = self.edus
        return f"<{self.relation} {self.nuclearity}, EDUs {edus[0]} to {edus[-1]}>"


def edu_views(document: Document) -> tuple[EduView, ...]:
    """Return all EDUs of a document with their text."""
    return tuple(
        EduView(
            index=index,
            sentence=edu.sentence,
            start=edu.span.start,
            end=edu.span.end,
            text=edu.span.of(document.text),
            has_subject=edu.has_subject,
        )
        for index, edu in enumerate(document.edus)
    )


def sentence_views(document: Document) -> tuple[SentenceView, ...]:
    """Return all sentences of a document with their text and EDUs."""
    edus = edu_views(document)
    by_sentence = document.edus_by_sentence()
    return tuple(
        SentenceView(
            index=index,
            start=span.start,
            end=span.end,
            text=span.of(document.text),
            edus=edus[by_sentence[index].start : by_sentence[index].stop],
        )
        for index, span in enumerate(document.sentences)
    )


class ClusterView(tuple[MentionView, ...]):
    """The mentions of one entity, in reading order."""

    __slots__ = ()

    @property
    def mentions(self) -> tuple[MentionView, ...]:
        """The mentions: the cluster itself."""
        return self

    @property
    def text(self) -> str:
        """The words of the longest mention."""
        return max((mention.text for mention in self), key=len)


def cluster_views(document: Document, clusters: tuple[Cluster, ...]) -> tuple[ClusterView, ...]:
    """Return the mentions of every cluster with their text."""
    return tuple(
        ClusterView(_mention(document, mention.span) for mention in cluster.mentions)
        for cluster in clusters
    )


def _mention(document: Document, span: Span) -> MentionView:
    return MentionView(span.start, span.end, span.of(document.text))
