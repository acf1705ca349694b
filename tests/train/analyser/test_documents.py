"""Training from a folder laid out like the RST Discourse Treebank."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from discobert.data.rst import Node, Nuclearity
from discobert.errors import ConfigError
from discobert.train.analyser.documents import is_treebank, treebank_documents
from discobert.train.analyser.settings import AnalyserTraining
from discobert.train.analyser.train import train_analyser

DIS = """( Root (span 1 3)
  ( Nucleus (span 1 2) (rel2par span)
    ( Nucleus (leaf 1) (rel2par span) (text _!The cat sat on the mat_!) )
    ( Satellite (leaf 2) (rel2par elaboration-additional-e) (text _!because it was late ._!) )
  )
  ( Satellite (leaf 3) (rel2par evidence) (text _!The dog ran .<P>_!) )
)
"""
TEXT = "The cat sat on the mat because it was late .\nThe dog ran .\n"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    (tmp_path / "wsj_0001.out").write_text(TEXT)
    (tmp_path / "wsj_0001.out.dis").write_text(DIS)
    return tmp_path


def test_texts_and_trees_become_gold_documents(treebank: Path) -> None:
    (found,) = treebank_documents(treebank)
    assert found.text == TEXT
    assert [edu.of(TEXT) for edu in found.edus or ()] == [
        "The cat sat on the mat",
        "because it was late .",
        "The dog ran .",
    ]
    assert set(found.nodes or ()) == {
        Node(0, 1, 2, Nuclearity.LEFT, "elaboration"),
        Node(0, 2, 3, Nuclearity.LEFT, "explanation"),
    }


def test_a_folder_without_trees_is_no_treebank(tmp_path: Path) -> None:
    assert not is_treebank(tmp_path)


def test_the_parser_learns_the_treebanks_own_relations(
    treebank: Path, encoder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    out = tmp_path_factory.mktemp("run")
    training = AnalyserTraining(epochs=2.0, relations=("elaboration", "explanation"))
    train_analyser("parser", training, data=treebank, encoder=encoder, out=out)
    settings = json.loads((out / "config.json").read_text())
    assert settings["network"]["parser"]["relations"] == 2
    assert (out / "analyser.safetensors").is_file()


def test_a_treebank_is_learned_from_alone(treebank: Path, encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="leave out --taught"):
        train_analyser(
            "parser",
            AnalyserTraining(),
            data=treebank,
            encoder=encoder,
            out=tmp_path,
            teacher_labels=[tmp_path / "taught.jsonl"],
        )
