"""Stages without weights: they show the method at work and stand in for trained ones in tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from discobert.data.coref import Cluster
from discobert.data.document import Document, Edu, Span
from discobert.data.rst import Branch, Leaf, RstTree
from discobert.data.summary import Analysis, ModelId, Scores
from discobert.discourse.dependencies import closures, enforced_dependencies
from discobert.language.clauses import Link, clause_starts, has_subject, link, resumes
from discobert.protocols import SentenceSplitter


@dataclass(frozen=True, slots=True)
class RuleSegmenter:
    """Cuts sentences into clauses at punctuation and connectives."""

    splitter: SentenceSplitter

    def segment(self, texts: Sequence[tuple[str, str]]) -> list[Document]:
        """Segment (id, text) pairs; a text needs at least one non-space character."""
        return [self._segment(name, text) for name, text in texts]

    def _segment(self, name: str, text: str) -> Document:
        layout = self.splitter.split(text)
        edus = [
            Edu(span, index, has_subject=has_subject(span.of(text)))
            for index, sentence in enumerate(layout.sentences)
            for span in clauses(text, sentence)
        ]
        return Document(name, text, layout.sentences, tuple(edus), layout.paragraphs)


def clauses(text: str, sentence: Span) -> tuple[Span, ...]:
    """Cut one sentence into trimmed clauses."""
    starts = [sentence.start + offset for offset in clause_starts(sentence.of(text))]
    return tuple(
        Span(start, start + len(text[start:end].rstrip()))
        for start, end in pairwise([*starts, sentence.end])
    )


@dataclass(frozen=True, slots=True)
class RightBranchingParser:
    """Hangs every clause on the one before and every sentence on the one before.

    Connectives decide which of two neighbours is central; a clause that another one interrupts
    is put together again first.
    """

    def parse(self, documents: Sequence[Document]) -> list[RstTree]:
        """Return one tree for each document; sentences are whole subtrees of it."""
        return [_parse(document) for document in documents]


def _parse(document: Document) -> RstTree:
    sentences = [_parse_sentence(document, edus) for edus in document.edus_by_sentence()]
    tree = sentences.pop()
    while sentences:
        tree = _join(Link.ELABORATION, sentences.pop(), tree)
    return tree


def _parse_sentence(document: Document, edus: range) -> RstTree:
    texts = [document.edu_text(edu) for edu in edus]
    tree: RstTree = Leaf(edus[-1])
    index = len(texts) - 2
    while index >= 0:
        if index > 0 and resumes(*texts[index - 1 : index + 2]):
            host = _join(Link.ELABORATION, Leaf(edus[index - 1]), Leaf(edus[index]))
            tree = _join(Link.SAME_UNIT, host, tree)
            index -= 2
        else:
            how = link(texts[index], texts[index + 1], opens_sentence=index == 0)
            tree = _join(how, Leaf(edus[index]), tree)
            index -= 1
    return tree


def _join(how: Link, left: RstTree, right: RstTree) -> Branch:
    return Branch(how.relation, how.nuclearity, left, right)


@dataclass(frozen=True, slots=True)
class NoCoref:
    """Finds no two mentions of one thing."""

    def resolve(self, documents: Sequence[Document]) -> list[tuple[Cluster, ...]]:
        """Return no clusters for each document."""
        return [() for _ in documents]


@dataclass(frozen=True, slots=True)
class PositionScorer:
    """Prefers early sentences and, inside a sentence, clauses that need no others.

    News is written that way, which makes the first sentences a baseline that is hard to beat.
    """

    model: ModelId
    fade: float = 0.7
    """What each further clause that a clause needs leaves of its score."""

    def score(self, analyses: Sequence[Analysis]) -> list[Scores]:
        """Score between 0 and 1, by position alone."""
        return [self._score(analysis) for analysis in analyses]

    def _score(self, analysis: Analysis) -> Scores:
        doc = analysis.document
        needed = closures(len(doc.edus), enforced_dependencies(doc, analysis.rst))
        return Scores(
            tuple(
                self.fade ** (len(closure) - 1) / (1 + edu.sentence) if _tells(doc, edu) else -1.0
                for edu, closure in zip(doc.edus, needed, strict=True)
            )
        )


def _tells(document: Document, edu: Edu) -> bool:
    """Tell whether a clause says anything alone; a lone "But" never does, a short sentence may."""
    is_sentence = edu.span == document.sentences[edu.sentence]
    return is_sentence or len(edu.span.of(document.text).split()) > 1
