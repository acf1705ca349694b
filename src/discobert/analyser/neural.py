"""The neural analyser: one encoder with heads for EDUs, subjects, RST tree and coreference."""

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from discobert.analyser.coreference import LinkWeights, MentionResolver, WordScores
from discobert.analyser.cuts.head import CutHead, proposed_cuts
from discobert.analyser.cuts.sentences import (
    AnalyserOutputs,
    CutSentence,
    KeptVectors,
    RankWord,
    cut_sentences,
    may_be_cut,
)
from discobert.analyser.parser import BeamParser
from discobert.analyser.rules import MOST_EDUS, right_branching_tree
from discobert.data.coref import Cluster, Mention
from discobert.data.document import Document, Edu, SentenceLayout, SourceText, Span
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.data.rst import Leaf, RstTree
from discobert.data.summary import Analysis
from discobert.discourse.transitions import outline
from discobert.errors import InputError
from discobert.protocols import SentenceSplitter
from discobert.runtime.casts import halves
from discobert.runtime.encoder import EncodedText, LowerLayers, Section, UpperLayers
from discobert.runtime.memory import trim
from discobert.runtime.network_errors import network_errors
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.pieces import (
    DASHES,
    IntArray,
    PieceLayout,
    lay_out,
    mean_pieces,
    piece_ranges,
    sentence_sizes,
    word_ranges,
)
from discobert.runtime.stages import stage
from discobert.runtime.tensors import Array, GrowingRows

WORD_OUTPUTS = (
    "tags",
    "mention_left",
    "mention_right",
    "start_score",
    "end_score",
    "link_start",
    "link_end",
)

SUBJECT_THRESHOLD = -0.75
"""Where a name is the subject, the tagger's doubt is which of its words to name (GUM dev: F1 97.6;
97.1 at 0)."""

EDUS_AT_ONCE = 4096
"""EDUs encoded in one run: more than any article has, so that a book's need not be kept."""


