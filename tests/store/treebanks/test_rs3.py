"""The XML of RSTTool and rstWeb."""

import pytest
from tests.builders import tree

from discobert.data.rst import Leaf, RstTree
from discobert.errors import FormatError
from discobert.store.treebanks.rs3 import format_rs3, parse_rs3
from discobert.store.treebanks.tree_file import TreeFile

RELATIONS = """<header><relations>
<rel name="cause" type="rst"/><rel name="list" type="multinuc"/>
<rel name="both" type="rst"/><rel name="both" type="multinuc"/>
</relations></header>"""


def rs3(*elements: str) -> bytes:
    body = "\n".join(elements)
    return f"<rst>{RELATIONS}<body>\n{body}\n</body></rst>".encode()


def segment(number: int, parent: int | None = None, relation: str = "span") -> str:
    place = "" if parent is None else f' parent="{parent}" relname="{relation}"'
    return f'<segment id="{number}"{place}>word {number}</segment>'


def group(number: int, kind: str, parent: int | None = None, relation: str = "span") -> str:
    place = "" if parent is None else f' parent="{parent}" relname="{relation}"'
    return f'<group id="{number}" type="{kind}"{place}/>'


def read(*elements: str) -> RstTree:
    return parse_rs3(rs3(*elements), name="a.rs3").tree


def test_satellite_points_at_its_nucleus() -> None:
    right = read(segment(1, 9), segment(2, 1, "cause"), group(9, "span"))
    left = read(segment(1, 2, "cause"), segment(2, 9), group(9, "span"))
    assert right == tree("NS", 0, 1, "cause")
    assert left == tree("SN", 0, 1, "cause")


def test_nuclei_branch_to_the_right() -> None:
    shape = read(*(segment(n, 9, "list") for n in (1, 2, 3)), group(9, "multinuc"))
    assert shape == tree("NN", 0, tree("NN", 1, 2, "list"), "list")


def test_satellite_of_a_group_of_nuclei() -> None:
    shape = read(
        segment(1, 9, "list"),
        segment(2, 9, "list"),
        segment(3, 9, "cause"),
        group(9, "multinuc", 10),
        group(10, "span"),
    )
    assert shape == tree("NS", tree("NN", 0, 1, "list"), 2, "cause")


def test_several_satellites_join_the_nearest_first_and_the_right_ones_before_the_left() -> None:
    shape = read(
        segment(1, 3, "cause"),
        segment(2, 3, "cause"),
        segment(3, 9),
        segment(4, 3, "cause"),
        segment(5, 3, "cause"),
        group(9, "span"),
    )
    inner = tree("NS", tree("NS", 2, 3, "cause"), 4, "cause")
    assert shape == tree("SN", 0, tree("SN", 1, inner, "cause"), "cause")


def test_relation_declared_twice_makes_a_nucleus_in_a_group_of_nuclei() -> None:
    assert read(segment(1, 9, "both"), segment(2, 9, "both"), group(9, "multinuc")) == tree(
        "NN", 0, 1, "both"
    )
    assert read(segment(1, 9), segment(2, 1, "both"), group(9, "span")) == tree("NS", 0, 1, "both")


def test_undeclared_relation_that_recurs_makes_nuclei() -> None:
    shape = read(
        segment(1, 9, "odd"), segment(2, 9, "odd"), segment(3, 9, "once"), group(9, "multinuc")
    )
    assert shape == tree("NS", tree("NN", 0, 1, "odd"), 2, "once")


def test_texts_are_decoded_and_evened_out() -> None:
    data = (
        '<?xml version="1.0" encoding="windows-1252"?>\n<rst><body><segment id="1">\n Café &amp;\n'
        " <i>tea</i> </segment><note>no EDU</note></body></rst>"
    ).encode("cp1252")
    assert parse_rs3(data, name="a.rs3") == TreeFile(("Café & tea",), Leaf(0))


