"""Error of ONNX models with weights in half precision and int8."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from torch import Tensor, nn  # noqa: E402

from discobert.nn.encoder import EncoderConfig, TransformerLayer  # noqa: E402
from discobert.nn.export.onnx_file import onnx_bytes  # noqa: E402
from discobert.nn.export.outliers import recorded_maxima, split_outliers  # noqa: E402
from discobert.nn.export.precision import Precision, optimised_onnx  # noqa: E402
from discobert.runtime.onnx_model import OnnxModel  # noqa: E402

INPUTS = np.random.default_rng(0).standard_normal((50, 64)).astype(np.float32)


def exported(module: nn.Module) -> bytes:
    rows = {0: "rows"}
    example = (torch.from_numpy(INPUTS),)
    return onnx_bytes(module, example, inputs={"inputs": rows}, outputs={"outputs": rows})


class Layer(nn.Module):
    """An encoder layer with one outlier among the inputs of its feed-forward part."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = TransformerLayer(EncoderConfig(hidden=64, heads=4, feed_forward=128))
        with torch.no_grad():
            self.layer.attended_norm.weight[5] = 60.0
            self.layer.output_norm.weight[5] = 0.0  # or it would drown the others in the result

    def forward(self, inputs: Tensor) -> Tensor:
        outputs: Tensor = self.layer(inputs[None], None)[0]
        return outputs


@pytest.fixture
def layer() -> Layer:
    torch.manual_seed(0)
    return Layer()


def error(layer: Layer, graph: bytes) -> float:
    found = OnnxModel(graph).session.run(None, {"inputs": INPUTS})[0]
    with torch.no_grad():
        wanted = layer(torch.from_numpy(INPUTS)).numpy()
    return float(np.abs(found - wanted).mean() / np.abs(wanted).mean())


def test_single_precision_loses_nothing(layer: Layer) -> None:
    assert error(layer, optimised_onnx(exported(layer), Precision.SINGLE)) < 1e-6


def test_halves_take_half_the_space_and_lose_little(layer: Layer) -> None:
    single, half = (
        optimised_onnx(exported(layer), kind) for kind in (Precision.SINGLE, Precision.HALF)
    )
    assert len(half) < 0.6 * len(single)
    assert 0 < error(layer, half) < 1e-3


def test_int8_loses_less_when_outliers_are_split_off(layer: Layer) -> None:
    plain = error(layer, optimised_onnx(exported(layer), Precision.INT8))
    apart = Layer()
    apart.load_state_dict(layer.state_dict())
    with torch.no_grad(), recorded_maxima(apart) as maxima:
        apart(torch.from_numpy(INPUTS))
    split_outliers(apart, maxima, count=1)
    graph = optimised_onnx(exported(apart), Precision.INT8)
    operators = [node.op_type for node in onnx.load_from_string(graph).graph.node]
    assert {"MatMul", "DynamicQuantizeMatMul"} <= set(operators)
    assert "SkipLayerNormalization" not in operators  # slower than its parts
    assert error(layer, graph) < plain / 2


@pytest.mark.parametrize(
    ("name", "int8", "expected"),
    [
        ("trunk.onnx", True, Precision.INT8),
        ("words.onnx", True, Precision.HALF),
        ("trunk.onnx", False, Precision.SINGLE),
        ("words.onnx", False, Precision.SINGLE),
    ],
)
def test_what_is_worth_it_is_quantised(name: str, int8: bool, expected: Precision) -> None:
    assert Precision.of(name, quantised=("trunk.onnx",), int8=int8) is expected
