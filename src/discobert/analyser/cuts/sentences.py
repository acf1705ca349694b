"""What is known of a sentence before any cut of it is scored: words, vectors, tree, context."""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from discobert.data.document import Document, Span
from discobert.data.rst import Node, RstTree, nodes
from discobert.language.cut_patterns import PHRASES, WORD, word_facts
from discobert.runtime.casts import halves
from discobert.runtime.pieces import PieceLayout, word_ranges
from discobert.runtime.tensors import Array, Stored

MOST_EDUS, MOST_WORDS = 64, 256
"""Sentences longer than that are lists, of which no cut is scored."""
SEEN_CHARACTERS = 6_000
"""How far back a word counts as said before."""

RankWord = Callable[[str], float]
"""How rare a word is, given in lower case: a logarithm of its place by frequency."""

QUOTES = '"“”'

_KINDS, _IS_CAPITAL = attrgetter("kinds"), attrgetter("is_capital")
_IS_NUMBER, _IS_FINITE = attrgetter("is_number"), attrgetter("is_finite")


@dataclass(frozen=True, slots=True)
class EduWords:
    """The words of one EDU, with what any cut needs of them."""

    text: str
    words: tuple[str, ...]
    stems: frozenset[str]
    """Stems of the content words: those that are no stop words."""
    ranks: tuple[float, ...]
    """Rank of each content word."""
    kinds: frozenset[str]
    """The patterns that it has."""
    n_quotes: int
    n_capitals: int
    n_numbers: int
    n_finite: int

    @classmethod
    def of(cls, text: str, rank: RankWord) -> "EduWords":
        """Read the words of a text."""
        found = tuple(WORD.findall(text))
        facts = tuple(map(word_facts, found))
        lower = text.lower()
        phrases = {name for name, phrase in PHRASES.items() if phrase in lower}
        return cls(
            text=text,
            words=found,
            stems=frozenset(fact.stem for fact in facts if fact.stem),
            ranks=tuple(
                rank(word.lower()) for word, fact in zip(found, facts, strict=True) if fact.stem
            ),
            kinds=frozenset(phrases.union(*map(_KINDS, facts))),
            n_quotes=sum(map(text.count, QUOTES)),
            n_capitals=sum(map(_IS_CAPITAL, facts)),
            n_numbers=sum(map(_IS_NUMBER, facts)),
            n_finite=sum(map(_IS_FINITE, facts)),
        )


@dataclass(frozen=True, slots=True)
class CutSentence:
    """A sentence of several EDUs; EDUs, nodes and characters are counted from its start."""

    index: int
    first_edu: int
    opens_paragraph: bool
    text: str
    edus: tuple[Span, ...]
    nodes: tuple[Node, ...]
    """The branches of the RST tree inside it."""
    profiles: tuple[EduWords, ...]
    previous: frozenset[str]
    """Stems of the content words of the sentence before."""
    seen: frozenset[str]
    """Stems of this sentence that the text before it has."""
    word_edus: NDArray[np.int64]
    """The EDU of each word, (W,)."""
    tags: Array
    """Logits of each word to start an EDU and to be a subject, (W, 2)."""
    words: Stored
    """Vector of each word, (W, H)."""
    edu_vectors: Array
    means: Stored
    """Mean vectors of this sentence and of the one before, (2, H)."""

    def mask(self, cut: Sequence[int]) -> NDArray[np.bool_]:
        """Return which words a cut takes away."""
        goes = np.zeros(len(self.edus), dtype=np.bool_)
        goes[list(cut)] = True
        mask: NDArray[np.bool_] = goes[self.word_edus]
        return mask


@dataclass(slots=True)
class KeptVectors:
    """Vectors of the sentences that may be cut, in half precision: as the head was trained."""

    words: dict[int, Stored] = field(default_factory=dict)
    """Word vectors by the first word of the sentence."""
    means: list[Stored] = field(default_factory=list)
    """Mean vectors of all sentences, section after section."""

    def add(self, words: Array, first: int, ranges: Sequence[tuple[int, int]]) -> None:
        """Keep the words of some sentences; ``words`` starts at the word ``first`` of the text."""
        if not ranges:
            return
        rows = halves(np.concatenate([words[start - first : end - first] for start, end in ranges]))
        place = 0
        for start, end in ranges:
            self.words[start] = rows[place : place + end - start]
            place += end - start


