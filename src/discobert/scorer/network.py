"""The summariser's network at run time: context layers in ONNX, SpanExt and graphs in numpy."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from discobert.data.document import SentenceLayout
from discobert.data.summary import Analysis, ModelId, Scores, SentenceSalience
from discobert.discourse.units import UnitKind
from discobert.runtime.encoder import EncodedText, Section, UpperLayers
from discobert.runtime.matmul import matmul
from discobert.runtime.network_errors import network_errors
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.pieces import (
    IntArray,
    PieceLayout,
    lay_out_analysis,
    mean_pieces,
    piece_ranges,
    windows,
)
from discobert.runtime.tensors import Array
from discobert.scorer.decoding import TunedDecoding
from discobert.scorer.features import (
    LEAD_SENTENCES,
    UnitOptions,
    Units,
    edu_units,
    input_features,
    sentence_logits,
    sentence_units,
    unit_windows,
    with_sentence_scores,
)
from discobert.scorer.genre_network import GenreNetwork
from discobert.scorer.graph_layers import (
    GraphEncoder,
    Linear,
    ScoredPieces,
    SpanExtractor,
    SummaryRanker,
    relu,
)
from discobert.scorer.sentence_network import SentenceNetwork, rounded
from discobert.selection.build import Salience
from discobert.selection.paper.coverage import CoverageModel
from discobert.selection.paper.ranked import RankCandidates
from discobert.selection.readable.weights import DEFAULT_WEIGHTS, ReadableWeights

Encode = Callable[[Analysis], EncodedText]
"""Returns the output of the lower layers for an analysed text."""


STRETCH = 4096
"""Pieces from which units are made at once: more than most articles have."""


@dataclass(frozen=True, slots=True)
class EncodedPieces:
    """Vectors of the pieces of a text, part by part: those of a book need not be kept."""

    layout: PieceLayout
    sections: Iterable[Section]


class PieceSource(Protocol):
    """What lies below SpanExt."""

    def pieces(self, analysis: Analysis, encode: Encode) -> EncodedPieces:
        """Encode the pieces of a text."""
        ...


@dataclass(frozen=True, slots=True)
class SharedPieces:
    """The summariser's own upper layers above the lower layers that it shares with the analyser."""

    upper: UpperLayers

    def pieces(self, analysis: Analysis, encode: Encode) -> EncodedPieces:
        """Run the upper layers."""
        encoded = encode(analysis)
        sections = self.upper.sections(encoded.layout, encoded.lower)
        return EncodedPieces(encoded.layout, _joined(sections))


def _joined(sections: Iterable[Section]) -> Iterator[Section]:
    """Join neighbours until they fill a stretch."""
    some: list[Section] = []
    size = 0
    for section in sections:
        some.append(section)
        size += len(section.vectors)
        if size >= STRETCH:
            yield _one(some)
            some, size = [], 0
    if some:
        yield _one(some)


def _one(sections: list[Section]) -> Section:
    vectors = np.concatenate([section.vectors for section in sections])
    return Section(sections[0].first, sections[-1].end, vectors)


@dataclass(frozen=True)
class OwnPieces:
    """An encoder of the summariser's own, with its own tokenizer: the paper's setting."""

    tokenizer: Tokenizer = field(repr=False)
    graph: OnnxModel = field(repr=False)
    max_pieces: int = 768

    def pieces(self, analysis: Analysis, encode: Encode) -> EncodedPieces:
        """Cut the text anew and run the whole encoder, window by window."""
        layout = lay_out_analysis(self.tokenizer, analysis)
        lengths = np.diff(layout.blocks)
        segments = np.repeat(layout.block_sentences % 2, lengths).astype(np.int64)
        ids = layout.ids.astype(np.int64)
        session = self.graph.session
        names = {given.name for given in session.get_inputs()}
        parts = []
        for window in windows(lengths.tolist(), max_pieces=self.max_pieces, overlap=0):
            low, high = int(layout.blocks[window.first]), int(layout.blocks[window.end])
            inputs = {"ids": ids[None, low:high], "segments": segments[None, low:high]}
            known = {name: value for name, value in inputs.items() if name in names}
            parts.append(session.run(None, known)[0][0])
        return EncodedPieces(layout, [Section(0, len(lengths), np.concatenate(parts))])


class GraphEncoders(Protocol):
    """The graph encoders of a variant."""

    def __call__(self, rows: Array, units: Units) -> Array:
        """Encode (N, D)."""
        ...


@dataclass(frozen=True, slots=True)
class NoGraph:
    """Leaves units as they are."""

    def __call__(self, rows: Array, units: Units) -> Array:
        """Encode (N, D)."""
        return rows


