"""Bracketed trees of the RST Discourse Treebank."""

import pytest
from tests.builders import tree

from discobert.data.rst import Leaf
from discobert.errors import FormatError, InvalidTree
from discobert.store.treebanks.dis import format_dis, parse_dis
from discobert.store.treebanks.tree_file import TreeFile

TREEBANK = """( Root (span 1 4)
  ( Nucleus (span 1 3) (rel2par span)
    ( Nucleus (leaf 1) (rel2par List) (text _!It rained_!) )
    ( Nucleus (leaf 2) (rel2par List) (text _!and (as ever)
      it was cold,_!) )
    ( Nucleus (leaf 3) (rel2par List) (text _!so "we" stayed. <P>_!) )
  ) //TT_ERR
  ( Satellite (leaf 4) (rel2par elaboration-additional-e) (text _!We read._!) )
)
"""


def dis(*children: str, span: str = "(span 1 2)") -> str:
    return f"( Root {span}\n" + "\n".join(children) + "\n)"


def leaf(number: int, role: str = "Nucleus", relation: str = "span") -> str:
    return f"( {role} (leaf {number}) (rel2par {relation}) (text _!word_!) )"


def test_treebank_style_is_read() -> None:
    found = parse_dis(TREEBANK, name="a.dis")
    assert found.edus == (
        "It rained",
        "and (as ever) it was cold,",
        'so "we" stayed.',
        "We read.",
    )
    several = tree("NN", 0, tree("NN", 1, 2, "List"), "List")
    assert found.tree == tree("NS", several, 3, "elaboration-additional-e")
    assert found.paragraphs == (0, 3)
    assert found.text == 'It rained and (as ever) it was cold, so "we" stayed.\n\nWe read.'


def test_binary_layout_is_written() -> None:
    shape = tree("SN", 0, tree("NN", 1, 2, "list"), "cause")
    assert format_dis(TreeFile(("As it", "rained_!", "we"), shape)) == (
        "( Root (span 1 3)\n"
        "  ( Satellite (leaf 1) (rel2par cause) (text _!As it_!) )\n"
        "  ( Nucleus (span 2 3) (rel2par span)\n"
        "    ( Nucleus (leaf 2) (rel2par list) (text _!rained_ !_!) )\n"
        "    ( Nucleus (leaf 3) (rel2par list) (text _!we_!) )\n"
        "  )\n"
        ")\n"
    )


def test_a_single_edu_is_a_tree() -> None:
    alone = TreeFile(("Yes.",), Leaf(0))
    assert format_dis(alone) == "( Root (leaf 1) (text _!Yes._!) )\n"
    assert parse_dis(format_dis(alone), name="a.dis") == alone


def test_last_paragraph_end_opens_no_paragraph() -> None:
    assert parse_dis("(Root (leaf 1) (text _!Yes. <P>_!))", name="a.dis").paragraphs == (0,)


def test_node_with_one_child_is_that_child() -> None:
    assert parse_dis(dis(leaf(1), span="(span 1 1)"), name="a.dis").tree == Leaf(0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.dis: holds no tree"),
        (dis(leaf(1), leaf(3)), "a.dis:3: EDU 2 is missing; found leaf 3"),
        (dis(leaf(2), leaf(3)), "a.dis:2: EDU 1 is missing; found leaf 2"),
        (
            dis(leaf(1), "( Nucleus (rel2par span) )"),
            "a.dis:3: EDU 2 is missing; found leaf no",
        ),
        (dis(leaf(1), "( Nucleus (leaf 2) )"), "a.dis:3: EDU 2 has no text"),
        (dis(leaf(1), "( Nucleus (leaf 2) (text _! <P> _!) )"), "a.dis:3: EDU 2 has no text"),
        (
            dis(leaf(1), leaf(2), span="(span 1 3)"),
            "(span 1 3) holds EDUs 1 to 2; an EDU is",
        ),
        (dis(leaf(1), leaf(2))[:-2], "a.dis:1: a bracket is opened here and never closed (1 are"),
        (
            dis(leaf(1), leaf(2)) + "\n)",
            "a.dis:5: a bracket is closed or filled that was not opened",
        ),
        ("(leaf 1)", "a.dis:1: a bracket is closed or filled that was not opened"),
        (dis(leaf(1), leaf(2)) + "\n" + dis(leaf(3)), "a.dis:5: a second tree begins"),
        ("\n" + leaf(1), "a.dis:2: a tree starts with Root and holds no other; found nucleus"),
        (
            dis("( Root (leaf 1) )"),
            "a.dis:2: a tree starts with Root and holds no other; found ro",
        ),
        (
            dis(leaf(1, "Satellite"), leaf(2, "Satellite")),
            "a.dis:1: a node needs at least one",
        ),
        (
            dis(leaf(1), "( Nucleus (leaf 2) (text _!never ends) )"),
            "a.dis:3: cannot read '(text _!",
        ),
        ("Some text.\n\nMore.", "a.dis:1: cannot read 'Some text. More.'"),
    ],
)
def test_broken_files_are_refused_with_their_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        parse_dis(text, name="a.dis")
    assert message in str(error.value)


@pytest.mark.parametrize("relation", ["", "a b", "a(b", "a)b", "span", "Span", "a\tb"])
def test_names_that_no_file_can_hold_are_refused(relation: str) -> None:
    with pytest.raises(InvalidTree, match="cannot be written to a tree file"):
        format_dis(TreeFile(("a", "b"), tree("NS", 0, 1, relation)))


def test_paragraphs_survive() -> None:
    written = TreeFile(("One,", "two.", "Three."), tree("NS", tree("NN", 0, 1), 2), (0, 2))
    assert parse_dis(format_dis(written), name="a") == written
    assert "_!two.<P>_!" in format_dis(written)
