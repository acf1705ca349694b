"""Running the encoder's graphs: the trunk sentence by sentence, a branch window by window.

One block or one window a run and never a padded batch: int8 scales come from the whole input of
a run, so batching would let one text change the numbers of another.
"""

from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

import numpy as np
import onnxruntime

from discobert.stages.pieces import PieceLayout, windows
from discobert.stages.tensors import Array

N_PLACES = 128


def session(graph: bytes, *, threads: int = 1) -> onnxruntime.InferenceSession:
    """Open a graph that was optimised at export."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    # Inputs of ever new lengths would let the arena grow for ever; without it nothing gets slower.
    options.enable_cpu_mem_arena = False
    opened = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    # It keeps the file to start anew with another provider; there is no other one.
    opened.disable_fallback()
    opened._model_bytes = b""  # noqa: SLF001
    return opened


class Graph:
    """A graph that is opened when it is first needed and then lets go of its file's content."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._session: onnxruntime.InferenceSession | None = None
        self._lock = Lock()

    @property
    def session(self) -> onnxruntime.InferenceSession:
        """The running graph."""
        with self._lock:
            if self._session is None:
                self._session = session(self._content)
                self._content = b""
            return self._session


@dataclass(frozen=True)
class Trunk:
    """Embeddings and lower layers; what it says of a sentence depends on that sentence alone."""

    graph: Graph

    def vectors(self, layout: PieceLayout) -> Array:
        """Encode all pieces of a text, (P, H)."""
        ids = layout.ids.astype(np.int64)
        parts = [
            self.graph.session.run(None, {"ids": ids[None, low:high]})[0][0]
            for low, high in pairwise(layout.blocks.tolist())
        ]
        joined: Array = np.concatenate(parts)
        return joined


@dataclass(frozen=True)
class Branch:
    """Upper layers over overlapping windows; every block is read where it is most central."""

    graph: Graph
    max_pieces: int = 448
    overlap: int = 2

    def vectors(self, layout: PieceLayout, trunk: Array) -> Array:
        """Encode all pieces of a text from the trunk's output, (P, H)."""
        lengths = np.diff(layout.blocks)
        numbers = np.repeat(np.arange(len(lengths)), lengths)
        shapes = layout.shapes.astype(np.int64)
        parts = []
        for window in windows(lengths.tolist(), max_pieces=self.max_pieces, overlap=self.overlap):
            low, high = int(layout.blocks[window.first]), int(layout.blocks[window.end])
            places = np.minimum(numbers[low:high] - window.first, N_PLACES - 1)
            inputs = {
                "trunk": trunk[None, low:high],
                "shapes": shapes[None, low:high],
                "places": places[None].astype(np.int64),
            }
            hidden = self.graph.session.run(None, inputs)[0][0]
            start, end = (
                layout.blocks[window.read_first] - low,
                layout.blocks[window.read_end] - low,
            )
            parts.append(hidden[start:end])
        joined: Array = np.concatenate(parts)
        return joined
