"""Charts: values become proportions, names become labels and keys, text is escaped."""

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from discobert.render.charts import (
    Bar,
    GroupedBars,
    LineChart,
    StackedBars,
    render_chart_page,
    render_grouped_bars,
    render_line_chart,
    render_stacked_bars,
)

SVG = "{http://www.w3.org/2000/svg}"
GROUPED = GroupedBars(
    "Where <units> stand",
    "place & time",
    "%",
    [str(n) for n in range(20)],
    {"a": [5.0] * 20, "b": [10.0] * 20},
)
STACKED = StackedBars(
    "Cost <now>", "ms", [Bar("a & b", {"x": 30.0, "y": 70.0}), Bar("limit", {"limit": 50.0})]
)
LINES = LineChart(
    "Curve <1>", "documents", {"r & 1": [(0, 40), (50, 41), (100, 44)], "r2": [(0, 17), (100, 18)]}
)


def parse(drawn: str) -> ET.Element:
    return ET.fromstring(drawn)  # noqa: S314 - our own output


def texts(root: ET.Element) -> list[str | None]:
    return [text.text for text in root.iter(f"{SVG}text")]


def rectangles(root: ET.Element, *sides: str) -> list[list[float]]:
    return [[float(bar.attrib[side]) for side in sides] for bar in root.iter(f"{SVG}rect")]


def sizes(root: ET.Element, side: str) -> list[float]:
    return [size for (size,) in rectangles(root, side)]


def points(line: ET.Element) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in line.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]


def test_heights_of_grouped_bars_are_proportional_to_values() -> None:
    heights = sizes(parse(render_grouped_bars(GROUPED)), "height")
    assert len(heights) == 40
    assert heights[20] == pytest.approx(2 * heights[0], rel=0.01)
    assert set(heights[:20]) == {heights[0]}


def test_bars_of_one_group_do_not_overlap_and_stay_in_their_group() -> None:
    bars = sorted(rectangles(parse(render_grouped_bars(GROUPED)), "x", "width"))
    assert all(x + width <= following + 0.2 for (x, width), (following, _) in pairwise(bars))


def test_of_many_labels_every_second_is_written() -> None:
    found = texts(parse(render_grouped_bars(GROUPED)))
    assert {"0", "2", "18"} <= set(found)
    assert "1" not in found
    assert {"place & time", "10 %", "a", "b"} <= set(found)


def test_a_bar_names_its_series_label_and_value() -> None:
    first = next(parse(render_grouped_bars(GROUPED)).iter(f"{SVG}rect"))
    assert first.findtext(f"{SVG}title") == "a, 0: 5.0 %"


def test_widths_of_stacked_bars_are_proportional_to_values() -> None:
    x, y, limit = sizes(parse(render_stacked_bars(STACKED)), "width")
    assert y == pytest.approx(x * 7 / 3, rel=0.01)
    assert limit == pytest.approx((x + y) / 2, rel=0.01)


def test_parts_of_a_bar_adjoin() -> None:
    first, second, _ = parse(render_stacked_bars(STACKED)).iter(f"{SVG}rect")
    end = float(first.attrib["x"]) + float(first.attrib["width"])
    assert float(second.attrib["x"]) == pytest.approx(end, abs=0.2)


def test_only_parts_of_divided_bars_are_in_the_key() -> None:
    root = parse(render_stacked_bars(STACKED))
    assert texts(root) == ["Cost <now>", "a & b", "100.0 ms", "limit", "50.0 ms", "x", "y"]
    fills = [bar.attrib["fill"] for bar in root.iter(f"{SVG}rect")]
    assert [dot.attrib["fill"] for dot in root.iter(f"{SVG}circle")] == fills[:2]
    assert len(set(fills)) == 3


def test_points_of_lines_are_proportional_to_values() -> None:
    first, second = parse(render_line_chart(LINES)).iter(f"{SVG}polyline")
    (x0, y0), (x1, y1), (x2, y2) = points(first)
    assert x1 - x0 == pytest.approx((x2 - x0) / 2, abs=0.2)
    assert y0 - y1 == pytest.approx((y0 - y2) / 4, abs=0.2)
    assert points(second)[0][1] > y0  # lower values are further down
    assert first.attrib["stroke"] != second.attrib["stroke"]


def test_ends_of_the_line_chart_are_labelled() -> None:
    found = texts(parse(render_line_chart(LINES)))
    assert {"0", "100", "16.5", "44.5", "documents", "r & 1", "r2"} <= set(found)


@pytest.mark.parametrize(
    "drawn",
    [
        render_grouped_bars(GroupedBars("Nothing", "x", "%", [], {})),
        render_grouped_bars(GroupedBars("Nothing", "x", "%", ["1"], {"a": [0.0]})),
        render_stacked_bars(StackedBars("Nothing", "ms", [])),
        render_stacked_bars(StackedBars("Nothing", "ms", [Bar("a", {"a": 0.0})])),
        render_line_chart(LineChart("Nothing", "x", {"a": []})),
        render_line_chart(LineChart("Nothing", "x", {"a": [(0, 1)]})),
    ],
)
def test_charts_without_values_have_a_title_and_no_length(drawn: str) -> None:
    root = parse(drawn)
    assert texts(root)[0] == "Nothing"
    assert all(0.0 in size for size in rectangles(root, "width", "height"))


@pytest.mark.parametrize(
    "drawn",
    [render_grouped_bars(GROUPED), render_stacked_bars(STACKED), render_line_chart(LINES)],
)
def test_everything_lies_inside_the_picture(drawn: str) -> None:
    root = parse(drawn)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    placed = (element.attrib for element in root.iter() if "x" in element.attrib)
    places = [(float(at["x"]), float(at["y"])) for at in placed]
    places += [place for line in root.iter(f"{SVG}polyline") for place in points(line)]
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places)


def test_a_page_escapes_what_it_is_given() -> None:
    page = render_chart_page("<title>", ["<h>"], [["<c>"]], [GROUPED])
    for text in ("&lt;title&gt;", "&lt;h&gt;", "&lt;c&gt;", "Where &lt;units&gt; stand"):
        assert text in page
    assert "<c>" not in page
    assert "<units>" not in page
