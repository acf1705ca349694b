"""CSV and Parquet with named columns."""

import gzip
import sys
from pathlib import Path

import pytest

from discobert.errors import InputError, MissingExtra
from discobert.store.corpora.articles import Article
from discobert.store.corpora.columns import RowRules, named_columns
from discobert.store.corpora.entries import Rejected
from discobert.store.corpora.tables import CsvTable, ParquetTable

CSV = 'id,article,highlights\na,"One.\nTwo, too.",1\nb,One.,"1\n2"\n\nc,Three.,3\n'


def table(path: Path, text: str | bytes, name: str = "t.csv") -> CsvTable:
    file = path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return CsvTable((file,), RowRules())


def test_quoted_cells_hold_commas_and_line_breaks(tmp_path: Path) -> None:
    assert [located.entry for located in table(tmp_path, CSV).read()] == [
        Article("a", "", "One.\nTwo, too.", ("1",)),
        Article("b", "", "One.", ("1", "2")),
        Article("c", "", "Three.", ("3",)),
    ]


def test_a_table_is_entered_anywhere(tmp_path: Path) -> None:
    reader = table(tmp_path, gzip.compress(CSV.encode()), "t.csv.gz")
    everything = list(reader.read())
    assert [list(reader.read(p.location)) for p in everything] == [everything[i:] for i in range(3)]
    assert reader.expected() is None


def test_tabs_separate_tsv(tmp_path: Path) -> None:
    reader = table(tmp_path, "text\tsummary\nOne, two.\t1\n", "t.tsv")
    assert [located.entry for located in reader.read()] == [Article("1", "", "One, two.", ("1",))]


def test_only_the_bad_row_is_rejected(tmp_path: Path) -> None:
    data = b"text,summary\nx,1,2\n\xff,1\ngood,1\n"
    short, foreign, good = (located.entry for located in table(tmp_path, data).read())
    assert isinstance(short, Rejected)
    assert short.message == "t.csv, row 1 has 3 cells, the header 2"
    assert isinstance(foreign, Article)  # rejected when it is checked_entry: its text is no Unicode
    assert foreign.text == "\udcff"
    assert isinstance(good, Article)


def test_a_long_cell_is_read(tmp_path: Path) -> None:
    reader = table(tmp_path, f"text,summary\n{'x' * 5_000_000},1\n")
    (located,) = reader.read()
    assert isinstance(located.entry, Article)
    assert len(located.entry.text) == 5_000_000


def test_a_broken_table_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no header"):
        list(table(tmp_path, "").read())
    with pytest.raises(InputError, match=r"lacks the column .* its columns: a, b"):
        list(table(tmp_path, "a,b\n1,2\n").read())
    cut_short = gzip.compress(b"text,summary\n" + b"x,1\n" * 999)[:-9]
    with pytest.raises(InputError, match="damaged"):
        list(table(tmp_path, cut_short, "t.csv.gz").read())


def parquet(path: Path, rows: int = 5, group: int = 2) -> Path:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    content = {
        "key": list(range(rows)),
        "body": [[f"Text {n}.", "More."] for n in range(rows)],
        "abstract": [f"{n}" for n in range(rows)],
        "other": ["x"] * rows,
    }
    pq.write_table(pa.table(content), path / "t.parquet", row_group_size=group)
    return path / "t.parquet"


def test_parquet_is_entered_in_any_row_group(tmp_path: Path) -> None:
    rules = RowRules(columns=named_columns(["id=key", "text=body"]))
    reader = ParquetTable((parquet(tmp_path),), rules)
    everything = list(reader.read())
    assert everything[3].entry == Article("3", "", "Text 3.\nMore.", ("3",))
    assert [list(reader.read(p.location)) for p in everything] == [everything[i:] for i in range(5)]
    assert reader.expected() is None


def test_parquet_without_a_column_names_those_it_has(tmp_path: Path) -> None:
    reader = ParquetTable((parquet(tmp_path),), RowRules())
    with pytest.raises(InputError, match="its columns: key, body, abstract, other"):
        list(reader.read())


def test_a_file_that_is_no_parquet_is_an_input_error(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / "t.parquet"
    file.write_text("no")
    with pytest.raises(InputError, match="no readable Parquet file"):
        list(ParquetTable((file,), RowRules()).read())


def test_parquet_without_pyarrow_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"discobert\[batch\]"):
        list(ParquetTable((tmp_path / "t.parquet",), RowRules()).read())
