"""Articles to labelled documents."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.builders import analysis, tree
from tests.tiny import tiny_tokenizer

from discobert.analyser.neural import NeuralAnalyser
from discobert.api import Summarizer
from discobert.batch.engine.work_folder import FailedDocument
from discobert.batch.tasks.labels import count_tokens
from discobert.batch.tasks.prepare import PrepareTask, ShardPreparer, prepared_document
from discobert.cli.app import run
from discobert.cli.exit_codes import USAGE
from discobert.data.codecs.analysis import encode_analysis
from discobert.data.codecs.json_text import dumps
from discobert.data.summary import Analysis
from discobert.metrics.oracle import Objective, OracleConfig
from discobert.scorer.baselines import PositionScorer
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Analysed, Entry, Rejected
from discobert.store.prepared.shards import read_shard, schema


def own() -> Analysis:
    return analysis(
        "[The ferry sank] [because the storm came.] | [Nobody was hurt.] | [She was old.]",
        tree("NS", tree("NS", tree("NS", 0, 1), 2), 3),
        ("The ferry", "She"),
    )


def article(*reference: str) -> Article:
    return Article("doc", "cnn", own().document.text, reference)


def test_labels_name_the_units_nearest_to_the_reference() -> None:
    found = prepared_document(article("The storm came."), own())
    assert found.edus.oracle == (0, 1)  # EDU 1 needs EDU 0
    assert found.sentences.oracle == (0,)
    assert found.edus.targets[1] == found.edus.targets.max() == 1
    assert found.edus.words == 7
    assert found.edus.targets.dtype == np.float32


def test_graphs_and_tokens_are_counted() -> None:
    counts = prepared_document(article("The storm came."), own()).counts
    assert (counts.rst_edges, counts.coref_edges) == (3, 1)
    assert (counts.tokens, counts.reference_tokens) == (16, 4)


def test_tokens_are_words_and_marks() -> None:
    assert count_tokens("Don't stop, Zoë!") == 7
    assert count_tokens(" \n") == 0


def test_the_objective_of_the_oracle_is_a_choice() -> None:
    config = OracleConfig(objective=Objective.ROUGE12)
    wanted = article("The ferry sank")
    plain, both = prepared_document(wanted, own()), prepared_document(wanted, own(), config=config)
    assert both.edus.score > plain.edus.score


def preparer(**options: object) -> ShardPreparer:
    return ShardPreparer(Summarizer.load("rules"), tiny_tokenizer(), **options)  # type: ignore[arg-type]


def test_a_shard_holds_what_could_be_prepared(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    entries: list[Entry] = [
        article("Ferry sank."),
        Rejected("bad", "malformed-json", "no"),
        Article("mute", "", "?!", ("x",)),
        Analysed(article("Ferry sank."), own()),
    ]
    file = io.BytesIO()
    failures = preparer().write(iter(entries), file)
    assert [failure.id for failure in failures] == ["bad", "mute"]
    (tmp_path / "x.parquet").write_bytes(file.getvalue())
    ruled, brought = read_shard(tmp_path / "x.parquet")
    assert ruled.layout is not None
    assert ruled.layout.n_words > 10
    assert len(brought.analysis.document.edus) == 4
    assert brought.counts.coref_edges == 1


def test_own_analyses_are_found_by_id(tmp_path: Path) -> None:
    (tmp_path / "doc.json").write_text(dumps(encode_analysis(own())))
    worker = preparer(analyses=tmp_path)
    assert worker.prepare(article("x")).analysis == own()
    failures = worker.write(iter([Article("other", "", "It rains.", ("x",))]), io.BytesIO())
    assert failures == [
        FailedDocument(
            "other", "unusable", f"no analysis other (.json .rs3 .rs4 .dis .rsd) in {tmp_path.name}"
        )
    ]


def test_without_a_bundle_there_are_no_pieces() -> None:
    worker = PrepareTask(model="rules").load()
    assert isinstance(worker, ShardPreparer)
    assert worker.tokenizer is None
    assert worker.prepare(article("x")).layout is None


def test_what_the_results_depend_on_is_described(tmp_path: Path) -> None:
    plain = PrepareTask(model="rules").describe()
    other = PrepareTask(model="rules", oracle=OracleConfig(beam=4)).describe()
    brought = PrepareTask(model="rules", analyses=tmp_path).describe()
    (tmp_path / "a.rs3").write_text("<rst/>")
    more = PrepareTask(model="rules", analyses=tmp_path).describe()
    assert len({dumps(plain), dumps(other), dumps(brought), dumps(more)}) == 4


def test_a_worker_loads_no_more_than_it_needs() -> None:
    worker = PrepareTask().load()
    assert isinstance(worker, ShardPreparer)
    analyser = worker.summarizer.pipeline.analyser
    assert isinstance(analyser, NeuralAnalyser)  # nothing that keeps encodings
    assert isinstance(worker.summarizer.pipeline.scorer, PositionScorer)
    assert worker.tokenizer is analyser.tokenizer


def test_rules_have_no_tokenizer() -> None:
    worker = PrepareTask(model="rules").load()
    assert isinstance(worker, ShardPreparer)
    assert worker.tokenizer is None


def test_a_missing_library_is_told_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"id": "a", "text": "It rained. Nobody came.", "summary": "It rained."}\n')
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    schema.cache_clear()
    assert run(["prepare", str(source), str(tmp_path / "out"), "--corpus", "jsonl"]) == USAGE
    assert "pip install '.[batch]'" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
