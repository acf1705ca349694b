"""Running the encoder's graphs: the trunk sentence by sentence, a branch window by window.

One block or one window a run and never a padded batch: int8 scales come from the whole input of
a run, so batching would let one text change the numbers of another.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock
from types import MappingProxyType
from typing import TypeVar

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from discobert.data.document import SentenceLayout
from discobert.runtime.memory import LARGE, release_pages
from discobert.runtime.onnx_file import byte_tables
from discobert.runtime.pieces import PieceLayout, Window, windows
from discobert.runtime.tensors import Array, Content, Stored

Float = TypeVar("Float", np.float32, np.float16)

N_PLACES = 128
_NO_TABLES: Mapping[str, onnxruntime.OrtValue] = MappingProxyType({})
MOST_SINGLES = 50_000
"""Pieces whose vectors are kept in single precision, 77 MB: articles and reports; a book's halves
differ from them by a two-thousandth, less than what int8 rounds off in the next layer."""


def session(
    graph: Content, *, threads: int = 1, tables: Mapping[str, onnxruntime.OrtValue] = _NO_TABLES
) -> onnxruntime.InferenceSession:
    """Open a graph that was optimised at export; ``tables`` take the place of weights in it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    # Inputs of ever new lengths would let the arena grow for ever; without it nothing gets slower.
    options.enable_cpu_mem_arena = False
    for name, table in tables.items():
        options.add_initializer(name, table)
    opened = onnxruntime.InferenceSession(bytes(graph), options, providers=["CPUExecutionProvider"])
    # It keeps the file to start anew with another provider; there is no other one.
    opened.disable_fallback()
    opened._model_bytes = b""  # noqa: SLF001
    return opened


class OnnxModel:
    """A graph that is opened when it is first needed and then lets go of its file's content.

    Large tables of a mapped file stay where they are: no process needs a copy of its own.
    """

    def __init__(self, content: Content) -> None:
        self._content = content
        self._tables: dict[str, onnxruntime.OrtValue] = {}
        self._session: onnxruntime.InferenceSession | None = None
        self._lock = Lock()

    @property
    def session(self) -> onnxruntime.InferenceSession:
        """The running graph."""
        with self._lock:
            if self._session is None:
                self._tables = _mapped_tables(self._content)
                self._session = session(self._content, tables=self._tables)
                release_pages(self._content)
                self._content = b""
            return self._session


def _mapped_tables(content: Content) -> dict[str, onnxruntime.OrtValue]:
    """Return the tables that need not be copied; they hold on to the file that they lie in."""
    if isinstance(content, bytes):
        return {}
    tables = byte_tables(content, least=LARGE)
    return {name: onnxruntime.OrtValue.ortvalue_from_numpy(rows) for name, rows in tables.items()}


@dataclass(frozen=True)
class LowerLayers:
    """Embeddings and lower layers; what it says of a sentence depends on that sentence alone."""

    graph: OnnxModel

    def vectors(self, layout: PieceLayout) -> Stored:
        """Encode all pieces of a text, (P, H); a book's are kept in half precision."""
        ids = layout.ids.astype(np.int64)
        running = self.graph.session
        blocks = pairwise(layout.blocks.tolist())
        parts = (running.run(None, {"ids": ids[None, low:high]})[0][0] for low, high in blocks)
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
    """A text as the encoder read it; summariser and analyser share its trunk vectors."""

    id: str
    text: str
    sentences: SentenceLayout
    layout: PieceLayout
    trunk: Stored


@dataclass(frozen=True, slots=True)
class Section:
    """A run of blocks that ends where a sentence ends, with the vectors of its pieces."""

    first: int
    end: int
    vectors: Array


@dataclass(frozen=True)
class UpperLayers:
    """Upper layers over overlapping windows; every block is read where it is most central."""

    graph: OnnxModel
    max_pieces: int = 448
    overlap: int = 2

    def vectors(self, layout: PieceLayout, trunk: Stored) -> Array:
        """Encode all pieces of a text from the trunk's output, (P, H)."""
        parts = (self.encode(layout, trunk, window) for window in self._windows(layout))
        return _joined(parts, len(layout.ids), np.float32)

    def sections(self, layout: PieceLayout, trunk: Stored) -> Iterator[Section]:
        """Encode a text part by part, so that vectors of a book need not be kept."""
        first, parts = 0, []
        for window in self._windows(layout):
            parts.append(self.encode(layout, trunk, window))
            if _ends_sentence(layout, window.read_end):
                yield Section(first, window.read_end, np.concatenate(parts))
                first, parts = window.read_end, []

    def _windows(self, layout: PieceLayout) -> list[Window]:
        lengths = np.diff(layout.blocks).tolist()
        return windows(lengths, max_pieces=self.max_pieces, overlap=self.overlap)

    def encode(self, layout: PieceLayout, trunk: Stored, window: Window) -> Array:
        """Encode one window and return the rows of it that count."""
        blocks = layout.blocks[window.first : window.end + 1]
        low, high = int(blocks[0]), int(blocks[-1])
        places = np.repeat(np.arange(len(blocks) - 1), np.diff(blocks))
        inputs = {
            "trunk": trunk[None, low:high].astype(np.float32, copy=False),
            "shapes": layout.shapes[None, low:high].astype(np.int64),
            "places": np.minimum(places, N_PLACES - 1)[None].astype(np.int64),
        }
        hidden: Array = self.graph.session.run(None, inputs)[0][0]
        start, end = layout.blocks[window.read_first] - low, layout.blocks[window.read_end] - low
        return hidden[start:end]


def _ends_sentence(layout: PieceLayout, block: int) -> bool:
    sentences = layout.block_sentences
    return block == len(sentences) or bool(sentences[block] != sentences[block - 1])
