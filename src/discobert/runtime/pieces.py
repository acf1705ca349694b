"""How a text is laid out for the encoder: blocks of word pieces with offsets and shapes.

Each block is ``[CLS] pieces of a sentence [SEP]``; a sentence longer than a block is cut into
several. The encoder is uncased, so the shape of each piece (capitals, digits, space before it)
travels beside it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from discobert.data.document import SentenceLayout, Span
from discobert.data.summary import Analysis
from discobert.errors import BundleError
from discobert.runtime.tensors import Array, Content

IntArray = NDArray[np.int32]

MAX_BLOCK = 256
"""Longest block in pieces, [CLS] and [SEP] included."""

N_SHAPES = 16
LOWER, TITLE, UPPER, DIGIT, MARK = range(0, 10, 2)
CLS_SENTENCE, CLS_PARAGRAPH, CLS_CONTINUED, SEP = 10, 11, 12, 13
_OPENING, _CLOSING = ("<s>", "[CLS]"), ("</s>", "[SEP]")
"""What encloses a sentence, by the names that BERT-like encoders have for it."""
DASHES = frozenset("—–-")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
"""What no tokenizer takes; a sign that BERT drops, put in its place, leaves all offsets right."""


@dataclass(frozen=True, slots=True)
class PieceLayout:
    """Word pieces of a whole text, block after block, as parallel arrays."""

    ids: IntArray
    shapes: IntArray
    """Shape class of each piece, below ``N_SHAPES``."""
    blocks: IntArray
    """First piece of each block, then the number of pieces."""
    block_sentences: IntArray
    """Sentence of each block."""
    word_pieces: IntArray
    """First piece and end piece (exclusive) of each word, shape (W, 2)."""
    word_chars: IntArray
    """Character start and end of each word in the text, shape (W, 2)."""
    word_sentences: IntArray
    word_opens: NDArray[np.bool_]
    """Whether a unit may begin at the word: after white space, or beside a dash."""

    @property
    def n_words(self) -> int:
        """Number of words."""
        return len(self.word_chars)


@dataclass(frozen=True, slots=True)
class Window:
    """A run of blocks read together, of which ``[read_first, read_end)`` count."""

    first: int
    end: int
    read_first: int
    read_end: int


class _Builder:
    """Gathers the parallel arrays of one text."""

    def __init__(self, text: str, opening: int, closing: int) -> None:
        self.text = text
        self.opening = opening
        self.closing = closing
        self.ids: list[int] = []
        self.shapes: list[int] = []
        self.blocks: list[int] = []
        self.block_sentences: list[int] = []
        # Lists of numbers, not of pairs: Python would look through thousands of pairs for cycles.
        self.first_pieces: list[int] = []
        self.end_pieces: list[int] = []
        self.first_chars: list[int] = []
        self.end_chars: list[int] = []
        self.word_sentences: list[int] = []
        self.word_opens: list[bool] = []

    def add_sentence(
        self, encoding: Encoding, sentence: int, start: int, opens_paragraph: bool
    ) -> None:
        """Append the blocks of one sentence."""
        ids, word_ids, offsets = encoding.ids, encoding.word_ids, encoding.offsets
        for low in range(0, max(len(ids), 1), MAX_BLOCK - 2):
            high = min(low + MAX_BLOCK - 2, len(ids))
            self.blocks.append(len(self.ids))
            self.block_sentences.append(sentence)
            self.ids.append(self.opening)
            first_shape = CLS_PARAGRAPH if opens_paragraph else CLS_SENTENCE
            self.shapes.append(first_shape if low == 0 else CLS_CONTINUED)
            self._add_words(word_ids[low:high], offsets[low:high], sentence, start)
            self.ids += ids[low:high]
            self.ids.append(self.closing)
            self.shapes.append(SEP)

    def _add_words(
        self,
        word_ids: Sequence[int | None],
        offsets: Sequence[tuple[int, int]],
        sentence: int,
        start: int,
    ) -> None:
        """Append the words of some pieces, given by the word and the characters of each piece."""
        text, shapes = self.text, self.shapes
        end_pieces, end_chars = self.end_pieces, self.end_chars
        previous: int | None = None
        pieces = zip(word_ids, offsets, strict=True)
        for place, (word, (first, end)) in enumerate(pieces, start=len(self.ids)):
            if word == previous and end_pieces:
                end_pieces[-1] = place + 1
                end_chars[-1] = end + start
                shapes.append(shapes[-1] & ~1)
                continue
            previous, begin = word, first + start
            self.first_pieces.append(place)
            end_pieces.append(place + 1)
            self.first_chars.append(begin)
            end_chars.append(end + start)
            self.word_sentences.append(sentence)
            spaced = begin == 0 or text[begin - 1].isspace()
            self.word_opens.append(spaced or text[begin - 1] in DASHES or text[begin] in DASHES)
            shapes.append(shape_of(text[begin : end + start]) + spaced)

    def finish(self) -> PieceLayout:
        """Freeze the arrays."""
        return PieceLayout(
            ids=np.asarray(self.ids, dtype=np.int32),
            shapes=np.asarray(self.shapes, dtype=np.int32),
            blocks=np.asarray([*self.blocks, len(self.ids)], dtype=np.int32),
            block_sentences=np.asarray(self.block_sentences, dtype=np.int32),
            word_pieces=np.array([self.first_pieces, self.end_pieces], dtype=np.int32).T,
            word_chars=np.array([self.first_chars, self.end_chars], dtype=np.int32).T,
            word_sentences=np.asarray(self.word_sentences, dtype=np.int32),
            word_opens=np.array(self.word_opens, dtype=bool),
        )


def shape_of(piece: str) -> int:
    """Classify the letters of a piece."""
    first = piece[:1]
    if first.isdigit():
        return DIGIT
    if not first.isalpha():
        return MARK
    if not first.isupper():
        return LOWER
    return UPPER if len(piece) > 1 and piece.isupper() else TITLE


def _special(tokenizer: Tokenizer, names: Sequence[str]) -> int:
    known = [index for name in names if (index := tokenizer.token_to_id(name)) is not None]
    if not known:
        raise BundleError(f"the tokenizer has no {' or '.join(names)}: it is not like BERT's")
    return known[0]


def read_tokenizer(content: Content) -> Tokenizer:
    """Read a bundle's tokenizer; "[SEP]" in a text is not taken for the special token."""
    try:
        tokenizer = Tokenizer.from_str(str(content, "utf-8"))
    except Exception as error:  # the library raises nothing more special
        raise BundleError(f"the tokenizer cannot be read: {error}") from error
    tokenizer.encode_special_tokens = True
    tokenizer.no_truncation()  # no text may be cut off
    tokenizer.no_padding()
    return tokenizer


