"""Charts as standalone SVG: grouped bars, stacked bars and lines; and an HTML page around them.

No script, no external font or style; colours follow the light or dark scheme of the reader.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH = 720
_TITLE_HEIGHT = 36
_PLOT_HEIGHT = 220
_LEFT, _RIGHT = 52, 12
_AXIS_HEIGHT = 40
_ROW_HEIGHT, _BAR_HEIGHT = 30, 20
_LABEL_WIDTH, _VALUE_WIDTH = 190, 80
_KEY_HEIGHT, _KEY_COLUMNS = 20, 4
_N_TICKS = 4
_MAX_LABELS = 16
_COLOURS = (
    "#3b6fb6",
    "#e08a2e",
    "#4c9a61",
    "#b5484f",
    "#8264a8",
    "#8c6d4f",
    "#cf77a8",
    "#6f7b86",
    "#b0a432",
    "#3fa3b5",
)
_PLAIN_COLOUR = _COLOURS[7]
_STYLE = """
.chart { color-scheme: light dark; width: 100%; height: auto; }
.chart text { font: 12px system-ui, sans-serif; fill: #222; }
.chart .title { font-size: 14px; font-weight: 600; }
.chart .grid { stroke: #ddd; } .chart .curve { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) { .chart text { fill: #ddd; } .chart .grid { stroke: #444; } }
""".strip()


@dataclass(frozen=True, slots=True)
class GroupedBars:
    """Vertical bars: a group for each label, in it a bar for each series, values in ``unit``."""

    title: str
    axis: str
    unit: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Bar:
    """A horizontal bar; its length is the sum of its parts, drawn one after the other."""

    label: str
    parts: Mapping[str, float]

    @property
    def length(self) -> float:
        """Sum of the parts."""
        return sum(self.parts.values())


@dataclass(frozen=True, slots=True)
class StackedBars:
    """Horizontal bars below one another, values in ``unit``."""

    title: str
    unit: str
    bars: Sequence[Bar]


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines through (x, y) points, one for each series; x starts at 0, y near the lowest value."""

    title: str
    axis: str
    series: Mapping[str, Sequence[tuple[float, float]]]


def render_grouped_bars(chart: GroupedBars) -> str:
    """Draw vertical bars; of many labels, only every second, third … is written."""
    names = list(chart.series)
    colours = _colours(names)
    highest = max((value for values in chart.series.values() for value in values), default=0) or 1.0
    slot = _plot_width() / max(len(chart.labels), 1)
    width = 0.8 * slot / max(len(names), 1)
    plot = _Plot((0.0, 1.0), (0.0, highest))
    bars = [
        _rectangle(
            (_LEFT + slot * (index + 0.1) + width * names.index(name), plot.y(value)),
            (width, plot.bottom - plot.y(value)),
            colours[name],
            f"{name}, {label}: {value:.1f} {chart.unit}",
        )
        for name, values in chart.series.items()
        for index, (label, value) in enumerate(zip(chart.labels, values, strict=True))
    ]
    step = -(-len(chart.labels) // _MAX_LABELS) or 1
    labels = [
        _text(_LEFT + slot * (index + 0.5), plot.bottom + 16, chart.labels[index], "middle")
        for index in range(0, len(chart.labels), step)
    ]
    grid = _grid(plot, [f"{value:.0f} {chart.unit}" for value in plot.ticks()])
    return _plot_svg(plot, chart.title, chart.axis, colours, [*grid, *bars, *labels])


def render_stacked_bars(chart: StackedBars) -> str:
    """Draw horizontal bars; the parts of divided bars have colours of their own and a key."""
    names = [name for bar in chart.bars if len(bar.parts) > 1 for name in bar.parts]
    colours = _colours(names)
    longest = max((bar.length for bar in chart.bars), default=0.0) or 1.0
    scale = (_WIDTH - _LABEL_WIDTH - _VALUE_WIDTH) / longest
    lines: list[str] = []
    for row, bar in enumerate(chart.bars):
        y = _TITLE_HEIGHT + _ROW_HEIGHT * row
        x = float(_LABEL_WIDTH)
        lines.append(_text(x - 8, y + 15, bar.label, "end"))
        for name, value in bar.parts.items():
            colour = colours.get(name, _PLAIN_COLOUR)
            hint = f"{name}: {value:.1f} {chart.unit}"
            lines.append(_rectangle((x, y), (scale * value, _BAR_HEIGHT), colour, hint))
            x += scale * value
        lines.append(_text(x + 6, y + 15, f"{bar.length:.1f} {chart.unit}"))
    return _svg(chart.title, _TITLE_HEIGHT + _ROW_HEIGHT * len(chart.bars), lines, colours)


def render_line_chart(chart: LineChart) -> str:
    """Draw lines with a grid behind them; a chart without points is an empty grid."""
    points = [point for series in chart.series.values() for point in series]
    values = [y for _, y in points] or [0.0, 1.0]
    last = max((x for x, _ in points), default=1.0)
    plot = _Plot((0.0, last), (min(values) - 0.5, max(values) + 0.5))
    colours = _colours(chart.series)
    curves = [
        f'<polyline class="curve" stroke="{colours[name]}" points="{plot.path(series)}">'
        f"<title>{escape(name)}</title></polyline>"
        for name, series in chart.series.items()
    ]
    ends = [
        _text(_LEFT, plot.bottom + 16, "0"),
        _text(_WIDTH - _RIGHT, plot.bottom + 16, f"{last:,.0f}", "end"),
    ]
    grid = _grid(plot, [f"{value:.1f}" for value in plot.ticks()])
    return _plot_svg(plot, chart.title, chart.axis, colours, [*grid, *curves, *ends])


@dataclass(frozen=True, slots=True)
class _Plot:
    """The area inside the axes and the ranges of values it shows."""

    x_range: tuple[float, float]
    y_range: tuple[float, float]

    @property
    def bottom(self) -> float:
        return _TITLE_HEIGHT + _PLOT_HEIGHT

    def x(self, value: float) -> float:
        low, high = self.x_range
        return _LEFT + _plot_width() * (value - low) / ((high - low) or 1)

    def y(self, value: float) -> float:
        low, high = self.y_range
        return self.bottom - _PLOT_HEIGHT * (value - low) / ((high - low) or 1)

    def ticks(self) -> list[float]:
        low, high = self.y_range
        return [low + (high - low) * tick / _N_TICKS for tick in range(_N_TICKS + 1)]

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)


def _plot_width() -> int:
    return _WIDTH - _LEFT - _RIGHT


def _colours(names: Iterable[str]) -> dict[str, str]:
    distinct = dict.fromkeys(names)
    return {name: _COLOURS[index % len(_COLOURS)] for index, name in enumerate(distinct)}


def _grid(plot: _Plot, labels: Sequence[str]) -> Iterator[str]:
    for value, label in zip(plot.ticks(), labels, strict=True):
        y = plot.y(value)
        ends = f'x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"'
        yield f'<line class="grid" {ends}/>'
        yield _text(_LEFT - 6, y + 4, label, "end")


def _rectangle(
    corner: tuple[float, float], size: tuple[float, float], colour: str, hint: str
) -> str:
    (x, y), (width, height) = corner, size
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'fill="{colour}"><title>{escape(hint)}</title></rect>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _key(colours: Mapping[str, str], top: float) -> Iterator[str]:
    """Name the colours, some in a row."""
    width = (_WIDTH - 24) / _KEY_COLUMNS
    for number, (name, colour) in enumerate(colours.items()):
        row, column = divmod(number, _KEY_COLUMNS)
        x, y = 12 + width * column, top + _KEY_HEIGHT * row
        yield f'<circle cx="{x + 5:.1f}" cy="{y + 9:.1f}" r="5" fill="{colour}"/>'
        yield _text(x + 15, y + 13, name)


def _plot_svg(
    plot: _Plot, title: str, axis: str, colours: Mapping[str, str], lines: Iterable[str]
) -> str:
    name = _text(_LEFT + _plot_width() / 2, plot.bottom + 33, axis, "middle")
    return _svg(title, plot.bottom + _AXIS_HEIGHT, [*lines, name], colours)


def _svg(title: str, bottom: float, lines: Iterable[str], colours: Mapping[str, str]) -> str:
    """Put the title above and the key of colours below what is drawn down to ``bottom``."""
    height = bottom + _KEY_HEIGHT * -(-len(colours) // _KEY_COLUMNS) + 8
    parts = [
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:g}" '
        f'role="img" aria-label="{escape(title)}">',
        f"<style>\n{_STYLE}\n</style>",
        f'<text class="title" x="12" y="22">{escape(title)}</text>',
        *lines,
        *_key(colours, bottom),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


_PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #222; --line: #ddd; }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --line: #444; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 760px; margin: 2rem auto; \
padding: 0 1rem; color: var(--ink); }
table { border-collapse: collapse; margin-bottom: 1.5rem; } th, td { padding: .2rem .8rem; \
text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
""".strip()


def render_chart_page(
    title: str,
    heading: Sequence[str],
    rows: Sequence[Sequence[str]],
    charts: Sequence[GroupedBars],
) -> str:
    """Write an HTML page with a table and charts below it."""
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    drawn = "\n".join(map(render_grouped_bars, charts))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_PAGE_STYLE}\n</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n<table>\n<thead><tr>{cells}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>\n{drawn}\n</body>\n</html>\n"
    )
