"""ONNX files optimised for the CPU, with weights in single precision, half precision or int8."""

import tempfile
from enum import Enum
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from discobert.nn.export.onnx_file import HALF
from discobert.nn.export.outliers import OUTLIER_PREFIX

_FLOAT = onnx.TensorProto.FLOAT
_SLOW_FUSIONS = ("SkipLayerNormFusion", "BiasSkipLayerNormFusion")
"""ONNX Runtime normalises rows three to six times as fast if the sum before is not fused with it
(818 against 134 microseconds for 336 pieces, on the CPU)."""
_SMALL = 4096
"""Weights with fewer numbers stay in single precision: they are not worth a node."""


class Precision(Enum):
    """How weights are stored; only int8 is also computed with."""

    SINGLE = "single"
    HALF = "half"
    """Half the space; converted to single precision whenever the model runs."""
    INT8 = "int8"

    @classmethod
    def of(cls, name: str, *, quantised: tuple[str, ...], int8: bool) -> "Precision":
        """Choose for a file of a bundle: int8 or half precision, or else single precision."""
        if not int8:
            return cls.SINGLE
        return cls.INT8 if name in quantised else cls.HALF


def optimised_onnx(content: bytes, precision: Precision) -> bytes:
    """Optimise an ONNX file for any CPU and convert its weights."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plain.onnx").write_bytes(content)
        _optimise(folder / "plain.onnx", folder / "fast.onnx")
        if precision is Precision.SINGLE:
            return (folder / "fast.onnx").read_bytes()
        model = onnx.load(folder / "fast.onnx")
        if precision is Precision.HALF:
            return _in_half_precision(model)
        # AVX2 adds pairs of products in 16 bits: weights of seven bits cannot overflow there.
        quantize_dynamic(
            folder / "fast.onnx",
            folder / "int8.onnx",
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul"],
            nodes_to_exclude=[
                node.name for node in model.graph.node if f"/{OUTLIER_PREFIX}" in node.name
            ],
            extra_options={"DefaultTensorType": _FLOAT},
        )
        _optimise(folder / "int8.onnx", folder / "final.onnx")
        return (folder / "final.onnx").read_bytes()


def _in_half_precision(model: onnx.ModelProto) -> bytes:
    """Convert large weights to half precision."""
    graph = model.graph
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type == _FLOAT and values.size >= _SMALL:
            name = tensor.name
            stored = numpy_helper.from_array(values.astype(np.float16), f"{name}{HALF}")
            tensor.CopyFrom(stored)
            graph.node.insert(0, onnx.helper.make_node("Cast", [stored.name], [name], to=_FLOAT))
    content: bytes = model.SerializeToString()
    return content


def _optimise(source: Path, target: Path) -> None:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(target)
    options.log_severity_level = 3
    onnxruntime.InferenceSession(
        str(source),
        options,
        providers=["CPUExecutionProvider"],
        disabled_optimizers=list(_SLOW_FUSIONS),
    )