def check_tokenizer(content: Content) -> None:
    """Refuse what is no tokenizer, and one that lacks the marks of a sentence."""
    tokenizer = read_tokenizer(content)
    for names in (_OPENING, _CLOSING):
        _special(tokenizer, names)


def lay_out(tokenizer: Tokenizer, text: str, layout: SentenceLayout) -> PieceLayout:
    """Cut every sentence into word pieces, keeping characters, words and paragraphs."""
    readable = _HALF_PAIR.sub("\ufffd", text)
    sentences = [span.of(readable) for span in layout.sentences]
    encodings = tokenizer.encode_batch(sentences, add_special_tokens=False)
    openings = frozenset(layout.paragraphs)
    builder = _Builder(text, _special(tokenizer, _OPENING), _special(tokenizer, _CLOSING))
    for index, (encoding, span) in enumerate(zip(encodings, layout.sentences, strict=True)):
        builder.add_sentence(encoding, index, span.start, index in openings)
    return builder.finish()


def word_ranges(layout: PieceLayout, spans: Sequence[Span]) -> IntArray:
    """Return first word and end word (exclusive) that start inside each span, (S, 2)."""
    firsts = np.searchsorted(layout.word_chars[:, 0], [span.start for span in spans])
    ends = np.searchsorted(layout.word_chars[:, 0], [span.end for span in spans])
    return np.stack([firsts, ends], 1).astype(np.int32)


def piece_ranges(layout: PieceLayout, spans: Sequence[Span]) -> IntArray:
    """Return first and end piece of each span; (0, 0) for a span without pieces."""
    words = word_ranges(layout, spans)
    empty = words[:, 1] <= words[:, 0]
    first = np.minimum(words[:, 0], layout.n_words - 1)
    last = np.maximum(words[:, 1] - 1, 0)
    pieces = np.stack([layout.word_pieces[first, 0], layout.word_pieces[last, 1]], 1)
    pieces[empty] = 0
    return pieces.astype(np.int32)


