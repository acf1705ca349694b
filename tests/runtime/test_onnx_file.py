"""Models written byte by byte."""

import numpy as np
import onnxruntime

from discobert.runtime.onnx_file import (
    INT64,
    MICROSOFT,
    GraphNode,
    Value,
    onnx_model,
)

FLOAT = 1
BYTES = np.arange(-100, 100, dtype=np.int8).reshape(100, 2)


def byte_model() -> bytes:
    nodes = [
        GraphNode("Gather", ["table", "ids"], "rows", attributes=(("axis", 0),)),
        GraphNode("Cast", ["rows"], "wide", attributes=(("to", FLOAT),)),
        GraphNode("Add", ["wide", "shift"], "vectors"),
    ]
    return onnx_model(
        nodes,
        {"table": BYTES, "shift": np.ones((100, 2), np.float32)[:1]},
        inputs=[Value("ids", ("n",), INT64)],
        outputs=[Value("vectors", ("n", 2))],
    )


def test_runtime_opens_and_runs_a_written_graph() -> None:
    weight = np.arange(300 * 2, dtype=np.float32).reshape(300, 2)
    nodes = [
        GraphNode("Gather", ["table", "ids"], "rows", attributes=(("axis", 0),)),
        GraphNode("Add", ["rows", "shift"], "added"),
        GraphNode("QuickGelu", ["added"], "bent", MICROSOFT, (("alpha", 0.0),)),
    ]
    model = onnx_model(
        nodes,
        {"table": weight, "shift": np.array([1, -1], dtype=np.float32)},
        inputs=[Value("ids", ("n",), INT64)],
        outputs=[Value("bent", ("n", 2))],
    )
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    found = session.run(None, {"ids": np.array([299, 0], dtype=np.int64)})[0]
    # A sigmoid with slope 0 is a half everywhere.
    np.testing.assert_allclose(found, (weight[[299, 0]] + [1, -1]) / 2)


def test_runtime_opens_a_table_of_bytes() -> None:
    session = onnxruntime.InferenceSession(byte_model(), providers=["CPUExecutionProvider"])
    found = session.run(None, {"ids": np.array([99, 0], dtype=np.int64)})[0]
    np.testing.assert_array_equal(found, BYTES[[99, 0]] + 1.0)
