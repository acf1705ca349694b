"""Columns from buffers are what pyarrow itself would build."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from discobert.store.prepared.arrow_columns import column

pa = pytest.importorskip("pyarrow")


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.string(), ["", "naïve", "“x”"]),
        (pa.large_string(), ["a", "bc"]),
        (pa.int32(), [1, -2, 3]),
        (pa.float64(), [0.5, 1.5]),
        (pa.bool_(), [True] * 9 + [False]),
        (pa.list_(pa.int32()), [[1, 2], [], [3]]),
        (pa.list_(pa.int32()), [None, [1], None]),
        (pa.list_(pa.float32()), [np.array([0.25, 0.5], dtype=np.float32), []]),
        (pa.list_(pa.bool_()), [np.array([True, False]), [True]]),
        (pa.list_(pa.string()), [["a", "b"], [], [""]]),
        (pa.list_(pa.string()), []),
    ],
    ids=str,
)
def test_a_column_holds_its_values(kind: Any, values: list[Any]) -> None:  # noqa: ANN401
    built = column(pa, kind, values)
    built.validate(full=True)
    assert built.type == kind
    assert built.equals(pa.array(values, kind))


def test_pandas_stays_away() -> None:
    code = (
        "import sys, pyarrow as pa; from discobert.store.prepared.arrow_columns import column;"
        "column(pa, pa.list_(pa.int32()), [[1]]); column(pa, pa.string(), ['a']);"
        "sys.exit('pandas' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
