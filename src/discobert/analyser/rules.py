"""An analyser without weights: rules over punctuation and connectives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from discobert.data.document import Document, Edu, SentenceLayout, SourceText, Span
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.data.rst import Branch, Leaf, RstTree
from discobert.data.summary import Analysis
from discobert.language.clauses import Link, clause_starts, has_subject, link, resumes
from discobert.protocols import SentenceSplitter

MOST_EDUS = 128
"""EDUs of one sentence: what has more is no sentence, and each may depend on all others of it."""


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text split into sentences, ready for ``analyse_encoded``."""

    source: SourceText
    sentences: SentenceLayout


@dataclass(frozen=True, slots=True)
class RuleAnalyser:
    """Analyses texts by punctuation and connectives: clauses, a right-branching tree, no clusters.

    It needs no weights; tests and ``--model rules`` use it.
    """

    splitter: SentenceSplitter
    limits: TextLimits = DEFAULT_LIMITS

    def analyse(self, source: SourceText) -> Analysis:
        """Analyse a text of at least one non-space character."""
        self.limits.check_chars(source.id, len(source.text))
        split = self.encode(source)
        self.limits.check_edus(source.id, len(split.sentences.sentences))
        spans = [
            span
            for sentence in split.sentences.sentences
            for span in clauses(source.text, sentence)
        ]
        return self.analyse_encoded(split, spans)

    def encode(self, source: SourceText, sentences: SentenceLayout | None = None) -> SplitText:
        """Split a text, or keep the sentences that are given."""
        return SplitText(source, sentences or self.splitter.split(source.text))

    def analyse_encoded(self, split: SplitText, edus: Sequence[Span] | None = None) -> Analysis:
        """Parse the given EDUs; without any, every sentence is one."""
        layout, text = split.sentences, split.source.text
        spans = layout.sentences if edus is None else edus
        document = Document(
            split.source.id,
            text,
            layout.sentences,
            tuple(_placed(spans, layout.sentences, text)),
            layout.paragraphs,
            split.source.markup,
        )
        return Analysis(document, right_branching_tree(document))


def _placed(edus: Sequence[Span], sentences: Sequence[Span], text: str) -> Iterator[Edu]:
    sentence = 0
    for edu in edus:
        while sentences[sentence].end <= edu.start:
            sentence += 1
        yield Edu(edu, sentence, has_subject(edu.of(text)))


def clauses(text: str, sentence: Span) -> tuple[Span, ...]:
    """Cut one sentence into trimmed clauses."""
    starts = [sentence.start + offset for offset in clause_starts(sentence.of(text))][:MOST_EDUS]
    return tuple(
        Span(start, start + len(text[start:end].rstrip()))
        for start, end in pairwise([*starts, sentence.end])
    )


def right_branching_tree(document: Document) -> RstTree:
    """Attach every clause to the one before and every sentence to the one before.

    Connectives decide which of two neighbours is the nucleus; a clause that another one interrupts
    is joined first. Sentences are whole subtrees.
    """
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