@dataclass(frozen=True)
class NeuralAnalyser:
    """Segments, parses and resolves coreference with one pass of the encoder."""

    splitter: SentenceSplitter
    tokenizer: Tokenizer = field(repr=False)
    lower: LowerLayers = field(repr=False)
    upper: UpperLayers = field(repr=False)
    word_graph: OnnxModel = field(repr=False)
    edu_graph: OnnxModel = field(repr=False)
    parser: BeamParser = field(repr=False)
    links: LinkWeights = field(repr=False)
    boundary_threshold: float = 0.0
    """Logit above which a word starts an EDU."""
    subject_threshold: float = SUBJECT_THRESHOLD
    """Logit above which a word is a subject."""
    link_threshold: float = 0.0
    """Score above which a mention links to its best antecedent."""
    limits: TextLimits = DEFAULT_LIMITS
    cut_head: CutHead | None = field(default=None, repr=False)
    """Scores what may be left out of sentences; without it, analyses have no cuts."""

    def analyse(self, source: SourceText) -> Analysis:
        """Analyse one text."""
        return self.analyse_encoded(self.encode(source))

    def encode(self, source: SourceText, sentences: SentenceLayout | None = None) -> EncodedText:
        """Split a text, cut it into word pieces and run the lower layers of the encoder."""
        self.limits.check_chars(source.id, len(source.text))
        layout = sentences or self.splitter.split(source.text)
        if not layout.sentences:
            raise InputError(f"{source.id}: there is no text to analyse")
        self.limits.check_edus(source.id, len(layout.sentences))
        pieces = lay_out(self.tokenizer, source.text, layout)
        if sentences is not None:
            sizes = sentence_sizes(pieces)
            self.limits.check_sentence(source.id, int(sizes.argmax()), int(sizes.max()))
        with network_errors(source.id):
            return EncodedText(source, layout, pieces, self.lower.vectors(pieces))

    def analyse_encoded(self, encoded: EncodedText, edus: Sequence[Span] | None = None) -> Analysis:
        """Run the upper layers and the heads; ``edus`` replaces the predicted segmentation."""
        with network_errors(encoded.source.id):
            return self._analyse(encoded, edus)

    def _analyse(self, encoded: EncodedText, edus: Sequence[Span] | None) -> Analysis:
        if not encoded.layout.n_words:
            return _wordless(encoded)
        found = self._read(encoded, edus, keep_vectors=self.cut_head is not None)
        self.limits.check_edus(encoded.source.id, len(found.spans))
        document, vectors = self._document(encoded, found), np.concatenate(found.edus)
        layout = encoded.layout
        chars = layout.word_chars.tolist()
        texts = [encoded.text[start:end] for start, end in chars]
        stage("resolving references")
        chains = found.mentions.resolve(texts, threshold=self.link_threshold)
        stage("parsing")
        tree = self._tree(document, vectors)
        analysis = Analysis(document, tree, _clusters(chars, chains))
        if self.cut_head is None:
            return analysis
        stage("judging cuts")
        proposals = proposed_cuts(document, tree)
        known = found.cut_sentences(
            document, tree, layout, vectors, self.cut_head.rank, wanted=proposals
        )
        return replace(analysis, cuts=tuple(self.cut_head.score(proposals, known)))

    def sentences_to_cut(
        self, encoded: EncodedText, rank: RankWord, edus: Sequence[Span] | None = None
    ) -> list[CutSentence]:
        """Return what a cut head reads of each sentence of several EDUs, to train or score one."""
        found = self._read(encoded, edus, keep_vectors=True)
        document, vectors = self._document(encoded, found), np.concatenate(found.edus)
        tree = self._tree(document, vectors)
        return list(found.cut_sentences(document, tree, encoded.layout, vectors, rank))

    def _read(
        self, encoded: EncodedText, edus: Sequence[Span] | None, *, keep_vectors: bool
    ) -> "_Predictions":
        """Run the upper layers and the heads over a whole text."""
        layout = encoded.layout
        found = _Predictions(
            MentionResolver(self.links, layout.word_sentences),
            kept=KeptVectors() if keep_vectors else None,
        )
        for section in self.upper.sections(layout, encoded.lower):
            self._read_section(encoded, section, edus, found)
        self._encode_edus(found)
        return found

    def _read_section(
        self,
        encoded: EncodedText,
        section: Section,
        edus: Sequence[Span] | None,
        found: "_Predictions",
    ) -> None:
        """Run the heads over some sentences and keep what the rest of the analysis needs."""
        layout = encoded.layout
        low, high = layout.blocks[[section.first, section.end]].tolist()
        first, end = np.searchsorted(layout.word_pieces[:, 0], [low, high]).tolist()
        words = section.vectors.take(layout.word_pieces[first:end, 0] - low, 0)
        tags, *views = self.word_graph.session.run(list(WORD_OUTPUTS), {"words": words})
        found.tags.append(tags)
        found.mentions.add(WordScores(*views), first)
        spans = self._spans(encoded, section, first, tags)
        if edus:
            spans = _within(edus, spans[0].start, spans[-1].end)
        found.spans.extend(spans)
        ranges = piece_ranges(layout, spans)
        ranges[ranges[:, 1] > ranges[:, 0]] -= low
        found.pooled.add(pool(section.vectors, ranges))
        if found.kept is not None:
            _keep(found.kept, encoded, section, words, spans)
        if len(found.pooled) >= EDUS_AT_ONCE:
            self._encode_edus(found)
            trim()

    def _spans(
        self, encoded: EncodedText, section: Section, first_word: int, tags: Array
    ) -> Sequence[Span]:
        """Cut the sentences of a section into EDUs."""
        layout = encoded.layout
        words = slice(first_word, first_word + len(tags))
        starts = layout.word_opens[words] & (tags[:, 0] > self.boundary_threshold)
        starts = surest_starts(starts, tags[:, 0], layout.word_sentences[words])
        numbers = layout.block_sentences[section.first : section.end]
        sentences = encoded.sentences.sentences[numbers[0] : numbers[-1] + 1]
        cuts = layout.word_chars[words][starts, 0].tolist()
        return trimmed(encoded.text, edu_spans(encoded.text, sentences, cuts))

    def _document(self, encoded: EncodedText, found: "_Predictions") -> Document:
        tags, spans = np.concatenate(found.tags), found.spans
        opening = [sentence.start for sentence in encoded.sentences.sentences]
        placed = np.searchsorted(opening, [span.start for span in spans], side="right") - 1
        words = word_ranges(encoded.layout, spans)
        counts = np.concatenate([[0], np.cumsum(tags[:, 1] > self.subject_threshold)])
        subjects = counts[words[:, 1]] > counts[words[:, 0]]
        return Document(
            id=encoded.source.id,
            text=encoded.text,
            sentences=encoded.sentences.sentences,
            edus=tuple(
                Edu(span, sentence, has_subject)
                for span, sentence, has_subject in zip(
                    spans, placed.tolist(), subjects.tolist(), strict=True
                )
            ),
            paragraphs=encoded.sentences.paragraphs,
            markup=encoded.source.markup,
        )

    def _encode_edus(self, found: "_Predictions") -> None:
        """Encode the EDUs read so far and drop what they were made of."""
        if len(found.pooled):
            pooled = found.pooled.take()
            found.edus.append(self.edu_graph.session.run(None, {"pooled": pooled})[0])

    def _tree(self, document: Document, vectors: Array) -> RstTree:
        if len(document.edus) == 1:
            return Leaf(0)
        shape = outline([edu.sentence for edu in document.edus], document.paragraphs)
        return self.parser.parse(vectors, shape)


