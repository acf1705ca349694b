"""Columns of Arrow built from their buffers.

``pyarrow.array`` would do, but it loads pandas wherever that is installed: 50 MB more in every
worker, and seconds at its start.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DTYPES = {"int32": np.int32, "float": np.float32, "double": np.float64}


def column(pa: Any, kind: Any, values: Sequence[Any]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Build a column of texts, numbers or flags, or of lists of them; None stands for no list."""
    if pa.types.is_list(kind):
        return _lists(pa, kind, values)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _texts(pa, kind, values)
    if pa.types.is_boolean(kind):
        flags = np.asarray(values, dtype=np.uint8)
        return _array(pa, kind, len(values), [None, np.packbits(flags, bitorder="little")])
    return _array(pa, kind, len(values), [None, np.asarray(values, dtype=_DTYPES[str(kind)])])


def _texts(pa: Any, kind: Any, values: Sequence[str]) -> Any:  # noqa: ANN401 - as above
    data = [value.encode() for value in values]
    width = np.int64 if pa.types.is_large_string(kind) else np.int32
    bounds = _bounds([len(text) for text in data]).astype(width)
    return _array(pa, kind, len(values), [None, bounds, b"".join(data)])


def _lists(pa: Any, kind: Any, values: Sequence[Any]) -> Any:  # noqa: ANN401 - as above
    there = [value is not None for value in values]
    lists = [() if value is None else value for value in values]
    bounds = _bounds([len(items) for items in lists]).astype(np.int32)
    known = None if all(there) else np.packbits(np.array(there, dtype=np.uint8), bitorder="little")
    items = column(pa, kind.value_type, list(chain.from_iterable(map(_plain, lists))))
    return _array(pa, kind, len(values), [known, bounds], [items])


def _plain(items: Any) -> Sequence[Any]:  # noqa: ANN401 - a list or an array of anything
    found: Sequence[Any] = items.tolist() if isinstance(items, np.ndarray) else items
    return found


def _bounds(lengths: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _array(
    pa: Any,  # noqa: ANN401 - as above
    kind: Any,  # noqa: ANN401 - as above
    length: int,
    buffers: Sequence[Any],
    children: Sequence[Any] | None = None,
) -> Any:  # noqa: ANN401 - as above
    data = [None if buffer is None else pa.py_buffer(buffer) for buffer in buffers]
    return pa.Array.from_buffers(kind, length, data, children=children)
