"""Products of matrices by ONNX Runtime, on one thread.

numpy's BLAS cuts a product by the number of its threads, and the last bits of the result follow:
the same text would get other scores on another machine. Here they depend on the input alone.
"""

from functools import cache

import numpy as np
import onnxruntime

from discobert.stages.encoder import session
from discobert.stages.onnx_file import GraphNode, Value, onnx_model
from discobert.stages.tensors import Array


def product(left: Array, right: Array) -> Array:
    """Multiply (M, K) by (K, N)."""
    return _run(left, right, across=False)


def product_across(left: Array, right: Array) -> Array:
    """Multiply (M, K) by the transpose of (N, K)."""
    return _run(left, right, across=True)


def _run(left: Array, right: Array, *, across: bool) -> Array:
    given = {"left": left, "right": right}
    inputs = {name: np.ascontiguousarray(part, np.float32) for name, part in given.items()}
    found: Array = _session(across=across).run(None, inputs)[0]
    return found


@cache
def _session(*, across: bool) -> onnxruntime.InferenceSession:
    attributes = (("transB", int(across)),)
    node = GraphNode("Gemm", ["left", "right"], "product", attributes=attributes)
    right = ("n", "k") if across else ("k", "n")
    model = onnx_model(
        [node],
        {},
        inputs=[Value("left", ("m", "k")), Value("right", right)],
        outputs=[Value("product", ("m", "n"))],
    )
    return session(model)
