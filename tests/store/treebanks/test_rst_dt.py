"""Folders laid out like the RST Discourse Treebank."""

from pathlib import Path

import pytest
from tests.builders import tree

from discobert.data.rst import Leaf
from discobert.errors import FormatError, InputError
from discobert.store.treebanks import TreeFile, align, read_treebank

TREE = """( Root (span 1 2)
  ( Nucleus (leaf 1) (rel2par span) (text _!It rained, <P>_!) )
  ( Satellite (leaf 2) (rel2par result) (text _!so we sta_!) )
)"""


def test_text_edus_and_tree_are_read_together(tmp_path: Path) -> None:
    (tmp_path / "wsj_1.out.dis").write_text(TREE)
    (tmp_path / "wsj_1.out.edus").write_text("    It rained,\n    so we stayed.\n\n")
    (tmp_path / "wsj_1.out").write_text("It rained,\n\nso we stayed.\n")
    (tmp_path / "file2.dis").write_text("( Root (leaf 1) (text _!Yes ._!) )")
    alone, pair = read_treebank(tmp_path)
    assert pair.name == "wsj_1"
    assert pair.tree_file.edus == ("It rained,", "so we stayed.")
    assert pair.tree_file.tree == tree("NS", 0, 1, "result")
    assert pair.tree_file.paragraphs == (0, 1)
    assert len(align(pair.text, pair.tree_file.edus, name=pair.name)) == 2
    assert (alone.name, alone.text) == ("file2", "Yes .")
    assert alone.tree_file == TreeFile(("Yes .",), Leaf(0))


def test_number_of_edus_must_agree(tmp_path: Path) -> None:
    (tmp_path / "a.dis").write_text(TREE)
    (tmp_path / "a.edus").write_text("It rained, so we stayed.\n")
    with pytest.raises(FormatError, match=r"a\.edus: 1 EDUs, but 2 in the tree"):
        list(read_treebank(tmp_path))


def test_folder_without_trees_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.dis files in this folder"):
        read_treebank(tmp_path)
