"""Checks of an ONNX graph before ONNX Runtime opens it.

A graph is a program. Only operators that our export writes are let through: no loops, no branches,
no functions of its own, no weights in other files, and no tensor whose data is not all there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from discobert.errors import BundleError
from discobert.runtime.onnx_file import (
    FLOAT,
    INT64,
    MICROSOFT,
    message_fields,
    packed_varints,
)
from discobert.runtime.shapes import Shape, Sizes
from discobert.runtime.tensors import Content

STANDARD = frozenset(
    """Add And Cast Clip Concat Constant ConstantOfShape DequantizeLinear Div DynamicQuantizeLinear
    Equal Erf Exp Expand Flatten GRU Gather GatherElements Gelu Gemm Greater Identity
    LayerNormalization Less Log MatMul MatMulInteger Max Min Mul Neg Not Or Pow QuantizeLinear Range
    Reciprocal ReduceMax ReduceMean ReduceSum Relu Reshape Shape Sigmoid Slice Softmax Split Sqrt
    Squeeze Sub Tanh Transpose Unsqueeze Where""".split()
)
FUSED = frozenset(
    """Attention BiasGelu DynamicQuantizeMatMul EmbedLayerNormalization FastGelu FusedGemm
    FusedMatMul Gelu MatMulIntegerToFloat MultiHeadAttention QAttention QuickGelu
    SimplifiedLayerNormalization SkipLayerNormalization""".split()
)
_OPERATORS = {"": STANDARD, "ai.onnx": STANDARD, MICROSOFT: FUSED}

_MODEL_FIELDS = frozenset({1, 2, 3, 4, 5, 6, 7, 8, 14})
"""All but training information (20) and functions (25)."""
_GRAPH, _NODE, _WEIGHT, _INPUT, _OUTPUT = 7, 1, 5, 11, 12
_GRAPH_FIELDS = frozenset({1, 2, 5, 10, 11, 12, 13, 16})
"""All but quantisation notes (14) and sparse weights (15)."""
_OPERATOR, _ATTRIBUTE, _DOMAIN = 4, 5, 7
_ATTRIBUTE_FIELDS = frozenset({1, 2, 3, 4, 5, 7, 8, 9, 13, 20})
"""All but graphs (6, 11), tensors by the dozen (10), references (21) and sparse tensors (22)."""
_TENSOR = 5
_TENSOR_FIELDS = frozenset({1, 2, 4, 5, 7, 8, 9, 12, 14})
"""All but segments (3), strings (6) and data in other files (13)."""
_DIMENSION, _KIND, _RAW, _PLACE = 1, 2, 9, 14
_WIDTHS = {1: 4, 2: 1, 3: 1, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8}
"""Bytes of a number, by its kind."""
_MOST_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Signature:
    """Names and shapes of inputs and outputs, and the kinds of their numbers."""

    inputs: Mapping[str, Shape]
    outputs: Mapping[str, Shape]
    kinds: Mapping[str, int]


def check_graph(file: str, model: Content) -> Signature:
    """Return the signature of a graph; raise an error if anything in it is not expected."""
    try:
        return _signature(memoryview(model))
    except (IndexError, KeyError, TypeError, UnicodeDecodeError, ValueError) as error:
        raise BundleError(f"{file}: no graph that discobert opens: {error}") from error


def _signature(model: memoryview) -> Signature:
    graphs = [value for field, value in _checked(model, _MODEL_FIELDS, "model") if field == _GRAPH]
    if len(graphs) != 1:
        raise ValueError(f"{len(graphs)} graphs instead of one")
    inputs: dict[str, Shape] = {}
    outputs: dict[str, Shape] = {}
    kinds: dict[str, int] = {}
    n_nodes = 0
    for field, value in _checked(graphs[0], _GRAPH_FIELDS, "graph"):
        if field == _NODE:
            n_nodes += 1
            _check_node(value)
        elif field == _WEIGHT:
            _check_tensor(value)
        elif field in (_INPUT, _OUTPUT):
            name, kinds_of, shape = _value(value)
            (inputs if field == _INPUT else outputs)[name] = shape
            kinds[name] = kinds_of
    if n_nodes > _MOST_NODES:
        raise ValueError(f"{n_nodes:,} operations, at most {_MOST_NODES:,} are allowed")
    return Signature(inputs, outputs, kinds)


def _checked(message: memoryview, allowed: frozenset[int], what: str) -> Iterator[tuple[int, Any]]:
    for field, value in message_fields(message):
        if field not in allowed:
            raise ValueError(f"a {what} with the field {field}, which is not allowed")
        yield field, value


def _check_node(node: memoryview) -> None:
    operator = domain = ""
    for field, value in message_fields(node):
        if field == _OPERATOR:
            operator = str(value, "utf-8")
        elif field == _DOMAIN:
            domain = str(value, "utf-8")
        elif field == _ATTRIBUTE:
            for inner, attribute in _checked(value, _ATTRIBUTE_FIELDS, "attribute"):
                if inner == _TENSOR:
                    _check_tensor(attribute)
    if operator not in _OPERATORS.get(domain, ()):
        known = f"{domain}.{operator}" if domain else operator
        raise ValueError(f"the operator {known[:60]!r} is not allowed")


def _check_tensor(tensor: memoryview) -> None:
    dimensions: list[int] = []
    kind, raw = 0, None
    for field, value in _checked(tensor, _TENSOR_FIELDS, "tensor"):
        if field == _DIMENSION:
            dimensions += packed_varints(value)
        elif field == _KIND:
            kind = value
        elif field == _RAW:
            raw = len(value)
        elif field == _PLACE and value != 0:
            raise ValueError("weights in another file")
    if kind not in _WIDTHS:
        raise ValueError(f"weights of kind {kind}")
    if raw is not None and raw != prod(dimensions) * _WIDTHS[kind]:
        raise ValueError(f"weights of shape {dimensions} in {raw} bytes")


def _value(value: memoryview) -> tuple[str, int, Shape]:
    """Read name, kind of numbers and shape of an input or output."""
    members = dict(message_fields(value))
    tensor = dict(message_fields(_only(members[2], 1)))
    axes = [part for field, part in message_fields(tensor[2]) if field == 1]
    return str(members[1], "utf-8"), tensor[1], [_axis(axis) for axis in axes]


def _axis(axis: memoryview) -> int | None:
    size = dict(message_fields(axis)).get(1)
    return size if isinstance(size, int) else None


def _only(message: memoryview, field: int) -> memoryview:
    found: memoryview = dict(message_fields(message))[field]
    return found


@dataclass(frozen=True, slots=True)
class Expected:
    """What the code feeds to a graph and takes from it: shapes by name, see ``Sizes``."""

    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    optional: frozenset[str] = frozenset()
    """Inputs that the graph need not have."""

    def check(self, file: str, model: Content, sizes: Sizes) -> None:
        """Compare a graph with it; names tell graphs apart that were swapped."""
        found = check_graph(file, model)
        wanted = {
            n: s for n, s in self.inputs.items() if n in found.inputs or n not in self.optional
        }
        for what, has, needs in (
            ("inputs", found.inputs, wanted),
            ("outputs", found.outputs, self.outputs),
        ):
            if set(has) != set(needs):
                shown = ", ".join(sorted(has))[:200]
                raise BundleError(
                    f"{file}: the graph has the {what} {shown}, but {', '.join(needs)} is needed: "
                    "another file in its place?"
                )
            sizes.check_all(file, has, needs)
        for name in (*found.inputs, *found.outputs):
            kind = INT64 if name in _WHOLE else FLOAT
            if found.kinds[name] != kind:
                raise BundleError(f"{file}: {name} has numbers of kind {found.kinds[name]}")


_WHOLE = frozenset({"ids", "segments", "shapes", "places"})
"""Inputs of whole numbers."""
