"""Training corpora: prepared folders, finished or not, and examples in memory."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from tests.tiny import tiny_examples

from discobert.errors import FormatError, InputError
from discobert.store.prepared.manifest import MANIFEST
from discobert.store.prepared.shards import SCHEMA_VERSION, ShardWriter
from discobert.train.summarizer.corpus import example_corpus, open_training_corpus, prepared_example


def write_shards(folder: Path, *, manifest: bool, schema: int = SCHEMA_VERSION) -> Path:
    folder.mkdir()
    shards = []
    for number, some in enumerate((tiny_examples()[:3], tiny_examples()[3:])):
        name = f"part-{number:06d}.parquet"
        with (folder / name).open("wb") as file, ShardWriter(file) as writer:
            for example in some:
                writer.add(prepared_example(example))
        shards.append({"name": name, "documents": len(some), "bytes": 1, "sha256": "0" * 64})
    if manifest:
        content = {"schema": schema, "shards": shards}
        (folder / MANIFEST).write_text(json.dumps(content))
    return folder


@pytest.mark.parametrize("manifest", [True, False])
def test_shards_are_read_in_order(tmp_path: Path, *, manifest: bool) -> None:
    corpus = open_training_corpus(write_shards(tmp_path / "data", manifest=manifest))
    assert corpus.n_documents == 4
    assert [doc.article.id for doc in corpus.first(2)] == ["flood", "match"]
    assert [doc.article.id for doc in corpus.last(2)] == ["trial", "storm"]
    assert len({part.name for part in corpus.parts}) == 2


def test_shards_give_back_what_was_prepared(tmp_path: Path) -> None:
    (read, *_) = open_training_corpus(write_shards(tmp_path / "data", manifest=True)).first(1)
    prepared = prepared_example(tiny_examples()[0])
    assert read.analysis == prepared.analysis
    assert read.edus.oracle == prepared.edus.oracle
    assert read.article.reference == prepared.article.reference


def test_another_schema_version_is_refused(tmp_path: Path) -> None:
    folder = write_shards(tmp_path / "data", manifest=True, schema=SCHEMA_VERSION + 1)
    with pytest.raises(FormatError, match="schema version"):
        open_training_corpus(folder)


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no prepared documents"):
        open_training_corpus(tmp_path)


def test_examples_in_memory_are_named_by_their_content() -> None:
    names = [
        example_corpus(some).parts[0].name
        for some in (tiny_examples(), tiny_examples(), tiny_examples()[:2])
    ]
    assert names[0] == names[1] != names[2]
