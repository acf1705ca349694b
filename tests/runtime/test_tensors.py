"""Reading safetensors with numpy alone."""

import json

import numpy as np
import pytest

from discobert.errors import BundleError
from discobert.runtime.tensors import GrowingRows, read_stored, read_tensors


def written(kind: str, values: np.ndarray) -> bytes:
    entry = {"dtype": kind, "shape": list(values.shape), "data_offsets": [0, values.nbytes]}
    header = json.dumps({"__metadata__": {"a": "b"}, "x": entry}).encode()
    return len(header).to_bytes(8, "little") + header + values.tobytes()


@pytest.mark.parametrize(
    ("kind", "numpy_kind"), [("F32", np.float32), ("F16", np.float16), ("I64", np.int64)]
)
def test_all_numbers_are_read_as_singles(kind: str, numpy_kind: type[np.number]) -> None:
    values = np.array([[1.5, -2.0, 0.25]]).astype(numpy_kind)
    found = read_tensors(written(kind, values))
    assert list(found) == ["x"]
    assert found["x"].dtype == np.float32
    np.testing.assert_array_equal(found["x"], values)


def test_halves_stay_where_they_are_stored() -> None:
    data = written("F16", np.array([1.5, -2.0], dtype=np.float16))
    found = read_stored(data)["x"]
    assert found.dtype == np.float16
    assert np.shares_memory(found, np.frombuffer(data, dtype=np.uint8))


@pytest.mark.parametrize(
    "data", [b"", b"\x05\0\0\0\0\0\0\0nope!", written("F32", np.ones(3, np.float32))[:-4]]
)
def test_damaged_weights_are_refused(data: bytes) -> None:
    with pytest.raises(BundleError, match="not a safetensors file"):
        read_tensors(data)


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(BundleError):
        read_tensors(written("BF16", np.ones(2, np.float32)))


def test_rows_grow_and_are_given_away_once() -> None:
    rows = GrowingRows()
    parts = [np.full((size, 2), size, dtype=np.float32) for size in (1, 0, 5, 2)]
    for part in parts:
        rows.add(part)
    np.testing.assert_array_equal(rows.take(), np.concatenate(parts))
    assert len(rows.take()) == 0
