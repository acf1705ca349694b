"""Weights in the safetensors layout, read with numpy alone."""

import json
from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discobert.errors import BundleError

Array = NDArray[np.float32]
Stored = NDArray[np.float32] | NDArray[np.float16]
"""Vectors that are kept a while, in half precision where they are many."""

Content = bytes | memoryview
"""A file of a bundle, read whole: what was checked is what is used."""

_LARGEST_HEADER = 10_000_000
"""Bytes of the names and shapes of all tensors."""
_TYPES = {"F32": "<f4", "F16": "<f2", "I64": "<i8"}


def read_tensors(data: Content) -> dict[str, Array]:
    """Decode a safetensors file; halves and integers become singles."""
    return {name: single(values) for name, values in read_stored(data).items()}


def read_stored(data: Content) -> dict[str, Stored]:
    """Decode a safetensors file without copies: numbers stay as and where they are stored."""
    try:
        size = int.from_bytes(data[:8], "little")
        if not 0 < size <= min(_LARGEST_HEADER, len(data) - 8):
            raise ValueError(f"a header of {size:,} bytes in {len(data):,}")  # noqa: TRY301
        header: dict[str, Any] = json.loads(bytes(data[8 : 8 + size]))
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        body = memoryview(data)[8 + size :]  # a slice of bytes would be a copy for every tensor
        return {name: _tensor(entry, body) for name, entry in entries.items()}
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise BundleError(f"weights are not a safetensors file: {error}") from error


def _tensor(entry: Mapping[str, Any], body: memoryview) -> Stored:
    start, end = entry["data_offsets"]
    shape, kind = entry["shape"], np.dtype(_TYPES[entry["dtype"]])
    if not all(isinstance(size, int) and size >= 0 for size in (*shape, start, end)):
        raise ValueError(f"a tensor of shape {shape} at [{start}, {end})")
    if end > len(body) or end - start != kind.itemsize * prod(shape):
        raise ValueError(f"a tensor of shape {shape} at [{start}, {end}) of {len(body)} bytes")
    values: Stored = np.frombuffer(body[start:end], dtype=kind)
    return values.reshape(shape)


def read_finite(file: str, data: Content) -> dict[str, Stored]:
    """Decode a safetensors file of finite numbers only."""
    try:
        tensors = read_stored(data)
    except BundleError as error:
        raise BundleError(f"{file}: {error}") from error
    for name, values in tensors.items():
        if not np.isfinite(values).all():
            raise BundleError(f"{file}: {name} holds numbers that are not finite")
    return tensors


def single(values: Stored) -> Array:
    """Copy numbers to single precision."""
    return np.array(values, dtype=np.float32)


class GrowingRows:
    """Rows added part by part in one block of memory, which can be given back as a whole."""

    def __init__(self) -> None:
        self._rows: Array = np.empty((0, 0), dtype=np.float32)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, part: Array) -> None:
        """Append rows."""
        needed = self._used + len(part)
        if needed > len(self._rows):
            grown = np.empty((2 * needed, part.shape[1]), dtype=np.float32)
            if self._used:
                grown[: self._used] = self._rows[: self._used]
            self._rows = grown
        self._rows[self._used : needed] = part
        self._used = needed

    def take(self) -> Array:
        """Return all rows and drop them."""
        rows, self._rows = self._rows[: self._used], np.empty((0, 0), dtype=np.float32)
        self._used = 0
        return rows
