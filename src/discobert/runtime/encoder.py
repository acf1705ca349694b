"""The encoder at run time: lower layers sentence by sentence, upper layers window by window.

One block or one window a run and never a padded batch: int8 scales come from the whole input of
a run, so batching would let one text change the numbers of another.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from discobert.data.document import SentenceLayout, SourceText
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.pieces import PieceLayout, Window, windows
from discobert.runtime.stages import steps
from discobert.runtime.tensors import Array, Stored
from discobert.runtime.threads import ONE_THREAD, Threads

Float = TypeVar("Float", np.float32, np.float16)

N_PLACES = 128
MOST_SINGLES = 50_000
"""Pieces whose vectors are kept in single precision, 77 MB: articles and reports; a book's halves
differ from them by a two-thousandth, less than what int8 rounds off in the next layer."""


@dataclass(frozen=True)
class LowerLayers:
    """Embeddings and lower layers; the vectors of a sentence depend on that sentence alone."""

    model: OnnxModel
    threads: Threads = ONE_THREAD

    def vectors(self, layout: PieceLayout) -> Stored:
        """Encode all pieces of a text, (P, H); a book's are kept in half precision."""
        ids = layout.ids.astype(np.int64)
        session = self.model.session

        def encoded(block: tuple[int, int]) -> Array:
            vectors: Array = session.run(None, {"ids": ids[None, slice(*block)]})[0][0]
            return vectors

        found = self.threads.map(encoded, pairwise(layout.blocks.tolist()))
        parts = steps("reading", found, len(layout.blocks) - 1)
        if len(ids) <= MOST_SINGLES:
            return _joined(parts, len(ids), np.float32)
        return _joined(parts, len(ids), np.float16)


def _joined(parts: Iterable[Array], n_rows: int, kind: type[Float]) -> NDArray[Float]:
    """Join rows as they come: all parts and the whole at once would take twice the memory."""
    joined = np.empty((0, 0), dtype=kind)
    place = 0
    for part in parts:
        if not place:
            joined = np.empty((n_rows, part.shape[1]), dtype=kind)
        joined[place : place + len(part)] = part
        place += len(part)
    return joined


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text after the lower layers, whose output analyser and summariser share."""

    source: SourceText
    sentences: SentenceLayout
    layout: PieceLayout
    lower: Stored
    """Output of the lower layers for every piece, (P, H)."""

    @property
    def text(self) -> str:
        """The raw text."""
        return self.source.text


@dataclass(frozen=True, slots=True)
class Section:
    """A run of blocks that ends where a sentence ends, with the vectors of its pieces."""

    first: int
    end: int
    vectors: Array


@dataclass(frozen=True)
class UpperLayers:
    """Upper layers over overlapping windows; every block is taken from its most central window.

    Windows of one piece hold one block each: then a sentence attends to nothing but itself.
    """

    model: OnnxModel
    max_pieces: int = 448
    overlap: int = 2
    threads: Threads = ONE_THREAD

    def vectors(self, layout: PieceLayout, lower: Stored) -> Array:
        """Encode all pieces of a text from the output of the lower layers, (P, H)."""
        all_windows = self._windows(layout)
        parts = steps("scoring", self._encoded(layout, lower, all_windows), len(all_windows))
        return _joined(parts, len(layout.ids), np.float32)

    def sections(self, layout: PieceLayout, lower: Stored) -> Iterator[Section]:
        """Encode a text part by part, so that vectors of a book need not be kept."""
        first, parts = 0, list[Array]()
        all_windows = self._windows(layout)
        found = self._encoded(layout, lower, all_windows)
        encoded = steps("finding clauses", found, len(all_windows))
        for window, part in zip(all_windows, encoded, strict=True):
            parts.append(part)
            if _ends_sentence(layout, window.read_end):
                vectors = parts[0] if len(parts) == 1 else np.concatenate(parts)
                yield Section(first, window.read_end, vectors)
                first, parts = window.read_end, []

    def _encoded(
        self, layout: PieceLayout, lower: Stored, all_windows: Iterable[Window]
    ) -> Iterator[Array]:
        return self.threads.map(lambda window: self.encode(layout, lower, window), all_windows)

    def _windows(self, layout: PieceLayout) -> list[Window]:
        lengths = np.diff(layout.blocks).tolist()
        return windows(lengths, max_pieces=self.max_pieces, overlap=self.overlap)

    def encode(self, layout: PieceLayout, lower: Stored, window: Window) -> Array:
        """Encode one window and return the rows of it that count."""
        blocks = layout.blocks[window.first : window.end + 1]
        low, high = int(blocks[0]), int(blocks[-1])
        places = np.minimum(np.arange(len(blocks) - 1), N_PLACES - 1)
        inputs = {
            "trunk": lower[None, low:high].astype(np.float32, copy=False),
            "shapes": layout.shapes[None, low:high].astype(np.int64),
            "places": places.repeat(blocks[1:] - blocks[:-1])[None],
        }
        hidden: Array = self.model.session.run(None, inputs)[0][0]
        start, end = layout.blocks[window.read_first] - low, layout.blocks[window.read_end] - low
        return hidden[start:end]


def _ends_sentence(layout: PieceLayout, block: int) -> bool:
    sentences = layout.block_sentences
    return block == len(sentences) or bool(sentences[block] != sentences[block - 1])
