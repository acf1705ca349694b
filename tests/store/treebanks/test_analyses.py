"""Analyses that users bring."""

from pathlib import Path

import pytest
from tests.builders import analysis, tree

from discobert.data.codecs.analysis import encode_analysis
from discobert.data.codecs.json_text import dumps
from discobert.data.rst import nodes
from discobert.errors import FormatError, InputError, UsageError
from discobert.store.treebanks import from_analysis, write_tree
from discobert.store.treebanks.analyses import read_analysis

WANTED = analysis("[It rained,] [~and stopped.] | [Why?]", tree("NS", tree("NN", 0, 1), 2))


@pytest.fixture
def json_file(tmp_path: Path) -> Path:
    path = tmp_path / "a.json"
    path.write_text(dumps(encode_analysis(WANTED)), encoding="utf-8")
    return path


def test_our_json_is_read_back(json_file: Path) -> None:
    assert read_analysis(json_file) == WANTED
    assert read_analysis(json_file, text=WANTED.document.text) == WANTED


def test_json_of_another_text_is_refused(json_file: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.json: analyses another text"):
        read_analysis(json_file, text="It snowed.")


@pytest.mark.parametrize(("content", "message"), [("{}", "lacks the member"), ("{", "valid JSON")])
def test_broken_json_names_its_file(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "b.json").write_text(content)
    with pytest.raises(FormatError, match=rf"b\.json.*{message}"):
        read_analysis(tmp_path / "b.json")


@pytest.mark.parametrize("kind", ["rs3", "dis"])
def test_tree_file_gets_sentences_and_subjects_by_rule(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"a.{kind}"
    write_tree(path, from_analysis(WANTED))
    found = read_analysis(path)
    assert nodes(found.rst) == nodes(WANTED.rst)
    assert [edu.sentence for edu in found.document.edus] == [0, 0, 1]
    assert [edu.has_subject for edu in found.document.edus] == [True, False, True]


def test_tree_file_is_placed_on_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.rs3"
    write_tree(path, from_analysis(WANTED))
    assert read_analysis(path, text="It rained,\r\nand stopped.\r\nWhy?").document.edus[2].sentence


def test_missing_file_and_unknown_kind_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_analysis(tmp_path / "none.rs3")
    with pytest.raises(UsageError, match=r"unknown kind of analysis; use a file of \.json, \.dis"):
        read_analysis(tmp_path / "none.txt")
