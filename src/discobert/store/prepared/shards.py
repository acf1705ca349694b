"""Prepared documents as Parquet: one row a document, a schema version in every file.

Rows are written in groups that depend on nothing but the rows, without threads and without dates,
so that the same documents always give the same bytes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from discobert.data.codecs.analysis import decode_analysis, encode_analysis
from discobert.data.codecs.json_text import JsonObject, dumps, loads
from discobert.errors import FormatError, InputError, MissingExtra
from discobert.runtime.pieces import PieceLayout
from discobert.store.corpora.articles import Article
from discobert.store.prepared.arrow_columns import column
from discobert.store.prepared.documents import Counts, Labels, Prepared
from discobert.store.text import printable

SCHEMA_VERSION = 1
_VERSION_KEY = b"discobert.prepared"
_ROWS_A_GROUP = 64
_CHARS_A_GROUP = 1_000_000
_BYTES_A_PAGE = 1 << 16
_PAIRED = ("word_pieces", "word_chars")
"""Arrays with two columns, which are stored flat, row after row."""
_NUMERIC = ("layout_", "edu_targets", "sentence_targets")
"""Columns that are read as arrays."""
_ELSEWHERE = ("format", "id", "text")
"""Members of the analysis that other columns hold."""


def _arrow() -> Any:  # noqa: ANN401 - pyarrow ships no types
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "batch") from error
    return pa


@cache
def schema() -> Any:  # noqa: ANN401 - as above
    """Return the columns of a shard."""
    pa = _arrow()
    units = pa.list_(pa.int32())
    columns = [
        ("id", pa.string()),
        ("source", pa.string()),
        ("text", pa.large_string()),
        ("reference", pa.list_(pa.string())),
        ("analysis", pa.large_string()),
        ("n_sentences", pa.int32()),
        ("n_edus", pa.int32()),
        *((f"n_{count.name}", pa.int32()) for count in fields(Counts)),
    ]
    for kind in ("edu", "sentence"):
        columns += [
            (f"{kind}_oracle", units),
            (f"{kind}_oracle_score", pa.float64()),
            (f"{kind}_oracle_words", pa.int32()),
            (f"{kind}_targets", pa.list_(pa.float32())),
        ]
    columns.append(("edu_sentences", units))
    columns += [(f"layout_{array.name}", _array_type(pa, array.name)) for array in _arrays()]
    return pa.schema(columns, metadata={_VERSION_KEY: str(SCHEMA_VERSION).encode()})


def _arrays() -> Sequence[Any]:
    return fields(PieceLayout)


def _array_type(pa: Any, name: str) -> Any:  # noqa: ANN401 - as above
    return pa.list_(pa.bool_() if name == "word_opens" else pa.int32())


class ShardWriter:
    """Writes documents to an open file, a few at a time; a context that ends the file."""

    def __init__(self, file: BinaryIO) -> None:
        pa = _arrow()
        self._schema = schema()
        # Few values repeat, so dictionaries would cost memory for nothing.
        self._writer = pa.parquet.ParquetWriter(
            file,
            self._schema,
            compression="zstd",
            use_dictionary=["source"],
            write_statistics=False,
            data_page_size=_BYTES_A_PAGE,
        )
        self._rows: list[dict[str, Any]] = []
        self._chars = 0

    def add(self, document: Prepared) -> None:
        """Append a document."""
        self._rows.append(_row(document))
        self._chars += len(document.article.text)
        if len(self._rows) >= _ROWS_A_GROUP or self._chars >= _CHARS_A_GROUP:
            self._flush()

    def _flush(self) -> None:
        pa = _arrow()
        if self._rows:
            columns = [
                column(pa, field.type, [row.get(field.name) for row in self._rows])
                for field in self._schema
            ]
            self._writer.write_table(pa.Table.from_arrays(columns, schema=self._schema))
            self._rows, self._chars = [], 0

    def __enter__(self) -> "ShardWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._flush()
        self._writer.close()


def _row(document: Prepared) -> dict[str, Any]:
    article = document.article
    row = {
        "id": article.id,
        "text": article.text,
        "reference": list(article.reference),
        "analysis": _analysis_text(document),
        **small_cells(document),
    }
    if document.layout is not None:
        for array in _arrays():
            row[f"layout_{array.name}"] = getattr(document.layout, array.name).reshape(-1)
    return row


def small_cells(document: Prepared) -> dict[str, Any]:
    """Return the columns of sizes and labels, by name."""
    doc = document.analysis.document
    return {
        "source": document.article.source,
        "n_sentences": len(doc.sentences),
        "n_edus": len(doc.edus),
        "edu_sentences": [edu.sentence for edu in doc.edus],
        **{f"n_{c.name}": getattr(document.counts, c.name) for c in fields(Counts)},
        **_label_cells("edu", document.edus),
        **_label_cells("sentence", document.sentences),
    }


def _analysis_text(document: Prepared) -> str:
    members = encode_analysis(document.analysis)
    return dumps({key: value for key, value in members.items() if key not in _ELSEWHERE})


def _label_cells(kind: str, labels: Labels) -> dict[str, Any]:
    return {
        f"{kind}_oracle": list(labels.oracle),
        f"{kind}_oracle_score": labels.score,
        f"{kind}_oracle_words": labels.words,
        f"{kind}_targets": labels.targets,
    }


def read_rows_of(path: Path, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Stream the rows of a shard, all columns or some, as plain values."""
    with _open(path) as file:
        batches = file.iter_batches(batch_size=_ROWS_A_GROUP, columns=columns, use_threads=False)
        for batch in _intact(batches, path):
            yield from batch.to_pylist()


