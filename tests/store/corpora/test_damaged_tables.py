"""Parquet files that are damaged inside, or hold what is no text."""

from pathlib import Path
from typing import Any

import pytest

from discobert.errors import InputError
from discobert.store.corpora.articles import Article
from discobert.store.corpora.columns import RowRules
from discobert.store.corpora.entries import Rejected
from discobert.store.corpora.tables import ParquetTable

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def entries(path: Path) -> list[Any]:
    return [located.entry for located in ParquetTable((path,), RowRules()).read()]


def test_a_flipped_page_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    texts = [f"It rained on day {number}. " * 40 for number in range(200)]
    pq.write_table(pa.table({"text": texts, "summary": texts}), path, compression="zstd")
    data = bytearray(path.read_bytes())
    data[10:74] = b"\xff" * 64
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"t\.parquet: damaged inside"):
        entries(path)


def test_checksums_of_pages_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    options = {"compression": "none", "use_dictionary": False, "write_page_checksum": True}
    pq.write_table(pa.table({"text": ["It rained."], "summary": ["Rain."]}), path, **options)
    assert [entry.text for entry in entries(path)] == ["It rained."]
    path.write_bytes(path.read_bytes().replace(b"It rained.", b"It raised."))
    with pytest.raises(InputError, match=r"t\.parquet: damaged inside"):
        entries(path)


def test_a_binary_column_is_refused_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"text": pa.array([b"\xff\xfe", b"a"]), "summary": ["1", "2"]}), path)
    found = entries(path)
    assert all(isinstance(entry, Rejected) for entry in found)
    assert "must be" in found[0].message


def test_only_the_row_that_is_no_utf_8_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    texts = pa.array([b"It rained.", b"\xff\xfe", b"It snowed."]).view(pa.string())
    pq.write_table(pa.table({"text": texts, "summary": ["1", "2", "3"]}), path)
    first, second, third = entries(path)
    assert isinstance(first, Article)
    assert second == Rejected(
        "2", "malformed-parquet", "t.parquet, row 2: a column is no valid UTF-8"
    )
    assert isinstance(third, Article)


def test_a_flipped_bit_in_a_name_of_a_column_is_an_error_that_names_the_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"text": ["It rained."], "summary": ["1"]}), path)
    path.write_bytes(path.read_bytes().replace(b"summary", b"su\xf8mary"))
    with pytest.raises(InputError, match=r"t\.parquet: no readable Parquet file"):
        entries(path)