@dataclass(frozen=True, slots=True)
class AnalyserOutputs:
    """What the analyser's networks say of a text, as far as the cut head reads it."""

    tags: Array
    """Logits of each word."""
    kept: KeptVectors
    edus: Array
    """Vectors of EDUs."""


def may_be_cut(n_edus: int, n_words: int) -> bool:
    """Return whether a sentence has several EDUs and is no list."""
    return 1 < n_edus <= MOST_EDUS and n_words <= MOST_WORDS


def cut_sentences(
    document: Document,
    tree: RstTree,
    layout: PieceLayout,
    outputs: AnalyserOutputs,
    rank: RankWord,
    *,
    wanted: Container[int] | None = None,
) -> Iterator[CutSentence]:
    """Yield the sentences whose words were kept.

    ``wanted`` names the sentences to yield; None: all.
    """
    kept = outputs.kept
    means = np.concatenate([np.zeros_like(kept.means[0][:1]), *kept.means])
    context = _Context(document)
    branches = _inner_nodes(document, tree)
    ranges = word_ranges(layout, document.sentences).tolist()
    openings = frozenset(document.paragraphs)
    for index, edus in enumerate(document.edus_by_sentence()):
        start, end = ranges[index]
        if wanted is not None and index not in wanted:
            continue
        if start not in kept.words or not may_be_cut(len(edus), end - start):
            continue
        sentence = document.sentences[index]
        spans = tuple(_shifted(document.edus[edu].span, sentence.start) for edu in edus)
        text = sentence.of(document.text)
        profiles = tuple(EduWords.of(span.of(text), rank) for span in spans)
        offsets = layout.word_chars[start:end, 0] - sentence.start
        openings_of_edus = [span.start for span in spans]
        yield CutSentence(
            index=index,
            first_edu=edus.start,
            opens_paragraph=index in openings,
            text=text,
            edus=spans,
            nodes=tuple(branches.get(index, ())),
            profiles=profiles,
            previous=context.stems_of(index - 1),
            seen=context.seen(index, frozenset().union(*(edu.stems for edu in profiles))),
            word_edus=np.searchsorted(openings_of_edus, offsets, side="right") - 1,
            tags=outputs.tags[start:end],
            words=kept.words[start],
            edu_vectors=outputs.edus[edus.start : edus.stop],
            means=means[[index + 1, index]],
        )


def _shifted(span: Span, start: int) -> Span:
    return Span(span.start - start, span.end - start)


def _inner_nodes(document: Document, tree: RstTree) -> dict[int, list[Node]]:
    """Return the branches inside each sentence, counted from its first EDU."""
    edus, firsts = document.edus, [edus.start for edus in document.edus_by_sentence()]
    found: dict[int, list[Node]] = {}
    for node in nodes(tree):
        sentence = edus[node.start].sentence
        if sentence == edus[node.end - 1].sentence:
            first = firsts[sentence]
            places = (node.start - first, node.middle - first, node.end - first)
            found.setdefault(sentence, []).append(Node(*places, node.nuclearity, node.relation))
    return found


class _Context:
    """Stems of a text, sentence by sentence; sentences are asked for in reading order."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._last: dict[str, int] = {}
        self._next = 0
        self._stems: frozenset[str] = frozenset()

    def stems_of(self, sentence: int) -> frozenset[str]:
        """Return the stems of a sentence, after taking note of all up to it."""
        while self._next <= sentence:
            self._read(self._document.sentences[self._next])
            self._next += 1
        return self._stems if sentence >= 0 else frozenset()

    def _read(self, sentence: Span) -> None:
        found: set[str] = set()
        for match in WORD.finditer(sentence.of(self._document.text)):
            if stem := word_facts(match[0]).stem:
                found.add(stem)
                self._last[stem] = sentence.start + match.start()
        self._stems = frozenset(found)

    def seen(self, sentence: int, stems: frozenset[str]) -> frozenset[str]:
        """Return those of the stems that occur not too far before a sentence."""
        self.stems_of(sentence - 1)
        far = self._document.sentences[sentence].start - SEEN_CHARACTERS
        return frozenset(stem for stem in stems if self._last.get(stem, -1) >= max(far, 0))
