"""Products of matrices by ONNX Runtime, on one thread.

numpy's BLAS cuts a product by the number of its threads, and the last bits of the result follow:
the same text would get other scores on another machine. Here they depend on the input alone.
"""

from functools import cache

import numpy as np
import onnxruntime

from discobert.runtime.onnx_file import FLOAT, HALF, GraphNode, Value, onnx_model
from discobert.runtime.onnx_model import session
from discobert.runtime.tensors import Array, Stored

_OUTPUT = "product"


def matmul(left: Array, right: Stored) -> Array:
    """Multiply (M, K) by (K, N); what comes in half precision is not kept in single."""
    return _run("Gemm", left, right)


def matmul_transposed(left: Array, right: Stored) -> Array:
    """Multiply (M, K) by the transpose of (N, K)."""
    return _run("Gemm", left, right, across=True)


def matmul_stacked(left: Array, right: Stored) -> Array:
    """Multiply each of (B, M, K) by its own of (B, K, N): the bits are those of one by one."""
    return _run("MatMul", left, right)


def _run(operator: str, left: Array, right: Stored, *, across: bool = False) -> Array:
    is_half = right.dtype == np.float16
    inputs = {
        "left": np.ascontiguousarray(left, np.float32),
        "right": np.ascontiguousarray(right, np.float16 if is_half else np.float32),
    }
    found: Array = _session(operator, across=across, is_half=is_half).run([_OUTPUT], inputs)[0]
    return found


@cache
def _session(operator: str, *, across: bool, is_half: bool) -> onnxruntime.InferenceSession:
    # ONNX Runtime turns halves into singles many times as fast as numpy.
    widen = [GraphNode("Cast", ["right"], "single", attributes=(("to", FLOAT),))] if is_half else []
    factors = ["left", "single" if is_half else "right"]
    attributes = (("transB", 1),) if across else ()
    multiply = GraphNode(operator, factors, _OUTPUT, attributes=attributes)
    stack = ("b",) if operator == "MatMul" else ()
    axes = ("n", "k") if across else ("k", "n")
    right = Value("right", (*stack, *axes), HALF if is_half else FLOAT)
    model = onnx_model(
        [*widen, multiply],
        {},
        inputs=[Value("left", (*stack, "m", "k")), right],
        outputs=[Value(_OUTPUT, (*stack, "m", "n"))],
    )
    return session(model)
