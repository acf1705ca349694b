"""Bar charts and the pages around them."""

from xml.etree import ElementTree as ET

from discobert.render.charts import Chart, render_chart, render_page

CHART = Chart(
    "Where <units> stand",
    "place & time",
    [str(n) for n in range(20)],
    {"a": [5.0] * 20, "b": [10.0] * 20},
)


def test_every_value_has_a_bar_of_its_height() -> None:
    bars = ET.fromstring(render_chart(CHART)).findall("rect")  # noqa: S314 - our own
    heights = [float(bar.attrib["height"]) for bar in bars]
    assert len(bars) == 40
    assert abs(heights[0] * 2 - heights[20]) < 0.2
    assert bars[0].findtext("title") == "a, 0: 5.0 %"


def test_labels_are_thinned_out() -> None:
    texts = [text.text for text in ET.fromstring(render_chart(CHART)).findall("text")]  # noqa: S314
    assert "0" in texts
    assert "2" in texts
    assert "1" not in texts


def test_an_empty_chart_is_drawn() -> None:
    assert "<svg" in render_chart(Chart("t", "x", [], {}))
    assert 'height="0.0"' in render_chart(Chart("t", "x", ["1"], {"a": [0.0]}))


def test_a_page_escapes_what_it_is_given() -> None:
    page = render_page("<title>", ["<h>"], [["<c>"]], [CHART])
    for text in ("&lt;title&gt;", "&lt;h&gt;", "&lt;c&gt;", "Where &lt;units&gt; stand"):
        assert text in page
    assert "<c>" not in page
