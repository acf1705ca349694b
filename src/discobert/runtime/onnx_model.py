"""ONNX graphs opened in ONNX Runtime, on first use and without a copy of large tables."""

from collections.abc import Mapping
from threading import Lock
from types import MappingProxyType

import onnxruntime

from discobert.runtime.memory import LARGE, release_pages
from discobert.runtime.onnx_file import byte_tables
from discobert.runtime.tensors import Content

_NO_TABLES: Mapping[str, onnxruntime.OrtValue] = MappingProxyType({})


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
    """A graph that is opened when it is first needed and then releases its file's content.

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