def mean_pieces(vectors: Array, ranges: IntArray) -> Array:
    """Return the mean vector (N, H) of each range of pieces (P, H); zeros for an empty one."""
    lengths = ranges[:, 1] - ranges[:, 0]
    if ranges.max(initial=0) == len(vectors):
        # The last edge is the end of all pieces, which has to be a row to be named.
        vectors = np.concatenate([vectors, np.zeros((1, vectors.shape[1]), dtype=np.float32)])
    # Sums from each edge to the next, of which every second is one of a range.
    sums = np.add.reduceat(vectors, ranges.ravel(), axis=0)[::2]
    means: Array = sums / np.maximum(lengths, 1)[:, None].astype(np.float32)
    means[lengths <= 0] = 0
    return means


def sentences_within(layout: PieceLayout, max_pieces: int, *, first: int = 0) -> int:
    """Return the sentence after the last that fits, counted from ``first``; one always does."""
    n_sentences = int(layout.block_sentences[-1]) + 1
    if max_pieces == 0:
        return n_sentences
    ends = _sentence_ends(layout)
    start = ends[first - 1] if first else 0
    fitting = int(np.searchsorted(ends, start + max_pieces, side="right"))
    return min(max(fitting, first + 1), n_sentences)


def _sentence_ends(layout: PieceLayout) -> NDArray[np.integer]:
    """Return the piece after the last one of each sentence."""
    last_blocks = np.searchsorted(
        layout.block_sentences, np.arange(int(layout.block_sentences[-1]) + 1), side="right"
    )
    ends: NDArray[np.integer] = layout.blocks[last_blocks]
    return ends


def sentence_sizes(layout: PieceLayout) -> NDArray[np.integer]:
    """Return the number of pieces of each sentence."""
    return np.diff(_sentence_ends(layout), prepend=0)


def piece_bounds(layout: PieceLayout, first: int, end: int) -> tuple[int, int]:
    """Return the first piece and the end piece of sentences ``[first, end)``."""
    ends = _sentence_ends(layout)
    return (int(ends[first - 1]) if first else 0), int(ends[end - 1])


def windows(lengths: Sequence[int], *, max_pieces: int, overlap: int) -> list[Window]:
    """Cover blocks by windows of similar length; neighbours share up to ``overlap`` blocks.

    Every block counts in one window only: the one in which it lies further from the edge.
    """
    cores = _cores(lengths, max_pieces, overlap)
    found = []
    for read_first, read_end in pairwise(cores):
        first, end = read_first, read_end
        size = sum(lengths[first:end])
        for _ in range(overlap - overlap // 2):
            if first > 0 and size + lengths[first - 1] <= max_pieces:
                first -= 1
                size += lengths[first]
        for _ in range(overlap // 2):
            if end < len(lengths) and size + lengths[end] <= max_pieces:
                size += lengths[end]
                end += 1
        found.append(Window(first, end, read_first, read_end))
    return found


def _cores(lengths: Sequence[int], max_pieces: int, overlap: int) -> list[int]:
    """Cut the blocks into runs of about equal length, with room for the overlap."""
    total = sum(lengths)
    typical = total / len(lengths)
    room = max(max_pieces - overlap * typical, max_pieces / 2)
    share = total / (1 if total <= max_pieces else -(-total // room))
    cuts, size = [0], 0
    for index, length in enumerate(lengths):
        full = size + length > max_pieces or size + length / 2 > share
        if full and index > cuts[-1]:
            cuts.append(index)
            size = 0
        size += length
    return [*cuts, len(lengths)]


def lay_out_edus(tokenizer: Tokenizer, analysis: Analysis) -> PieceLayout:
    """Cut a document into pieces with CLS and SEP around every EDU: the paper's footnote."""
    document = analysis.document
    spans = tuple(edu.span for edu in document.edus)
    openings = {document.edus_by_sentence()[first].start for first in document.paragraphs}
    layout = lay_out(tokenizer, document.text, SentenceLayout(spans, tuple(sorted(openings))))
    sentences = np.array([edu.sentence for edu in document.edus], dtype=np.int32)
    return replace(layout, block_sentences=sentences[layout.block_sentences])


def lay_out_analysis(tokenizer: Tokenizer, analysis: Analysis) -> PieceLayout:
    """Cut the sentences of an analysed document into pieces."""
    document = analysis.document
    sentences = SentenceLayout(document.sentences, document.paragraphs)
    return lay_out(tokenizer, document.text, sentences)
