"""Horizontal bars."""

from xml.etree import ElementTree

from discobert.render.bars import Bar, BarChart, render_bars


def test_bars_are_as_long_as_their_values_and_parts_have_a_key() -> None:
    bars = [Bar("a & b", {"x": 30.0, "y": 70.0}), Bar("limit", {"limit": 50.0})]
    drawn = render_bars(BarChart("Cost <now>", "ms", bars))
    root = ElementTree.fromstring(drawn)  # noqa: S314 - our own output
    space = "{http://www.w3.org/2000/svg}"
    widths = [float(bar.attrib["width"]) for bar in root.iter(f"{space}rect")]
    assert widths == [150.0, 350.0, 250.0, 10.0, 10.0]
    texts = [text.text for text in root.iter(f"{space}text")]
    assert texts == ["Cost <now>", "a & b", "100.0 ms", "limit", "50.0 ms", "x", "y"]


def test_a_chart_without_bars_is_a_chart() -> None:
    ElementTree.fromstring(render_bars(BarChart("Nothing", "ms", [])))  # noqa: S314
