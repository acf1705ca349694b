"""Exported graphs read back: the weights of an analyser that may go on learning.

What int8 has rounded off stays lost; all else is as it was. H width, F inner width.
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
from discobert.nn.export.analyser import HALF

Floats = NDArray[np.float32]
_FLOATS = (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)


class GraphWeights:
    """The weights of one graph, by the names that they have as parameters."""

    def __init__(self, content: bytes) -> None:
        graph = onnx.load_from_string(content).graph
        self._stored = {tensor.name.removesuffix(HALF): tensor for tensor in graph.initializer}
        self._nodes = {node.name: node for node in graph.node}

    def __contains__(self, name: str) -> bool:
        return name in self._stored

    def vector(self, name: str) -> Tensor:
        """Return weights that have kept their name and their order."""
        if name not in self._stored:
            raise BundleError(f"a graph of the bundle lacks {name}: another discobert wrote it")
        return torch.tensor(numpy_helper.to_array(self._stored[name]).astype(np.float32))

    def matrix(self, module: str) -> Tensor:
        """Return the weights (out, in) of a linear layer.

        Before a bias that is added apart, the exporter turns them and gives them a number as name.
        """
        if f"{module}.weight" in self:
            return self.vector(f"{module}.weight")
        path = "/" + re.sub(r"layers/(\d+)", r"layers.\1", module.replace(".", "/"))
        for name in (f"{path}/MatMul_quant", f"{path}/MatMul"):
            if name in self._nodes:
                return self._turned(self._nodes[name].input[1])
        raise BundleError(f"a graph of the bundle lacks {module}: another discobert wrote it")

    def recurrent(self, module: str) -> dict[str, Tensor]:
        """Return the weights of a GRU of both directions; ONNX orders its gates in another way."""
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

    def _turned(self, name: str) -> Tensor:
        stem = name.removesuffix("_quantized")
        if name == stem:
            return self.vector(name).T.contiguous()
        steps = self.vector(name) - self.vector(f"{stem}_zero_point")
        return (steps * self.vector(f"{stem}_scale")).T.contiguous()


def layers_of(graph: GraphWeights, part: str) -> dict[str, Tensor]:
    """Return the weights of all layers of a trunk or a branch."""
    found: dict[str, Tensor] = {}
    index = 0
    while f"{part}.layers.{index}.attended.bias" in graph:
        found |= _layer(graph, f"{part}.layers.{index}")
        index += 1
    return found


def _layer(graph: GraphWeights, layer: str) -> dict[str, Tensor]:
    found = _linears(graph, [f"{layer}.query_key_value", f"{layer}.attended"])
    for norm in ("attended_norm", "output_norm"):
        for kind in ("weight", "bias"):
            name = f"{layer}.{norm}.{kind}"
            found[name] = graph.vector(name)
    if f"{layer}.apart.quiet" not in graph:
        return found | _linears(graph, [f"{layer}.widen", f"{layer}.narrow"])
    return found | {f"{layer}.{name}": value for name, value in _whole(graph, layer).items()}


def _linears(graph: GraphWeights, modules: Iterable[str]) -> dict[str, Tensor]:
    return {
        name: value
        for module in modules
        for name, value in (
            (f"{module}.weight", graph.matrix(module)),
            (f"{module}.bias", graph.vector(f"{module}.bias")),
        )
    }


def _whole(graph: GraphWeights, layer: str) -> dict[str, Tensor]:
    """Join what was read apart (nn/loud.py); the order of inner features means nothing."""
    apart = f"{layer}.apart"
    widen = graph.matrix(f"{apart}.widen") * graph.vector(f"{apart}.quiet")  # (F', H)
    widen[:, graph.vector(f"{apart}.inputs").long()] = graph.matrix(f"{apart}.loud_inputs")
    biases = [graph.vector(f"{apart}.{part}.bias") for part in ("widen", "loud_widen")]
    narrow = [graph.matrix(f"{apart}.{part}") for part in ("narrow", "loud_narrow")]
    return {
        "widen.weight": torch.cat([widen, graph.matrix(f"{apart}.loud_widen")]),  # (F, H)
        "widen.bias": torch.cat(biases),
        "narrow.weight": torch.cat(narrow, 1),  # (H, F)
        "narrow.bias": graph.vector(f"{apart}.narrow.bias"),
    }


def analyser_weights(graphs: Mapping[str, bytes], heads: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of an analyser, all but those of its embeddings."""
    trunk, branch, words, edus = (
        GraphWeights(graphs[name])
        for name in ("trunk.onnx", "branch.onnx", "words.onnx", "edus.onnx")
    )
    found = layers_of(trunk, "trunk") | layers_of(branch, "branch") | dict(heads)
    found |= {
        name: branch.vector(name) for name in ("branch.shapes.weight", "branch.places.weight")
    }
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
