"""Units of one document as the summariser's network reads them: pieces, places, features, graphs.

Training and the runtime build them by the same functions, so they cannot drift apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from discobert.data.coref import Cluster
from discobert.data.document import Document, Span
from discobert.data.graph import DiscourseGraph
from discobert.data.summary import Analysis, SentenceSalience
from discobert.discourse.dependencies import OURS, DependencyRules, closures, enforced_dependencies
from discobert.discourse.graphs import cluster_edus, rst_graph, strict_rst_graph
from discobert.errors import ConfigError
from discobert.runtime.pieces import IntArray, PieceLayout, piece_ranges
from discobert.runtime.tensors import Array

COREF_REACH = 64
"""Neighbours of one cluster joined on each side: exact for articles, linear for books."""

N_PLACES = 44
"""Classes of a sentence's place: forty exact ones, then ever longer stretches."""
_EXACT_PLACES = 40
_LATER_PLACES = (40, 64, 128, 256)

N_INNER_PLACES = 6
"""Classes of a unit's place in its sentence."""

FEATURES = (
    "log words",
    "place of the sentence in the document",
    "place in the sentence",
    "share of the sentence's units",
    "has a subject",
    "opens a paragraph",
    "log words of the sentence",
    "log sentences of the document",
    "log words of all it needs",
)
N_FEATURES = len(FEATURES)
N_SIMILARITIES = 2
"""Further features: how near a unit is to the mean of its document and to that of the lead."""
N_SENTENCE_SCORES = 4
"""Further features, in networks that have them: the sentence network's outputs for its sentence."""
_LOGIT_SCALE = 3.0
LEAD_SENTENCES = 3


class RstEdges(Enum):
    """Which edges the RST graph has."""

    LINKS = "links"
    """One per node of the tree, the less central head to the other."""

    STRICT = "strict"
    """Only enforced dependencies."""

    LEGACY = "legacy"
    """One per node of the tree, always from right to left head, as the released code has it."""

    @classmethod
    def _missing_(cls, value: object) -> "RstEdges":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown RST graph {value!r}: use one of {allowed}")


class UnitSpan(Enum):
    """What stands for a unit."""

    CLS = "cls"
    """The piece before its first word: BertSum's for sentences; an EDU needs a block of its own."""

    PIECES = "pieces"
    """Its words."""

    @classmethod
    def _missing_(cls, value: object) -> "UnitSpan":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown span of a unit {value!r}: use one of {allowed}")


class Reach(Enum):
    """How far a piece sees in the upper layers of the encoder."""

    SENTENCE = "sentence"
    """To the ends of its sentence: what a sentence says depends on nothing else."""

    WINDOW = "window"
    """To the ends of its window, many sentences wide."""

    @classmethod
    def _missing_(cls, value: object) -> "Reach":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown reach {value!r}: use one of {allowed}")


