"""Pictures of the report."""

import re
from typing import TYPE_CHECKING

from discobert.data.codecs.fields import Field
from discobert.evaluate.reproduction.figures import TextGraphs, gains_svg, graphs_svg, read_graphs

if TYPE_CHECKING:
    from discobert.data.codecs.json_text import Json


def squares(svg: str) -> list[int]:
    """Count the squares of each matrix."""
    return [path.count("M") for path in re.findall(r'<path class="edge" d="([^"]*)"', svg)]


def test_coreference_is_symmetric_with_loops_and_rst_is_neither() -> None:
    text = TextGraphs("<a>", 4, rst=((1, 0), (2, 0), (3, 2)), coref=((0, 3),))
    svg = graphs_svg([text, text])
    assert squares(svg) == [6, 3, 6, 3]
    assert "&lt;a&gt;: coreference" in svg
    assert "RST, 4 EDUs" in svg
    assert 'd="M236.0 84.0h50.0v50.0h-50.0z' in svg  # the first edge: row 1, column 0


def test_graphs_come_from_the_json_of_an_analysis() -> None:
    analysis: Json = {
        "id": "texts/a.txt",
        "edus": [{}, {}],
        "graphs": {"rst": [[1, 0]], "coref": []},
    }
    assert read_graphs(Field(analysis, "x")) == TextGraphs("a", 2, ((1, 0),), ())


def test_a_curve_shows_gains_over_the_lead() -> None:
    scores = {"rouge1": 41.0, "rouge2": 18.0, "rougeL": 37.0}
    points: list[Json] = [
        {"step": step, **{m: s + step / 100 for m, s in scores.items()}} for step in (0, 100)
    ]
    svg = gains_svg(Field({"lead3": {**scores}, "points": points}, "curve"))
    paths = re.findall(r'points="([^"]*)"', svg)
    assert len(paths) == 3
    assert len(set(paths)) == 1
    assert ">100<" in svg