@dataclass(slots=True)
class _Predictions:
    """What the heads said, section after section."""

    mentions: MentionResolver
    tags: list[Array] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    pooled: GrowingRows = field(default_factory=GrowingRows)
    edus: list[Array] = field(default_factory=list)
    kept: KeptVectors | None = None
    """What the cut head needs; nothing is kept if there is none."""

    def cut_sentences(
        self,
        document: Document,
        tree: RstTree,
        layout: PieceLayout,
        vectors: Array,
        rank: RankWord,
        *,
        wanted: Container[int] | None = None,
    ) -> Iterator[CutSentence]:
        """Yield the sentences that may be cut, or the wanted ones among them."""
        if self.kept is not None:
            outputs = AnalyserOutputs(np.concatenate(self.tags), self.kept, vectors)
            yield from cut_sentences(document, tree, layout, outputs, rank, wanted=wanted)


def _keep(
    kept: KeptVectors, encoded: EncodedText, section: Section, words: Array, spans: Sequence[Span]
) -> None:
    """Keep the word vectors of sentences that may be cut, and the mean of every sentence."""
    layout = encoded.layout
    low = int(layout.blocks[section.first])
    numbers = layout.block_sentences[[section.first, section.end - 1]].tolist()
    sentences = encoded.sentences.sentences[numbers[0] : numbers[1] + 1]
    ranges = word_ranges(layout, sentences).tolist()
    starts = [span.start for span in spans]
    n_edus = np.diff(np.searchsorted(starts, [*(s.start for s in sentences), spans[-1].end]))
    wanted = [
        (start, end)
        for (start, end), count in zip(ranges, n_edus.tolist(), strict=True)
        if may_be_cut(count, end - start)
    ]
    kept.add(words, ranges[0][0], wanted)
    pieces = piece_ranges(layout, sentences)
    pieces[pieces[:, 1] > pieces[:, 0]] -= low
    kept.means.append(halves(mean_pieces(section.vectors, pieces)))


def surest_starts(
    starts: NDArray[np.bool_], scores: Array, sentences: IntArray, *, most: int = MOST_EDUS
) -> NDArray[np.bool_]:
    """Keep at most so many starts of EDUs a sentence, those of the highest scores."""
    if np.count_nonzero(starts) <= most:
        return starts
    kept = starts.copy()
    for sentence in np.unique(sentences[starts]):
        places = np.flatnonzero(starts & (sentences == sentence))
        order = np.argsort(-scores[places], kind="stable")
        kept[places[order[most:]]] = False
    return kept


def _within(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    first, last = (bisect_left(spans, place, key=lambda span: span.start) for place in (start, end))
    return spans[first:last]


def edu_spans(text: str, sentences: Sequence[Span], cuts: Sequence[int]) -> tuple[Span, ...]:
    """Cut sentences at some characters, given in order; those at their starts change nothing.

    Marks without a word are no unit of their own, unless they are the whole sentence.
    """
    spans = []
    place = 0
    for sentence in sentences:
        edges = [sentence.start]
        while place < len(cuts) and cuts[place] < sentence.end:
            if cuts[place] > sentence.start:
                edges.append(cuts[place])
            place += 1
        spans += list(pairwise(_with_words(text, [*edges, sentence.end])))
    return tuple(Span(start, end) for start, end in spans)


def _with_words(text: str, edges: Sequence[int]) -> list[int]:
    """Leave out edges so that every EDU has a word; a dash belongs to the EDU after it."""
    kept = [edges[0]]
    for start, end in pairwise(edges):
        unit, is_last = text[start:end], end == edges[-1]
        if any(map(str.isalnum, unit)) or (is_last and len(kept) == 1):
            kept.append(end)
        elif is_last or (unit[0] not in DASHES and start == kept[-1] != edges[0]):
            kept[-1] = end
    return kept


def trimmed(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Cut the white space off the end of each span."""
    return tuple(Span(span.start, span.start + len(span.of(text).rstrip())) for span in spans)


def pool(pieces: Array, ranges: IntArray) -> Array:
    """Return first, last and mean piece of each range, (N, 3 H); zeros for an empty one."""
    starts, ends = ranges[:, 0], ranges[:, 1]
    means = mean_pieces(pieces, ranges)
    edges = pieces.take(starts, 0), pieces.take(np.maximum(ends - 1, 0), 0)
    pooled: Array = np.concatenate([*edges, means], 1)
    pooled[ends <= starts] = 0
    return pooled


def _clusters(
    chars: Sequence[Sequence[int]], chains: Iterable[Iterable[tuple[int, int]]]
) -> tuple[Cluster, ...]:
    """Return chains of first and last words as mentions, by the characters of all words."""
    spans = (
        sorted({(chars[first][0], chars[last][1]) for first, last in chain}) for chain in chains
    )
    return tuple(Cluster(tuple(Mention(Span(*span)) for span in each)) for each in spans)


def _wordless(encoded: EncodedText) -> Analysis:
    """Analyse a text whose characters the tokenizer drops: its sentences are the units."""
    sentences = encoded.sentences
    edus = tuple(Edu(span, index, False) for index, span in enumerate(sentences.sentences))
    document = Document(
        encoded.source.id,
        encoded.text,
        sentences.sentences,
        edus,
        sentences.paragraphs,
        encoded.source.markup,
    )
    return Analysis(document, right_branching_tree(document))
