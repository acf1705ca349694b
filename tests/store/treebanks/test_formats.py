"""Trees survive every format."""

import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import chain, tree
from tests.strategies import trees

from discobert.data.rst import RstTree, leaves
from discobert.errors import InputError, UsageError
from discobert.store.treebanks import (
    FORMATS,
    TreeFile,
    coarse_tree,
    format_tree,
    parse_tree,
    read_tree,
    write_tree,
)

KINDS = list(FORMATS)
SMALL = TreeFile(
    ("As it rained,", "we", "stayed."), tree("SN", 0, tree("NN", 1, 2, "list"), "cause")
)
names = st.sampled_from(["cause", "list", "same-unit", "a_m", "é", 'q"&<'])


def survives(tree_file: TreeFile, kind: str) -> bool:
    data = format_tree(tree_file, kind).encode()
    return parse_tree(data, kind, name=f"a.{kind}") == tree_file


@pytest.mark.parametrize("kind", KINDS)
@given(drawn=st.integers(1, 9).flatmap(lambda n_edus: trees(n_edus, names)))
def test_every_tree_survives(kind: str, drawn: RstTree) -> None:
    edus = tuple(f"EDU {edu} (<&> _ !" for edu in leaves(drawn))
    assert survives(TreeFile(edus, drawn), kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nuclearity", ["NS", "SN", "NN"])
def test_deep_trees_survive(kind: str, nuclearity: str) -> None:
    n_edus = 1_500  # more than Python lets functions call themselves
    deep = chain(n_edus, nuclearity)
    assert survives(TreeFile(tuple(map(str, range(n_edus))), deep), kind)


@pytest.mark.parametrize("kind", KINDS)
def test_suffix_tells_the_format(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"tree.{kind.upper()}"
    write_tree(path, SMALL)
    assert read_tree(path) == SMALL


def test_half_a_surrogate_pair_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "tree.dis"
    write_tree(path, TreeFile(("a\ud800", "b"), tree("NS", 0, 1)))
    assert read_tree(path).edus == ("a?", "b")


def test_unknown_suffix_lists_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "tree.txt"
    path.write_text("x")
    with pytest.raises(UsageError, match="unknown format of trees 'txt'; use one of dis, rs3"):
        read_tree(path)


@pytest.mark.parametrize(
    ("name", "message"), [("missing.dis", "no such file"), ("", "a directory, not a file")]
)
def test_what_cannot_be_read_is_refused(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_tree(tmp_path / name)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(InputError, match="not UTF-8"):
        parse_tree(b"( Root \xff", "dis", name="a.dis")


@pytest.fixture(scope="module")
def gum() -> Path:
    folder = os.environ.get("DISCOBERT_SHARED_DATA")
    if not folder:
        pytest.skip("set DISCOBERT_SHARED_DATA to the folder of the shared corpora")
    return Path(folder) / "gum" / "gum-v11.1.0.tar.xz"


@pytest.fixture(scope="module")
def gum_files(gum: Path) -> dict[str, bytes]:
    """Return the RST files of GUM by folder and name, as in ``rstweb/GUM_news_x.rs4``."""
    found: dict[str, bytes] = {}
    with tarfile.open(gum) as archive:
        for member in archive:
            file = archive.extractfile(member) if "/rst/" in member.name else None
            if file is not None:
                found[member.name.partition("/rst/")[2]] = file.read()
    return found


@pytest.mark.slow
@pytest.mark.timeout(0)  # a busy machine may take its time
def test_all_trees_of_gum_survive_every_format(gum_files: dict[str, bytes]) -> None:
    """Every upstream format gives the same binary tree, which every format of ours keeps."""
    names = [Path(name).stem for name in gum_files if name.startswith("lisp_binary/")]
    assert len(names) == 237
    for name in names:
        gold = parse_tree(gum_files[f"lisp_binary/{name}.dis"], "dis", name=name)
        for folder, kind in (("lisp_nary", "dis"), ("rstweb", "rs4"), ("dependencies", "rsd")):
            upstream = parse_tree(gum_files[f"{folder}/{name}.{kind}"], kind, name=name)
            assert upstream.tree == gold.tree, (name, folder)
        for kind in ("dis", "rs3", "rsd"):
            assert survives(gold, kind), (name, kind)
            assert survives(TreeFile(gold.edus, coarse_tree(gold.tree)), kind), (name, kind)
