"""Models written byte by byte."""

import numpy as np
import onnxruntime
import pytest

from discobert.runtime.onnx_file import (
    INT64,
    MICROSOFT,
    GraphNode,
    Value,
    onnx_model,
)
from discobert.runtime.onnx_model import session


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
    opened = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    found = opened.run(None, {"ids": np.array([299, 0], dtype=np.int64)})[0]
    # A sigmoid with slope 0 is a half everywhere.
    np.testing.assert_allclose(found, (weight[[299, 0]] + [1, -1]) / 2)


def test_a_graph_that_cannot_be_opened_prints_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no UTF-8")  # as ONNX Runtime fails at some names

    monkeypatch.setattr(onnxruntime.InferenceSession, "_create_inference_session", fail)
    with pytest.raises(ValueError, match="no UTF-8"):
        session(b"")
    assert capfd.readouterr() == ("", "")
