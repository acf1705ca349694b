"""Weights in the safetensors layout, read with numpy alone."""

import json
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from discobert.errors import BundleError

Array = NDArray[np.float32]

_TYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64, "I8": np.int8}


def read_tensors(data: bytes) -> dict[str, Array]:
    """Decode a safetensors file; halves become singles."""
    try:
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + size])
        body = memoryview(data)[8 + size :]
        return {name: _tensor(entry, body) for name, entry in header.items() if name != "__metadata__"}
    except (ValueError, KeyError, TypeError) as error:
        raise BundleError(f"weights are not a safetensors file: {error}") from error


def _tensor(entry: Mapping[str, object], body: memoryview) -> Array:
    start, end = entry["data_offsets"]  # type: ignore[misc]
    kind = _TYPES[str(entry["dtype"])]
    values = np.frombuffer(body[start:end], dtype=kind).reshape(entry["shape"])  # type: ignore[call-overload]
    return np.ascontiguousarray(values, dtype=np.float32)
