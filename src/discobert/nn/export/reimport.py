"""The weights of an analyser, read back from its ONNX files so that it can be trained further.

Rounding to int8 is not undone. H width, F inner width.
"""

import re
from collections.abc import Iterable, Mapping

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor

from discobert.errors import BundleError
from discobert.nn.export.onnx_file import HALF

Floats = NDArray[np.float32]


class OnnxWeights:
    """The weights of one ONNX file, by the names of the parameters that were exported."""

    def __init__(self, content: bytes) -> None:
        graph = onnx.load_from_string(content).graph
        self._stored = {tensor.name.removesuffix(HALF): tensor for tensor in graph.initializer}
        self._nodes = {node.name: node for node in graph.node}

    def __contains__(self, name: str) -> bool:
        return name in self._stored

    def vector(self, name: str) -> Tensor:
        """Return weights that the exporter has neither renamed nor transposed."""
        if name not in self._stored:
            raise BundleError(f"an ONNX file of the bundle lacks {name}: another version wrote it")
        return torch.tensor(numpy_helper.to_array(self._stored[name]).astype(np.float32))

    def matrix(self, module: str) -> Tensor:
        """Return the weights (out, in) of a linear layer.

        Where a bias is added separately, the exporter transposes and renames them.
        """
        if f"{module}.weight" in self:
            return self.vector(f"{module}.weight")
        path = "/" + re.sub(r"layers/(\d+)", r"layers.\1", module.replace(".", "/"))
        for name in (f"{path}/MatMul_quant", f"{path}/MatMul"):
            if name in self._nodes:
                return self._transposed(self._nodes[name].input[1])
        raise BundleError(f"an ONNX file of the bundle lacks {module}: another version wrote it")

    def recurrent(self, module: str) -> dict[str, Tensor]:
        """Return the weights of a bidirectional GRU; ONNX orders its gates differently."""
        (node,) = (node for node in self._nodes.values() if node.op_type == "GRU")
        inputs, hidden, biases = (self.vector(name.removesuffix(HALF)) for name in node.input[1:4])
        halves = torch.stack(biases.chunk(2, -1))  # of inputs and of states, (2, 2, 3 D)
        found = {}
        for direction, suffix in enumerate(("", "_reverse")):
            for kind, part in (
                ("weight_ih", inputs[direction]),
                ("weight_hh", hidden[direction]),
                ("bias_ih", halves[0, direction]),
                ("bias_hh", halves[1, direction]),
            ):
                update, reset, new = part.chunk(3)
                found[f"{module}.{kind}_l0{suffix}"] = torch.cat([reset, update, new])
        return found

    def _transposed(self, name: str) -> Tensor:
        stem = name.removesuffix("_quantized")
        if name == stem:
            return self.vector(name).T.contiguous()
        steps = self.vector(name) - self.vector(f"{stem}_zero_point")
        return (steps * self.vector(f"{stem}_scale")).T.contiguous()


def layers_of(file: OnnxWeights, part: str) -> dict[str, Tensor]:
    """Return the weights of all layers of the lower or the upper part."""
    found: dict[str, Tensor] = {}
    index = 0
    while f"{part}.layers.{index}.attended.bias" in file:
        found |= _layer(file, f"{part}.layers.{index}")
        index += 1
    return found


def _layer(file: OnnxWeights, layer: str) -> dict[str, Tensor]:
    found = _linears(file, [f"{layer}.query_key_value", f"{layer}.attended"])
    for norm in ("attended_norm", "output_norm"):
        for kind in ("weight", "bias"):
            name = f"{layer}.{norm}.{kind}"
            found[name] = file.vector(name)
    if f"{layer}.apart.quiet" not in file:
        return found | _linears(file, [f"{layer}.widen", f"{layer}.narrow"])
    return found | {f"{layer}.{name}": value for name, value in _joined(file, layer).items()}


def _linears(file: OnnxWeights, modules: Iterable[str]) -> dict[str, Tensor]:
    return {
        name: value
        for module in modules
        for name, value in (
            (f"{module}.weight", file.matrix(module)),
            (f"{module}.bias", file.vector(f"{module}.bias")),
        )
    }


def _joined(file: OnnxWeights, layer: str) -> dict[str, Tensor]:
    """Join what outliers.py has split; the order of inner features does not matter."""
    apart = f"{layer}.apart"
    widen = file.matrix(f"{apart}.widen") * file.vector(f"{apart}.quiet")  # (F', H)
    widen[:, file.vector(f"{apart}.inputs").long()] = file.matrix(f"{apart}.loud_inputs")
    biases = [file.vector(f"{apart}.{part}.bias") for part in ("widen", "loud_widen")]
    narrow = [file.matrix(f"{apart}.{part}") for part in ("narrow", "loud_narrow")]
    return {
        "widen.weight": torch.cat([widen, file.matrix(f"{apart}.loud_widen")]),  # (F, H)
        "widen.bias": torch.cat(biases),
        "narrow.weight": torch.cat(narrow, 1),  # (H, F)
        "narrow.bias": file.vector(f"{apart}.narrow.bias"),
    }


def analyser_weights(files: Mapping[str, bytes], heads: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of an analyser without its word, position and segment embeddings."""
    lower, upper, words, edus = (
        OnnxWeights(files[name])
        for name in ("trunk.onnx", "branch.onnx", "words.onnx", "edus.onnx")
    )
    found = layers_of(lower, "trunk") | layers_of(upper, "branch") | dict(heads)
    found |= {name: upper.vector(name) for name in ("branch.shapes.weight", "branch.places.weight")}
    found |= _linears(words, ["tags", "mentions.start_score", "mentions.end_score"])
    for view in ("mentions.starts", "mentions.ends", "links.starts", "links.ends"):
        found |= _linears(words, [f"{view}.project"])
        for kind in ("weight", "bias"):
            found[f"{view}.norm.{kind}"] = words.vector(f"{view}.norm.{kind}")
    found["mentions.both.weight"] = words.matrix("both")
    encoder = _linears(edus, ["parsers.0.project"]) | edus.recurrent("parsers.0.context")
    encoder |= {
        f"parsers.0.norm.{kind}": edus.vector(f"parsers.0.norm.{kind}")
        for kind in ("weight", "bias")
    }
    return found | {name.replace("parsers.0", "edus", 1): value for name, value in encoder.items()}
