"""ONNX files read and written field by field, without the ``onnx`` package (extra ``train``).

Reading serves ``graph_check``: files of other people's bundles are checked before ONNX Runtime
opens them. Writing at run time remains for two graphs that no bundle of format 1 holds:

- the product of two matrices (``runtime.matmul``), which depends on no bundle;
- the upper layers of the parser's state scorer (``analyser.parser_states``). Bundles store its
  weights as tensors, one set a parser; they become constants of a graph on loading. With the
  weights as inputs of a fixed graph, ONNX Runtime cannot pack them beforehand: the last bits of
  the scores differ, and a step takes 1.1 to 1.9 times as long (512 × 256 weights, 1 to 64 states).

A bundle with that graph in a file of its own would be another format, and the shipped one would
still need the writer. Files of a bundle are never edited.

A message is a run of fields; a field is its number and kind, then a number or a length and bytes.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

IR_VERSION, OPSET = 8, 17
MICROSOFT = "com.microsoft"
"""Where ONNX Runtime keeps the fused operators that its optimiser puts in."""
_VARINT, _BYTES, _FIXED32 = 0, 2, 5
_FIXED = {1: 8, _FIXED32: 4}
"""Bytes of the numbers that are not written as varints, by kind."""
FLOAT, INT64, HALF = 1, 7, 10
"""Kinds of numbers."""
_DIMENSION, _KIND, _NAME, _RAW = 1, 2, 8, 9
_LONGEST_VARINT = 10
"""Bytes of the longest number that the format allows."""
_IS_FLOAT, _IS_INT = 1, 2


Weights = NDArray[np.float32]


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
    kind: int = FLOAT


def onnx_model(
    nodes: Sequence[GraphNode],
    weights: Mapping[str, Weights],
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


def _tensor(name: str, values: Weights) -> bytes:
    dims = b"".join(_number(_DIMENSION, size) for size in values.shape)
    data = np.ascontiguousarray(values, dtype="<f4").tobytes()
    return dims + _number(_KIND, FLOAT) + _text(_NAME, name) + _message(_RAW, data)


def _value(value: Value) -> bytes:
    dims = b"".join(
        _message(1, _number(1, axis) if isinstance(axis, int) else _text(2, axis))
        for axis in value.axes
    )
    tensor = _number(1, value.kind) + _message(2, dims)
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


def message_fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Yield the number of each field with its number or bytes; fixed numbers come as bytes."""
    place = 0
    while place < len(message):
        key, place = _read_varint(message, place)
        kind = key & 7
        if kind == _VARINT:
            value, place = _read_varint(message, place)
            yield key >> 3, value
            continue
        size = _FIXED.get(kind)
        if kind == _BYTES:
            size, place = _read_varint(message, place)
        if size is None:
            raise ValueError(f"no field of kind {kind}")
        if place + size > len(message):
            raise ValueError(f"a field of {size:,} bytes ends after its message")
        yield key >> 3, message[place : place + size]
        place += size


def packed_varints(value: int | memoryview) -> list[int]:
    """Return the numbers of a repeated field, of which each may be a field or all of them one."""
    if isinstance(value, int):
        return [value]
    found, place = [], 0
    while place < len(value):
        number, place = _read_varint(value, place)
        found.append(number)
    return found


def _read_varint(message: memoryview, place: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 7 * _LONGEST_VARINT, 7):
        byte = message[place]
        value |= (byte & 127) << shift
        place += 1
        if byte < 128:
            return value, place
    raise ValueError(f"a number of more than {_LONGEST_VARINT} bytes")