@dataclass(frozen=True, slots=True)
class RstGraph:
    """Reads the RST graph."""

    rst: GraphEncoder

    def __call__(self, rows: Array, units: Units) -> Array:
        """Encode (N, D)."""
        return self.rst(rows, units.rst)


@dataclass(frozen=True, slots=True)
class CorefGraph:
    """Reads the coreference graph."""

    coref: GraphEncoder

    def __call__(self, rows: Array, units: Units) -> Array:
        """Encode (N, D)."""
        return self.coref(rows, units.coref)


@dataclass(frozen=True, slots=True)
class BothGraphs:
    """Reads both graphs and fuses them."""

    coref: GraphEncoder
    rst: GraphEncoder
    fuse: Linear

    def __call__(self, rows: Array, units: Units) -> Array:
        """Encode (N, D)."""
        both = [self.coref(rows, units.coref), self.rst(rows, units.rst)]
        return relu(self.fuse(np.concatenate(both, -1)))


@dataclass(frozen=True)
class UnitContext:
    """Places, features and context layers, in windows of units; there may be none of them."""

    graph: OnnxModel | None = field(repr=False)
    size: int = 256

    def __call__(self, vectors: Array, units: Units) -> Array:
        """Turn unit vectors (N, H) into (N, D)."""
        if self.graph is None:
            return vectors
        session = self.graph.session
        names = {given.name for given in session.get_inputs()}
        inputs: dict[str, NDArray[Any]] = {
            "vectors": vectors,
            "places": units.places.astype(np.int64),
            "features": input_features(units.features, similarities(vectors, units)),
        }
        parts = []
        for first, end, low, high in unit_windows(len(units), size=self.size):
            given = {name: inputs[name][None, first:end] for name in sorted(names)}
            parts.append(session.run(None, given)[0][0][low - first : high - first])
        joined: Array = np.concatenate(parts)
        return joined


def similarities(vectors: Array, units: Units) -> Array:
    """Compare each unit with the mean of its document and of the document's lead: (N, 2)."""
    lead = vectors[units.sentences < LEAD_SENTENCES].sum(0)
    columns = [_cosine(vectors, mean) for mean in (vectors.mean(0), lead)]
    return np.stack(columns, -1).astype(np.float32)


def _cosine(rows: Array, other: Array) -> Array:
    # Each length is bounded from below on its own, as torch does it.
    lengths = np.maximum(np.linalg.norm(rows, axis=-1), 1e-6)
    length = max(float(np.linalg.norm(other)), 1e-6)
    cosine: Array = matmul(rows, other[:, None])[:, 0] / (lengths * length)
    return cosine