def read_shard(path: Path) -> Iterator[Prepared]:
    """Stream the documents of a shard."""
    with _open(path) as file:
        for batch in _intact(file.iter_batches(batch_size=_ROWS_A_GROUP, use_threads=False), path):
            numeric = [name for name in batch.schema.names if name.startswith(_NUMERIC)]
            arrays = {name: _slices(batch.column(name)) for name in numeric}
            rows = batch.drop_columns(numeric).to_pylist()
            for index, row in enumerate(rows):
                yield _document(row | {name: arrays[name][index] for name in numeric})


def _intact(batches: Iterator[Any], path: Path) -> Iterator[Any]:
    """Yield batches; data that is damaged inside the file is found only here."""
    pa = _arrow()
    try:
        for batch in batches:
            batch.validate(full=True)
            yield batch
    except (OSError, pa.ArrowException) as error:
        words = " ".join(str(error).split())[:200]
        message = f"{printable(path)}: damaged inside: {words}; prepare the corpus again"
        raise InputError(message) from error


def _slices(column: Any) -> list[Any]:  # noqa: ANN401 - as above
    """Return the lists of a column as views of one array, None where there is no list."""
    offsets = column.offsets.to_numpy().tolist()
    values = column.values.to_numpy(zero_copy_only=False).copy()  # torch wants to own its arrays
    valid = column.is_valid().to_pylist()
    bounds = zip(valid, offsets[:-1], offsets[1:], strict=True)
    return [values[low:high] if there else None for there, low, high in bounds]


def _open(path: Path) -> Any:  # noqa: ANN401 - as above
    pa = _arrow()
    try:
        file = pa.parquet.ParquetFile(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{printable(path)}: no readable shard: {error}") from error
    found = (file.schema_arrow.metadata or {}).get(_VERSION_KEY, b"none").decode()
    if found != str(SCHEMA_VERSION):
        raise FormatError(
            f"{printable(path)}: schema version {found}, this discobert reads {SCHEMA_VERSION}; "
            "prepare the corpus again"
        )
    return file


def _document(row: dict[str, Any]) -> Prepared:
    article = Article(row["id"], row["source"], row["text"], tuple(row["reference"]))
    members = loads(row["analysis"], name=f"the analysis of {article.id}")
    whole: JsonObject = {"format": 1, "id": article.id, "text": article.text}
    return Prepared(
        article=article,
        analysis=decode_analysis({**whole, **members} if isinstance(members, dict) else members),
        edus=_labels(row, "edu"),
        sentences=_labels(row, "sentence"),
        counts=Counts(**{count.name: row[f"n_{count.name}"] for count in fields(Counts)}),
        layout=_layout(row),
    )


def _labels(row: dict[str, Any], kind: str) -> Labels:
    return Labels(
        oracle=tuple(row[f"{kind}_oracle"]),
        score=row[f"{kind}_oracle_score"],
        targets=row[f"{kind}_targets"],
        words=row[f"{kind}_oracle_words"],
    )


def _layout(row: dict[str, Any]) -> PieceLayout | None:
    if row["layout_ids"] is None:
        return None
    arrays = {array.name: row[f"layout_{array.name}"] for array in _arrays()}
    pairs = {name: arrays[name].reshape(-1, 2) for name in _PAIRED}
    return PieceLayout(**{**arrays, **pairs})
