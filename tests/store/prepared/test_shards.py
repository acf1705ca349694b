"""Prepared documents to Parquet and back."""

import io
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from tests.builders import analysis, chain

from discobert.errors import FormatError, InputError, MissingExtra
from discobert.runtime.pieces import PieceLayout
from discobert.store.corpora.articles import Article
from discobert.store.prepared import shards
from discobert.store.prepared.documents import Counts, Labels, Prepared
from discobert.store.prepared.manifest import MANIFEST, open_prepared
from discobert.store.prepared.shards import SCHEMA_VERSION, ShardWriter, read_rows_of, read_shard

pytest.importorskip("pyarrow")


def labels(n_units: int) -> Labels:
    return Labels((0,), 0.5, np.linspace(0, 1, n_units, dtype=np.float32), 4)


def layout() -> PieceLayout:
    sizes = {"ids": 4, "shapes": 4, "blocks": 2, "block_sentences": 1, "word_sentences": 2}
    arrays = {name: np.arange(size, dtype=np.int32) for name, size in sizes.items()}
    pairs = np.arange(4, dtype=np.int32).reshape(2, 2)
    return PieceLayout(
        **arrays, word_pieces=pairs, word_chars=pairs + 1, word_opens=np.array([True, False])
    )


def document(name: str = "a", *, pieces: PieceLayout | None = None) -> Prepared:
    own = analysis("[A ferry sank,] [and nobody was hurt.]")
    return Prepared(
        article=Article(name, "cnn", own.document.text, ("Ferry sinks", "Naïve “test”")),
        analysis=own,
        edus=labels(2),
        sentences=labels(1),
        counts=Counts(tokens=9, reference_tokens=5, rst_edges=1, coref_edges=0),
        layout=pieces,
    )


def written(*documents: Prepared) -> bytes:
    file = io.BytesIO()
    with ShardWriter(file) as writer:
        for doc in documents:
            writer.add(doc)
    return file.getvalue()


def same(left: Prepared, right: Prepared) -> bool:
    arrays = [
        (left.edus.targets, right.edus.targets),
        (left.sentences.targets, right.sentences.targets),
    ]
    if left.layout is not None and right.layout is not None:
        names = [field.name for field in fields(PieceLayout)]
        arrays += [(getattr(left.layout, n), getattr(right.layout, n)) for n in names]
    elif left.layout is not right.layout:
        return False
    return (
        left.article == right.article
        and left.counts == right.counts
        and left.edus.oracle == right.edus.oracle
        and left.sentences.score == right.sentences.score
        and left.analysis.document.edus == right.analysis.document.edus
        and all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in arrays)
    )


def test_documents_come_back_as_they_went(tmp_path: Path) -> None:
    documents = [document("a", pieces=layout()), document("b"), document("c", pieces=layout())]
    path = tmp_path / "part.parquet"
    path.write_bytes(written(*documents))
    found = list(read_shard(path))
    assert len(found) == 3
    for before, after in zip(documents, found, strict=True):
        # The analysis takes its id from the article.
        assert after.analysis.document.id == before.article.id
        assert same(before, after)


def test_the_same_documents_give_the_same_bytes() -> None:
    documents = [document(str(n), pieces=layout()) for n in range(200)]
    assert written(*documents) == written(*documents)


def test_an_empty_shard_is_a_shard(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    path.write_bytes(written())
    assert list(read_shard(path)) == []


def test_arrays_may_be_changed_by_their_reader(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    path.write_bytes(written(document(pieces=layout())))
    (found,) = read_shard(path)
    assert found.layout is not None
    found.layout.ids[0] = 7  # torch warns about arrays it may not write to


def test_deep_trees_survive(tmp_path: Path) -> None:
    n_edus = 1500
    deep = analysis(" ".join(f"[w{n}]" for n in range(n_edus)), chain(n_edus))
    prepared = Prepared(
        Article("deep", "", deep.document.text, ("x",)),
        deep,
        labels(n_edus),
        labels(1),
        Counts(1, 1, 1, 1),
        None,
    )
    path = tmp_path / "part.parquet"
    path.write_bytes(written(prepared))
    (found,) = read_shard(path)
    assert len(found.analysis.document.edus) == n_edus


def test_groups_of_rows_stay_small_in_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet as pq

    monkeypatch.setattr(shards, "_CHARS_A_GROUP", 50)
    file = pq.ParquetFile(io.BytesIO(written(*(document(str(n)) for n in range(4)))))
    assert file.metadata.num_row_groups == 2


def test_columns_are_read_alone(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    path.write_bytes(written(document()))
    assert list(read_rows_of(path, ["id", "n_edus"])) == [{"id": "a", "n_edus": 2}]


def test_another_schema_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "part.parquet"
    path.write_bytes(written(document()))
    monkeypatch.setattr(shards, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    with pytest.raises(FormatError, match=f"schema version {SCHEMA_VERSION}, this discobert reads"):
        list(read_shard(path))


def test_what_is_no_shard_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    path.write_text("no")
    with pytest.raises(InputError, match="no readable shard"):
        list(read_shard(path))


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"discobert\[batch\]"):
        written(document())


def fail_after(*documents: Prepared) -> None:
    with ShardWriter(io.BytesIO()) as writer:
        for doc in documents:
            writer.add(doc)
        raise RuntimeError("stop")


def test_an_error_on_the_way_ends_the_writer() -> None:
    with pytest.raises(RuntimeError, match="stop"):
        fail_after(document())


def corpus(path: Path, data: bytes, *, sha256: str = "", schema: int = SCHEMA_VERSION) -> Path:
    import hashlib
    import json

    (path / "part-000000.parquet").write_bytes(data)
    shard = {
        "name": "part-000000.parquet",
        "documents": 2,
        "bytes": len(data),
        "sha256": sha256 or hashlib.sha256(data).hexdigest(),
    }
    (path / MANIFEST).write_text(json.dumps({"schema": schema, "shards": [shard]}))
    return path


def test_a_prepared_corpus_is_read_as_one(tmp_path: Path) -> None:
    found = open_prepared(corpus(tmp_path, written(document("a"), document("b"))))
    found.verify()
    assert found.documents == 2
    assert [doc.article.id for doc in found.read()] == ["a", "b"]
    assert [row["id"] for row in found.rows(["id"])] == ["a", "b"]


def test_damage_and_loss_show(tmp_path: Path) -> None:
    found = open_prepared(corpus(tmp_path, written(document()), sha256="0" * 64))
    with pytest.raises(InputError, match="damaged"):
        found.verify()
    (tmp_path / "part-000000.parquet").unlink()
    with pytest.raises(InputError, match="missing"):
        found.verify()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no prepared corpus there"):
        open_prepared(tmp_path)
    with pytest.raises(FormatError, match="schema version 99"):
        open_prepared(corpus(tmp_path, b"", schema=99))