@dataclass(frozen=True, slots=True)
class Units:
    """Parallel arrays over the N units of a document, EDUs or sentences."""

    pieces: IntArray
    """First and end piece of each unit, (N, 2); both 0 for a unit without pieces."""
    sentences: IntArray
    """Sentence of each unit, (N)."""
    places: IntArray
    """Classes of the sentence's place and of the place in the sentence, (N, 2)."""
    features: Array
    """(N, ``N_FEATURES``), then ``N_SENTENCE_SCORES`` more if the network reads them."""
    rst: IntArray
    """Dependent and head of each edge, (E, 2)."""
    coref: IntArray
    """Both directions and loops, (E, 2)."""

    def __len__(self) -> int:
        return len(self.sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitOptions:
    """How units are described; the bundle remembers it."""

    rules: DependencyRules = OURS
    rst: RstEdges = RstEdges.LINKS
    sentence_span: UnitSpan = UnitSpan.PIECES
    edu_span: UnitSpan = UnitSpan.PIECES


DEFAULT = UnitOptions()


def edu_units(analysis: Analysis, layout: PieceLayout, options: UnitOptions = DEFAULT) -> Units:
    """Describe the EDUs of a document."""
    document = analysis.document
    spans = [edu.span for edu in document.edus]
    words = _word_counts(document.text, spans)
    needed = closures(
        len(spans), enforced_dependencies(document, analysis.rst, rules=options.rules)
    )
    lengths = words.tolist()
    costs = np.array([sum(lengths[edu] for edu in closure) for closure in needed])
    sentences = np.array([edu.sentence for edu in document.edus], dtype=np.int32)
    subjects = np.array([edu.has_subject for edu in document.edus])
    return Units(
        pieces=_edu_pieces(layout, spans, options.edu_span),
        sentences=sentences,
        places=_places(sentences),
        features=_features(document, sentences, words, subjects, costs),
        rst=_rst_edges(analysis, options),
        coref=coref_edges(document, analysis.coref),
    )


def sentence_units(
    analysis: Analysis, layout: PieceLayout, options: UnitOptions = DEFAULT
) -> Units:
    """Describe the sentences of a document; they have no graphs."""
    document = analysis.document
    spans = document.sentences
    words = _word_counts(document.text, spans)
    sentences = np.arange(len(spans), dtype=np.int32)
    return Units(
        pieces=_sentence_pieces(layout, spans, options.sentence_span),
        sentences=sentences,
        places=_places(sentences),
        features=_features(document, sentences, words, np.ones(len(spans), dtype=bool), words),
        rst=np.zeros((0, 2), dtype=np.int32),
        coref=np.zeros((0, 2), dtype=np.int32),
    )


def with_sentence_scores(units: Units, sentences: SentenceSalience) -> Units:
    """Add the sentence network's outputs for each unit's sentence to its features."""
    logits = (sentences.salience, sentences.gain, sentences.best)
    columns = [np.array(column, dtype=np.float32) / _LOGIT_SCALE for column in logits]
    scores = np.stack([*columns, np.array(sentences.never, dtype=np.float32)], 1)
    return replace(units, features=np.concatenate([units.features, scores[units.sentences]], 1))


def sentence_logits(units: Units) -> Array | None:
    """Return the salience of each unit's sentence, if it is among the features."""
    if units.features.shape[1] == N_FEATURES:
        return None
    logits: Array = _LOGIT_SCALE * units.features[:, N_FEATURES]
    return logits


def input_features(features: Array, similarities: Array) -> Array:
    """Put the features of units in the order in which the network reads them."""
    return np.concatenate([features[:, :N_FEATURES], similarities, features[:, N_FEATURES:]], 1)


def unit_windows(n_units: int, *, size: int, overlap: int = 32) -> list[tuple[int, int, int, int]]:
    """Cover units by windows ``(first, end, read_first, read_end)``; one if they fit.

    Every unit is read in one window only: that in which it lies further from the edge.
    """
    if n_units <= size:
        return [(0, n_units, 0, n_units)]
    core = size - 2 * overlap
    n_windows = -(-n_units // core)
    cuts = [n_units * number // n_windows for number in range(n_windows + 1)]
    return [
        (max(0, low - overlap), min(n_units, high + overlap), low, high)
        for low, high in pairwise(cuts)
    ]


def place_class(sentences: IntArray) -> IntArray:
    """Classify places of sentences in the document."""
    later = np.searchsorted(_LATER_PLACES, sentences, side="right")
    return np.where(later == 0, sentences, _EXACT_PLACES + later - 1).astype(np.int32)


def _places(sentences: IntArray) -> IntArray:
    inner = np.minimum(_inner_index(sentences), N_INNER_PLACES - 1)
    return np.stack([place_class(sentences), inner], 1).astype(np.int32)


def _inner_index(sentences: IntArray) -> IntArray:
    """Count the units of each sentence from 0."""
    first = np.searchsorted(sentences, sentences, side="left")
    return (np.arange(len(sentences)) - first).astype(np.int32)


def _features(
    document: Document,
    sentences: IntArray,
    words: NDArray[np.int64],
    subjects: NDArray[np.bool_],
    costs: NDArray[np.int64],
) -> Array:
    n_sentences = len(document.sentences)
    inner = _inner_index(sentences)
    sizes = np.bincount(sentences, minlength=n_sentences)[sentences]
    lengths = np.bincount(sentences, weights=words, minlength=n_sentences)[sentences]
    columns = (
        np.log1p(words) / 3,
        sentences / max(n_sentences - 1, 1),
        inner / np.maximum(sizes - 1, 1),
        1 / sizes,
        subjects,
        np.isin(sentences, document.paragraphs),
        np.log1p(lengths) / 3,
        np.full(len(sentences), np.log1p(n_sentences) / 4),
        np.log1p(costs) / 3,
    )
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], 1)


def _rst_edges(analysis: Analysis, options: UnitOptions) -> IntArray:
    if options.rst is RstEdges.STRICT:
        return _ends(strict_rst_graph(analysis.document, analysis.rst, rules=options.rules))
    edges = _ends(rst_graph(analysis.rst))
    # Messages flow from head to dependent: from left to right in the released code.
    return edges if options.rst is RstEdges.LINKS else np.sort(edges, axis=1)[:, ::-1].copy()


def coref_edges(
    document: Document, clusters: Sequence[Cluster], *, reach: int = COREF_REACH
) -> IntArray:
    """Return the edges of ``coref_graph`` in its order; a book has a million of them."""
    n_edus = len(document.edus)
    parts = [np.arange(n_edus) * (n_edus + 1)]
    for edus in map(np.array, cluster_edus(document, clusters)):
        for step in range(1, min(reach + 1, len(edus))):
            left, right = edus[:-step], edus[step:]
            parts += [left * n_edus + right, right * n_edus + left]
    codes = np.unique(np.concatenate(parts))
    return np.stack([codes // n_edus, codes % n_edus], 1).astype(np.int32)


def _ends(graph: DiscourseGraph) -> IntArray:
    pairs = [(edge.dependent, edge.head) for edge in graph.edges]
    return np.array(pairs, dtype=np.int32).reshape(-1, 2)


def _word_counts(text: str, spans: Sequence[Span]) -> NDArray[np.int64]:
    return np.array([len(span.of(text).split()) for span in spans], dtype=np.int64)


def _no_pieces(n_units: int) -> IntArray:
    return np.zeros((n_units, 2), dtype=np.int32)


def _own_pieces(layout: PieceLayout, spans: Sequence[Span]) -> IntArray:
    return piece_ranges(layout, spans) if layout.n_words else _no_pieces(len(spans))


def _edu_pieces(layout: PieceLayout, spans: Sequence[Span], edu_span: UnitSpan) -> IntArray:
    pieces = _own_pieces(layout, spans)
    if edu_span is UnitSpan.PIECES:
        return pieces
    first = np.maximum(pieces[:, :1] - 1, 0)
    filled = pieces[:, :1] < pieces[:, 1:]
    opening: IntArray = (filled * np.concatenate([first, first + 1], 1)).astype(np.int32)
    return opening


def _sentence_pieces(
    layout: PieceLayout, spans: Sequence[Span], sentence_span: UnitSpan
) -> IntArray:
    if sentence_span is UnitSpan.PIECES:
        return _own_pieces(layout, spans)
    firsts = np.searchsorted(layout.block_sentences, np.arange(len(spans)))
    starts = layout.blocks[firsts]
    return np.stack([starts, starts + 1], 1).astype(np.int32)


def offsets(sizes: Sequence[int]) -> list[int]:
    """Return where each of several joined parts starts, then where the last one ends."""
    return [0, *accumulate(sizes)]
