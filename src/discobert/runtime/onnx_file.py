"""The few parts of ONNX's file format that a graph of ours needs, without libraries.

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
FLOAT, INT8, INT64, HALF = 1, 3, 7, 10
"""Kinds of numbers."""
_GRAPH, _WEIGHT = 7, 5
_DIMENSION, _KIND, _NAME, _RAW = 1, 2, 8, 9
_IS_FLOAT, _IS_INT = 1, 2


Weights = NDArray[np.float32] | NDArray[np.int8]


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
    kind, layout = (INT8, "i1") if values.dtype == np.int8 else (FLOAT, "<f4")
    data = np.ascontiguousarray(values, dtype=layout).tobytes()
    return dims + _number(_KIND, kind) + _text(_NAME, name) + _message(_RAW, data)


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


def byte_tables(model: memoryview, *, least: int) -> dict[str, NDArray[np.int8]]:
    """Return the weights of a model that are single bytes, at least so many, where they lie.

    Wider numbers would need an address that the format does not promise.
    """
    try:
        graphs = [part for field, part in _fields(model) if field == _GRAPH]
        weights = [part for graph in graphs for field, part in _fields(graph) if field == _WEIGHT]
        return dict(table for part in weights if len(part) >= least for table in _byte_table(part))
    except (IndexError, TypeError, ValueError):  # no model: whoever opens it will say so
        return {}


def _byte_table(tensor: memoryview) -> Iterator[tuple[str, NDArray[np.int8]]]:
    found = list(_fields(tensor))
    single = dict(found)
    if single.get(_KIND) == INT8 and _RAW in single:
        shape = [size for field, size in found if field == _DIMENSION]
        rows = np.frombuffer(single[_RAW], dtype=np.int8).reshape(shape)
        yield str(single[_NAME], "utf-8"), rows


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Yield the number of each field with its number or bytes; others than these are passed by."""
    place = 0
    while place < len(message):
        key, place = _read_varint(message, place)
        kind = key & 7
        if kind == _VARINT:
            value, place = _read_varint(message, place)
            yield key >> 3, value
        elif kind == _BYTES:
            size, place = _read_varint(message, place)
            yield key >> 3, message[place : place + size]
            place += size
        elif kind in _FIXED:
            place += _FIXED[kind]
        else:
            raise ValueError(f"no field of kind {kind}")


def _read_varint(message: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
