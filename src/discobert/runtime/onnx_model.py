"""ONNX graphs opened in ONNX Runtime, on first use."""

from threading import Lock

import onnxruntime

from discobert.runtime.tensors import Content


def session(
    graph: Content, *, threads: int = 1, keeps_memory: bool = False
) -> onnxruntime.InferenceSession:
    """Open a graph that was optimised at export.

    ``keeps_memory`` is for graphs with inputs of bounded length that run again and again: what one
    run used is used by the next.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are raised, which is enough
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    # Inputs of ever new lengths would let the arena grow for ever, all the more if blocks of it are
    # planned for each length.
    options.enable_cpu_mem_arena = keeps_memory
    options.enable_mem_pattern = not keeps_memory
    # After an error it would print so and start anew with another provider; there is no other one.
    opened = onnxruntime.InferenceSession(
        bytes(graph), options, providers=["CPUExecutionProvider"], enable_fallback=0
    )
    # It keeps the file for that.
    opened._model_bytes = b""  # noqa: SLF001
    return opened


class OnnxModel:
    """A graph that is opened when it is first needed and then releases its file's content."""

    def __init__(self, content: Content, *, keeps_memory: bool = False) -> None:
        self._content = content
        self._keeps_memory = keeps_memory
        self._session: onnxruntime.InferenceSession | None = None
        self._lock = Lock()

    @property
    def session(self) -> onnxruntime.InferenceSession:
        """The running graph."""
        with self._lock:
            if self._session is None:
                self._session = session(self._content, keeps_memory=self._keeps_memory)
                self._content = b""
            return self._session