@dataclass(frozen=True)
class NeuralScorer:
    """Scores the EDUs of analysed texts; each text by itself, so that none changes another."""

    model: ModelId
    encode: Encode = field(repr=False)
    source: PieceSource = field(repr=False)
    spans: SpanExtractor = field(repr=False)
    context: UnitContext = field(repr=False)
    graphs: GraphEncoders = field(repr=False)
    head: Linear = field(repr=False)
    ranker: SummaryRanker | None = field(repr=False)
    unit: UnitKind
    units: UnitOptions
    decoding: TunedDecoding
    """The length rule that was tuned for these weights."""
    sentences: SentenceNetwork | None = field(default=None, repr=False)
    """Scores whole sentences, in bundles that can."""
    reads_sentence_scores: bool = False
    """Whether the scores of sentences are among the features of EDUs."""
    readable: ReadableWeights = DEFAULT_WEIGHTS
    """The weights of the readable style that were tuned for these scores."""
    genres: GenreNetwork | None = field(default=None, repr=False)
    """Scores the sentences of texts that are no news, in bundles that can."""
    readable_genres: ReadableWeights = DEFAULT_WEIGHTS
    """The weights of the readable style for these texts."""
    coverage: CoverageModel | None = None
    """Which words the summary of a text will have, in bundles that know."""

    def score(self, analysis: Analysis) -> Salience:
        """Score the units of one text, and prepare the ranking of its summaries if there is one."""
        with network_errors(analysis.document.id):
            return self._score(analysis)

    def _score(self, analysis: Analysis) -> Salience:
        encoded = self.source.pieces(analysis, self.encode)
        describe = sentence_units if self.unit is UnitKind.SENTENCE else edu_units
        units = describe(analysis, encoded.layout, self.units)
        vectors, read = self._vectors(analysis, encoded, units)
        sentences = None if read is None else read.sentences
        if self.reads_sentence_scores and sentences is not None:
            units = with_sentence_scores(units, sentences)
        states = self.graphs(self.context(vectors, units), units)
        logits = self.head(states)[:, 0]
        probabilities = self.decoding.probabilities(logits, sentence_logits(units))
        decoding = self.decoding.with_ranker(self._rank(analysis, states, probabilities))
        other = None if read is None else read.other
        weights = self.readable if other is None else self.readable_genres
        decoding = replace(decoding, readable=weights, coverage=self.coverage)
        scores = self._scores(analysis, probabilities)
        is_news = None if self.genres is None else other is None
        return Salience(scores, decoding, self.unit, sentences, other, is_news)

    def _vectors(
        self, analysis: Analysis, encoded: EncodedPieces, units: Units
    ) -> tuple[Array, "ReadSentences | None"]:
        """Return the vectors of units and the scores of sentences from one pass over the text."""
        pool = None if self.sentences is None else SentencePool.of(analysis, encoded.layout)
        layout = encoded.layout
        parts, done = [], 0
        for section in encoded.sections:
            last = layout.block_sentences[section.end - 1]
            end = int(np.searchsorted(units.sentences, last, side="right"))
            ranges = units.pieces[done:end] - layout.blocks[section.first]
            scored = self.spans.scored(section.vectors)
            parts.append(scored.units(ranges))
            if pool is not None:
                pool.add(section, scored)
            done = end
        vectors: Array = np.concatenate(parts)
        if self.sentences is None or pool is None:
            return vectors, None
        return vectors, pool.scores(self.sentences, self.genres)

    def _scores(self, analysis: Analysis, probabilities: NDArray[np.float64]) -> Scores:
        """EDUs of a sentence share its score if sentences were read."""
        edus = analysis.document.edus
        by_sentence = self.unit is UnitKind.SENTENCE
        units = [edu.sentence if by_sentence else index for index, edu in enumerate(edus)]
        return Scores(tuple(probabilities[units].tolist()))

    def _rank(
        self, analysis: Analysis, states: Array, probabilities: NDArray[np.float64]
    ) -> RankCandidates | None:
        if self.ranker is None:
            return None
        document = analysis.document
        spans = [edu.span for edu in document.edus]
        if self.unit is UnitKind.SENTENCE:
            spans = list(document.sentences)
        words = np.array([len(span.of(document.text).split()) for span in spans])
        return partial(self.ranker, states, probabilities.astype(np.float32), words)


@dataclass(frozen=True, slots=True)
class ReadSentences:
    """Scores of the sentences of one text."""

    sentences: SentenceSalience
    other: SentenceSalience | None
    """Those for readers, if the text is no news and the bundle can tell."""


@dataclass(slots=True)
class SentencePool:
    """Vectors of whole sentences, gathered section by section."""

    analysis: Analysis
    layout: PieceLayout
    ranges: IntArray
    """First and end piece of each sentence."""
    attended: list[Array] = field(default_factory=list)
    means: list[Array] = field(default_factory=list)

    @classmethod
    def of(cls, analysis: Analysis, layout: PieceLayout) -> "SentencePool":
        """Find the pieces of all sentences."""
        sentences = analysis.document.sentences
        ranges = np.zeros((len(sentences), 2), dtype=np.int32)
        if layout.n_words:
            ranges = piece_ranges(layout, sentences)
        return cls(analysis, layout, ranges)

    def add(self, section: Section, scored: ScoredPieces) -> None:
        """Pool the sentences of a section."""
        first, last = self.layout.block_sentences[[section.first, section.end - 1]].tolist()
        ranges = self.ranges[first : last + 1].copy()
        ranges[ranges[:, 1] > ranges[:, 0]] -= self.layout.blocks[section.first]
        self.attended.append(scored.units(ranges))
        self.means.append(mean_pieces(section.vectors, ranges))

    def scores(self, network: SentenceNetwork, genres: GenreNetwork | None) -> ReadSentences:
        """Score all sentences of the text."""
        document = self.analysis.document
        texts = [span.of(document.text) for span in document.sentences]
        attended, means = (rounded(np.concatenate(parts)) for parts in (self.attended, self.means))
        outputs = network(attended, means, texts, document.paragraphs)
        is_news = genres is None or genres.is_news(means)
        other = None if genres is None or is_news else genres(outputs, means, texts)
        return ReadSentences(outputs.values(), other)


def sentence_layout(analysis: Analysis) -> SentenceLayout:
    """Return the sentences of an analysed text, to be read again."""
    document = analysis.document
    return SentenceLayout(document.sentences, document.paragraphs)