def test_stray_empty_groups_are_ignored() -> None:
    assert read(segment(1), group(7, "span")) == Leaf(0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<rst><body>", "a.rs3:1: broken XML: no element found"),
        (b"", "a.rs3:1: broken XML: no element found"),
        (b"<rst>\n\xff</rst>", "a.rs3:2: broken XML: not well-formed"),
        (b'<?xml version="1.0" encoding="nope"?><rst/>', "a.rs3:1: the encoding cannot be read"),
        (b"<rst>\n&nbsp;</rst>", "a.rs3:2: broken XML: undefined entity"),
        (b"<rst/>", "a.rs3: a tree has one root, this one has 0"),
        (rs3(segment(1), segment(2)), "one root, this one has 2: elements 1, 2 have no parent"),
        (rs3(segment(1, 5)), "a.rs3:5: 1 names the missing parent 5"),
        (rs3(segment(1), segment(1)), "a.rs3:6: the segment needs an id of its own, got '1'"),
        (rs3("<group/>"), "a.rs3:5: the group needs an id of its own, got ''"),
        (rs3('<segment id="1"> </segment>'), "a.rs3:5: segment 1 has no text"),
        (
            rs3(segment(1), group(2, "span", 3), group(3, "span", 2)),
            "a.rs3:6: 2 is its own ancestor",
        ),
        (
            rs3(segment(1, 9, "cause"), group(9, "span")),
            "a.rs3:6: span 9: a node needs at least one nucleus",
        ),
        (
            rs3(segment(1, 3, "cause"), segment(2, 9), segment(3, 2, "cause"), group(9, "span")),
            "EDU 3 does not follow EDU 1",
        ),
    ],
)
def test_broken_files_are_refused_with_their_line(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as error:
        parse_rs3(data, name="a.rs3")
    assert message in str(error.value)


BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE rst [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
<rst><body><segment id="1">&b;</segment></body></rst>"""


def test_document_types_and_their_entities_are_refused() -> None:
    with pytest.raises(FormatError, match=r"a\.rs3:2: a document type is declared"):
        parse_rs3(BOMB, name="a.rs3")


def test_layout_of_a_written_file() -> None:
    shape = tree("SN", 0, tree("NN", 1, tree("NN", 2, 3, "list"), "list"), 'a"b')
    assert format_rs3(TreeFile(("As", "a<b", "c\x01d", "e"), shape)).split("\n") == [
        "<rst>",
        "\t<header>",
        "\t\t<relations>",
        '\t\t\t<rel name=\'a"b\' type="rst"/>',
        '\t\t\t<rel name="list" type="multinuc"/>',
        "\t\t</relations>",
        "\t</header>",
        "\t<body>",
        '\t\t<segment id="1" parent="5" relname=\'a"b\'>As</segment>',
        '\t\t<segment id="2" parent="5" relname="list">a&lt;b</segment>',
        '\t\t<segment id="3" parent="5" relname="list">c\ufffdd</segment>',
        '\t\t<segment id="4" parent="5" relname="list">e</segment>',
        '\t\t<group id="5" type="multinuc" parent="6" relname="span"/>',
        '\t\t<group id="6" type="span"/>',
        "\t</body>",
        "</rst>",
        "",
    ]


@pytest.mark.parametrize(
    "shape",
    [
        tree("NS", tree("NN", 0, 1, "both"), 2, "both"),
        tree("SN", 0, tree("NN", 1, 2, "both"), "both"),
    ],
)
def test_satellite_is_not_taken_for_a_nucleus_of_the_same_relation(shape: RstTree) -> None:
    written = TreeFile(("a", "b", "c"), shape)
    assert parse_rs3(format_rs3(written).encode(), name="a.rs3") == written


def test_paragraphs_survive() -> None:
    shape = tree("NS", tree("NN", 0, 1, "list"), 2, "cause")
    written = TreeFile(("One,", "two.", "Three."), shape, (0, 2))
    assert parse_rs3(format_rs3(written).encode(), name="a").paragraphs == (0, 2)
    assert parse_rs3(format_rs3(written).encode(), name="a") == written
    assert '\n\t\t<!-- paragraph -->\n\t\t<segment id="3"' in format_rs3(written)


def test_a_segment_inside_a_segment_is_refused() -> None:
    """Its text would be lost, or taken for that of the other one."""
    nested = '<segment id="1" parent="9">One <segment id="2">two</segment> three</segment>'
    with pytest.raises(FormatError, match=r"^a\.rs3:5: a segment lies inside a segment"):
        read(nested, group(9, "span"))
