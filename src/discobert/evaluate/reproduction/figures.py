"""The report's pictures: adjacency matrices as in the paper's Figure 4, and a learning curve."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import PurePosixPath

from discobert.data.codecs.fields import Field
from discobert.render.charts import LineChart, render_line_chart

_SIDE, _GAP, _TITLE, _LEFT = 200, 24, 34, 12
_STYLE = (
    ".m text { font: 12px system-ui, sans-serif; fill: #222; } .m .frame { fill: none; "
    "stroke: #999; } .m .edge { fill: #0d9488; }\n"
    "@media (prefers-color-scheme: dark) { .m text { fill: #ddd; } }"
)

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TextGraphs:
    """The graphs of one text: pairs of EDUs."""

    name: str
    n_edus: int
    rst: tuple[Pair, ...]
    coref: tuple[Pair, ...]


def read_graphs(analysis: Field) -> TextGraphs:
    """Take the graphs out of the JSON of an analysis."""
    graphs = analysis.member("graphs")
    return TextGraphs(
        PurePosixPath(analysis.member("id").text()).stem,
        len(analysis.member("edus").items(Field.object)),
        graphs.member("rst").items(Field.pair),
        graphs.member("coref").items(Field.pair),
    )


def graphs_svg(texts: Sequence[TextGraphs]) -> str:
    """Draw both matrices of each text below one another; a row is an EDU, a column its neighbour.

    As in the paper, coreference is symmetric with loops, and the RST graph has neither.
    """
    parts: list[str] = []
    for row, text in enumerate(texts):
        top = _TITLE + row * (_SIDE + _TITLE)
        loops = [(edu, edu) for edu in range(text.n_edus)]
        both = [pair for one, other in text.coref for pair in ((one, other), (other, one))]
        parts += _matrix(f"{text.name}: coreference", text.n_edus, [*both, *loops], (_LEFT, top))
        right = (_LEFT + _SIDE + _GAP, top)
        parts += _matrix(f"RST, {text.n_edus} EDUs", text.n_edus, text.rst, right)
    width, height = 2 * (_LEFT + _SIDE) + _GAP, len(texts) * (_SIDE + _TITLE) + _LEFT
    drawn = "\n".join(parts)
    return (
        f'<svg class="m" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="Adjacency matrices">\n<style>\n{_STYLE}\n</style>\n{drawn}\n'
        "</svg>\n"
    )


def _matrix(
    label: str, n_edus: int, pairs: Iterable[Pair], corner: tuple[int, int]
) -> Iterator[str]:
    x, y = corner
    cell = _SIDE / n_edus
    yield f'<text x="{x}" y="{y - 8}">{escape(label)}</text>'
    yield f'<rect class="frame" x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}"/>'
    squares = (
        f"M{x + column * cell:.1f} {y + row * cell:.1f}h{cell:.1f}v{cell:.1f}h-{cell:.1f}z"
        for row, column in sorted(set(pairs))
    )
    yield f'<path class="edge" d="{"".join(squares)}"/>'


def gains_svg(curve: Field) -> str:
    """Draw what a training run gains over lead-3 in each metric, step by step."""
    names = {"ROUGE-1": "rouge1", "ROUGE-2": "rouge2", "ROUGE-Lsum": "rougeL"}
    points = curve.member("points").items(lambda point: point)
    lead = curve.member("lead3")

    def gains(key: str) -> list[tuple[float, float]]:
        base = lead.member(key).number()
        return [(p.member("step").number(), p.member(key).number() - base) for p in points]

    series = {name: gains(key) for name, key in names.items()}
    return render_line_chart(LineChart("ROUGE above lead-3 on tuning articles", "steps", series))
