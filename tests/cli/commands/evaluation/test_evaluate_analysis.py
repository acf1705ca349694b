"""``discobert evaluate-analysis``, as users call it."""

import json
import lzma
from pathlib import Path

import pytest
from tests.evaluate.gold import RECORD, RIGHT, Oracle

from discobert import Summarizer
from discobert.cli.app import run
from discobert.cli.commands.evaluation.evaluate_analysis import Split, guided, select_documents
from discobert.data.document import SourceText
from discobert.data.summary import Analysis
from discobert.errors import UsageError

COMMAND = ("evaluate-analysis", "--model", "rules", "--data")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    records = [
        RECORD,
        {**RECORD, "doc": "other", "license": "CC-BY-NC", "genre": "fiction"},
        {**RECORD, "doc": "third", "split": "test"},
    ]
    path = tmp_path / "gum.jsonl.xz"
    path.write_bytes(lzma.compress("".join(f"{json.dumps(r)}\n" for r in records).encode()))
    return path


def test_json_is_written(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMAND, str(corpus), "--split", "dev", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == 1
    assert found["documents"] == 2
    assert found["sentences"]["f1"] == 100
    assert found["in_licence"]["documents"] == 1
    assert found["coref"]["conll_f1"] == 0
    assert "no network" in found["model"]["name"]


def test_table_is_the_default(corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "report.txt"
    assert run([*COMMAND, str(corpus), "-o", str(output)]) == 0
    shown = output.read_text(encoding="utf-8")
    assert "Analysis of 2 documents" in shown
    assert "coreference CoNLL F1" in shown
    assert "fiction" in shown


def test_documents_are_selected(corpus: Path) -> None:
    def ids(split: Split, *, licensed_only: bool = False, limit: int | None = None) -> list[str]:
        chosen = select_documents(corpus, split, licensed_only=licensed_only, limit=limit)
        return [document.id for document in chosen]

    assert ids(Split.DEV) == ["made_up", "other"]
    assert ids(Split.DEV, licensed_only=True) == ["made_up"]
    assert ids(Split.DEV, limit=1) == ["made_up"]
    assert ids(Split.TEST) == ["third"]


def test_empty_selection_is_refused(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMAND, str(corpus), "--split", "train"]) == 3
    assert "no document of the split 'train' is left" in capsys.readouterr().err


def test_missing_corpus_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMAND, str(tmp_path / "none.jsonl"), "--split", "dev"]) == 3
    assert "none.jsonl" in capsys.readouterr().err


def test_any_analyser_that_takes_edus_can_be_scored() -> None:
    oracle = Oracle({"a": RIGHT}, {"a": RIGHT})
    assert guided(oracle) is oracle


def test_the_shipped_model_can_be_scored() -> None:
    analyser = Summarizer.load().pipeline.analyser
    assert guided(analyser) is analyser


def test_other_analysers_are_refused() -> None:
    class Unguided:
        def analyse(self, source: SourceText) -> Analysis:
            return RIGHT

    with pytest.raises(UsageError, match="Unguided cannot be given gold EDUs"):
        guided(Unguided())
