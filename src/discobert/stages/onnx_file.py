"""The few parts of ONNX's file format that a graph of ours needs, written without libraries.

A message is a run of fields; a field is its number and kind, then a number or a length and bytes.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IR_VERSION, OPSET = 8, 17
MICROSOFT = "com.microsoft"
"""Where ONNX Runtime keeps the fused operators that its optimiser puts in."""
_VARINT, _BYTES, _FIXED32 = 0, 2, 5
_FLOAT, _INT64 = 1, 7
_IS_FLOAT, _IS_INT = 1, 2


@dataclass(frozen=True, slots=True)
class GraphNode:
    """One operation on named values."""

    operator: str
    inputs: Sequence[str]
    output: str
    domain: str = ""
    attributes: tuple[tuple[str, int | float], ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """An input or output: a name for each axis, or its size."""

    name: str
    axes: tuple[str | int, ...]
    is_float: bool = True


def onnx_model(
    nodes: Sequence[GraphNode],
    weights: dict[str, NDArray[np.float32]],
    *,
    inputs: Sequence[Value],
    outputs: Sequence[Value],
) -> bytes:
    """Write a model that ONNX Runtime can open."""
    graph = b"".join(
        [
            *(_message(1, _node(node)) for node in nodes),
            _text(2, "graph"),
            *(_message(5, _tensor(name, values)) for name, values in weights.items()),
            *(_message(11, _value(value)) for value in inputs),
            *(_message(12, _value(value)) for value in outputs),
        ]
    )
    opsets = [
        _message(8, _text(1, domain) + _number(2, version))
        for domain, version in (("", OPSET), (MICROSOFT, 1))
    ]
    return _number(1, IR_VERSION) + _message(7, graph) + b"".join(opsets)


def _node(node: GraphNode) -> bytes:
    parts = [_text(1, name) for name in node.inputs]
    parts += [_text(2, node.output), _text(3, node.output), _text(4, node.operator)]
    parts += [_message(5, _attribute(name, value)) for name, value in node.attributes]
    return b"".join([*parts, _text(7, node.domain)])


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, _IS_INT)
    return _text(1, name) + _key(2, _FIXED32) + struct.pack("<f", value) + _number(20, _IS_FLOAT)


def _tensor(name: str, values: NDArray[np.float32]) -> bytes:
    dims = b"".join(_number(1, size) for size in values.shape)
    data = np.ascontiguousarray(values, dtype="<f4").tobytes()
    return dims + _number(2, _FLOAT) + _text(8, name) + _message(9, data)


def _value(value: Value) -> bytes:
    dims = b"".join(
        _message(1, _number(1, axis) if isinstance(axis, int) else _text(2, axis))
        for axis in value.axes
    )
    tensor = _number(1, _FLOAT if value.is_float else _INT64) + _message(2, dims)
    return _text(1, value.name) + _message(2, _message(1, tensor))


def _key(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _number(field: int, value: int) -> bytes:
    return _key(field, _VARINT) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _message(field, value.encode())


def _message(field: int, data: bytes) -> bytes:
    return _key(field, _BYTES) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    """Write seven bits a byte, the lowest first; the top bit says that more follow."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
