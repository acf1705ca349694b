"""Values written by hand in one line, for every test."""

import re
from dataclasses import dataclass
from itertools import pairwise

from discobert.data.coref import Cluster, Mention
from discobert.data.document import Document, Edu, Span
from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree
from discobert.data.summary import Analysis, ModelId, Scores
from discobert.discourse.units import UnitKind
from discobert.selection.build import THREE_SENTENCES, Decoding, Salience

MODEL = ModelId("m", "1")
_USUAL = Decoding(budget=THREE_SENTENCES)
_PART = re.compile(r"\[(?P<edu>~?[^]]*)\]|(?P<bar>\|\|?) ?|(?P<gap>[^]\[|]+)")


def doc(markup: str, *, name: str = "doc") -> Document:
    """Build a document from ``[EDUs] [in brackets.] | [The next sentence.] || [Next paragraph.]``.

    ``[~`` opens an EDU without a subject. The text is what remains without the marks; a new
    paragraph starts on a new line.
    """
    text, sentences, paragraphs, edus = "", [0], [0], list[Edu]()
    for part in _PART.finditer(markup):
        if part["edu"] is not None:
            edu = part["edu"].removeprefix("~")
            span = Span(len(text), len(text) + len(edu))
            edus.append(Edu(span, len(sentences) - 1, has_subject=not part["edu"].startswith("~")))
            text += edu
        elif part["bar"]:
            text = text.rstrip() + ("\n" if part["bar"] == "||" else " ")
            paragraphs += [len(sentences)] if part["bar"] == "||" else []
            sentences.append(len(text))
        else:
            text += part["gap"]
    spans = tuple(_sentence(text, a, b) for a, b in pairwise([*sentences, len(text)]))
    return Document(name, text, spans, tuple(edus), tuple(paragraphs))


def _sentence(text: str, start: int, end: int) -> Span:
    return Span(start, start + len(text[start:end].rstrip()))


def tree(
    nuclearity: str, left: int | RstTree, right: int | RstTree, relation: str = "rel"
) -> Branch:
    """Build a branch from EDU indices or other branches.

    ``tree("NS", 0, tree("NN", 1, 2))`` holds three EDUs.
    """
    return Branch(relation, Nuclearity(nuclearity), _subtree(left), _subtree(right))


def _subtree(part: int | RstTree) -> RstTree:
    return Leaf(part) if isinstance(part, int) else part


def chain(n_edus: int, nuclearity: str = "NS", relation: str = "rel") -> RstTree:
    """Build the right-branching tree over ``n_edus`` EDUs, as deep as it is long."""
    built: RstTree = Leaf(n_edus - 1)
    for edu in reversed(range(n_edus - 1)):
        built = tree(nuclearity, edu, built, relation)
    return built


def cluster(document: Document, *mentions: str) -> Cluster:
    """Find the mentions as whole words in reading order, each after the start of the one before."""
    found: list[Mention] = []
    for mention in mentions:
        start = found[-1].span.start + 1 if found else 0
        match = re.compile(rf"(?<!\w){re.escape(mention)}(?!\w)").search(document.text, start)
        if match is None:
            raise ValueError(f"no {mention!r} after character {start} of {document.text!r}")
        found.append(Mention(Span(*match.span())))
    return Cluster(tuple(found))


def analysis(markup: str, rst: RstTree | None = None, *clusters: tuple[str, ...]) -> Analysis:
    """Build an analysis; without a tree, every EDU elaborates on the one before."""
    document = doc(markup)
    coref = tuple(cluster(document, *mentions) for mentions in clusters)
    return Analysis(document, rst or chain(len(document.edus)), coref)


@dataclass(frozen=True, slots=True)
class FixedScorer:
    """A scorer that knows the answer."""

    values: tuple[float, ...]
    decoding: Decoding = _USUAL
    unit: UnitKind = UnitKind.EDU
    model: ModelId = MODEL

    def score(self, analysis: Analysis) -> Salience:
        """Give every text the same scores."""
        return Salience(Scores(self.values), self.decoding, self.unit)
