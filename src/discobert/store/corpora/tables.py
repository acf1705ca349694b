"""Articles from tables with named columns: CSV and Parquet."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

from discobert.data.codecs.fields import Field
from discobert.errors import InputError, MissingExtra
from discobert.store.corpora.columns import (
    Columns,
    RowRules,
    article_of,
    check_header,
    fallback_id,
    names_of,
)
from discobert.store.corpora.entries import FIRST_ENTRY, Entry, LocatedEntry, Location, rejected
from discobert.store.jsonl import READ_ERRORS, open_data

_LONGEST_CELL = 2**31 - 1
_ROWS_A_BATCH = 32


@dataclass(frozen=True, slots=True)
class CsvTable:
    """Articles from files of comma-separated values with a header, plain, gzip or xz."""

    files: tuple[Path, ...]
    rules: RowRules

    def read(self, start: Location = FIRST_ENTRY) -> Iterator[LocatedEntry]:
        """Yield an entry for each row; ids default to row numbers."""
        for index in range(start.file, len(self.files)):
            skip = start.record if index == start.file else 0
            for number, entry in self._rows(self.files[index], skip):
                yield LocatedEntry(Location(index, number), entry)

    def _rows(self, path: Path, skip: int) -> Iterator[tuple[int, Entry]]:
        csv.field_size_limit(_LONGEST_CELL)  # the default refuses long articles
        with open_data(path) as file:
            # Bytes that are not UTF-8 become lone surrogates, so that only their row is rejected.
            text = io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="")
            rows = csv.reader(text, delimiter="\t" if ".tsv" in path.suffixes else ",")
            header = next(_cells(rows, path), None)
            if not isinstance(header, list):
                raise InputError(f"{path.name}: no header line")
            check_header(path, header, self.rules)
            for number, cells in enumerate(islice(_cells(rows, path), skip, None), start=skip):
                yield number, self._entry(path, number, header, cells)

    def _entry(self, path: Path, number: int, header: list[str], cells: list[str] | str) -> Entry:
        fallback = fallback_id(self.files, path, number + 1)
        place = f"{path.name}, row {number + 1}"
        if isinstance(cells, str):
            return rejected(fallback, "malformed-csv", f"{place}: {cells}")
        if len(cells) != len(header):
            message = f"{place} has {len(cells)} cells, the header {len(header)}"
            return rejected(fallback, "malformed-csv", message)
        row = Field(dict(zip(header, cells, strict=True)), place)
        return article_of(row, self.rules, fallback_id=fallback)

    def expected(self) -> int | None:
        """Return nothing: rows are counted by reading them."""
        return None


def _cells(rows: Iterator[list[str]], path: Path) -> Iterator[list[str] | str]:
    """Yield the cells of each row that is not blank, or the error of a malformed row."""
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield str(error)
        except READ_ERRORS as error:
            raise InputError(f"{path.name}: the compressed data is damaged: {error}") from error
        else:
            if cells:
                yield cells


@dataclass(frozen=True, slots=True)
class ParquetTable:
    """Articles from Parquet files, row group by row group."""

    files: tuple[Path, ...]
    rules: RowRules

    def read(self, start: Location = FIRST_ENTRY) -> Iterator[LocatedEntry]:
        """Yield an entry for each row; ids default to row numbers."""
        for index in range(start.file, len(self.files)):
            path = self.files[index]
            skip = start.record if index == start.file else 0
            for number, members in self._rows(path, skip):
                fallback = fallback_id(self.files, path, number + 1)
                place = f"{path.name}, row {number + 1}"
                if members is None:
                    message = f"{place}: a column is no valid UTF-8"
                    entry: Entry = rejected(fallback, "malformed-parquet", message)
                else:
                    row = Field(members, place)
                    entry = article_of(row, self.rules, fallback_id=fallback)
                yield LocatedEntry(Location(index, number), entry)

    def _rows(self, path: Path, skip: int) -> Iterator[tuple[int, dict[str, Any] | None]]:
        with open_parquet(path) as table:
            found = table.schema_arrow.names
            check_header(path, found, self.rules)
            wanted = [name for part in fields(Columns) for name in names_of(self.rules, part.name)]
            groups, first = _groups_from(table.metadata, skip)
            batches = table.iter_batches(
                batch_size=_ROWS_A_BATCH,
                row_groups=groups,
                columns=[name for name in wanted if name in found],
                use_threads=False,
            )
            number = first
            for members in parquet_rows(batches, path):
                if number >= skip:
                    yield number, members
                number += 1

    def expected(self) -> int | None:
        """Return nothing: rows are counted by reading them."""
        return None


def open_parquet(path: Path) -> Any:  # noqa: ANN401 - pyarrow ships no types
    """Open a Parquet file; pyarrow is an extra."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingExtra("pyarrow", "batch") from error
    try:
        return pq.ParquetFile(path, page_checksum_verification=True)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:  # the last: names of columns
        raise InputError(f"{path.name}: no readable Parquet file: {error}") from error


def parquet_rows(batches: Iterator[Any], path: Path) -> Iterator[dict[str, Any] | None]:
    """Yield rows as plain values, nothing for one that is no valid UTF-8.

    Data that is damaged inside the file is found only here.
    """
    import pyarrow as pa

    while True:
        try:
            batch = next(batches, None)
        except (OSError, pa.ArrowException) as error:
            words = " ".join(str(error).split())[:200]
            raise InputError(f"{path.name}: damaged inside: {words}; write it again") from error
        if batch is None:
            return
        try:
            yield from batch.to_pylist()
        except UnicodeDecodeError:  # to_pylist fails as a whole, before it has yielded anything
            yield from (_row_or_none(batch.slice(row, 1)) for row in range(batch.num_rows))


def _row_or_none(row: Any) -> dict[str, Any] | None:  # noqa: ANN401 - as above
    try:
        found: dict[str, Any] = row.to_pylist()[0]
    except UnicodeDecodeError:
        return None
    return found


def _groups_from(metadata: Any, skip: int) -> tuple[list[int], int]:  # noqa: ANN401 - as above
    """Return the row groups that hold rows from ``skip`` on, and the number of their first row."""
    first = 0
    for group in range(metadata.num_row_groups):
        n_rows = metadata.row_group(group).num_rows
        if first + n_rows > skip:
            return list(range(group, metadata.num_row_groups)), first
        first += n_rows
    return [], first
