"""Bar charts as SVG, and pages that hold them: no script, no font, nothing from elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 8, 12, 44
_TICKS = 4
_MOST_LABELS = 16


@dataclass(frozen=True, slots=True)
class Chart:
    """Groups of bars, one group a label, one bar a series, all in per cent."""

    title: str
    axis: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[float]]


def render_chart(chart: Chart) -> str:
    """Draw a chart as an SVG element."""
    top = max((max(values, default=0) for values in chart.series.values()), default=0) or 1.0
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(chart.title)}">',
        *_grid(top),
        *_bars(chart, top),
        *_labels(chart.labels),
        f'<text x="{_LEFT + _plot_width() / 2:g}" y="{_HEIGHT - 6}" '
        f'text-anchor="middle">{escape(chart.axis)}</text>',
        "</svg>",
    ]
    return "\n".join(parts)


def _plot_width() -> int:
    return _WIDTH - _LEFT - _RIGHT


def _plot_height() -> int:
    return _HEIGHT - _TOP - _BOTTOM


def _y(value: float, top: float) -> float:
    return _TOP + _plot_height() * (1 - value / top)


def _grid(top: float) -> list[str]:
    lines = []
    for tick in range(_TICKS + 1):
        value = top * tick / _TICKS
        y = _y(value, top)
        lines += [
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>',
            f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.0f} %</text>',
        ]
    return lines


def _bars(chart: Chart, top: float) -> list[str]:
    slot = _plot_width() / max(len(chart.labels), 1)
    width = 0.8 * slot / max(len(chart.series), 1)
    bars = []
    for number, (name, values) in enumerate(chart.series.items()):
        for index, (label, value) in enumerate(zip(chart.labels, values, strict=True)):
            x = _LEFT + slot * (index + 0.1) + width * number
            y = _y(value, top)
            height = _TOP + _plot_height() - y
            hint = escape(f"{name}, {label}: {value:.1f} %")
            bars.append(
                f'<rect class="s{number}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                f'height="{height:.1f}"><title>{hint}</title></rect>'
            )
    return bars


def _labels(labels: Sequence[str]) -> list[str]:
    slot = _plot_width() / max(len(labels), 1)
    step = -(-len(labels) // _MOST_LABELS)
    y = _HEIGHT - _BOTTOM + 16
    return [
        f'<text x="{_LEFT + slot * (index + 0.5):.1f}" y="{y}" '
        f'text-anchor="middle">{escape(label)}</text>'
        for index, label in enumerate(labels)
        if index % step == 0
    ]


_STYLE = """
:root { color-scheme: light dark; --ink: #222; --line: #ddd; --s0: #3b6fb6; --s1: #e08a2e; \
--s2: #7a7a7a; }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --line: #444; --s0: #7aa6e0; \
--s1: #f0aa5c; --s2: #aaa; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 760px; margin: 2rem auto; \
padding: 0 1rem; color: var(--ink); }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem; text-align: right; \
border-bottom: 1px solid var(--line); } th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: var(--ink); }
svg line { stroke: var(--line); } .s0 { fill: var(--s0); background: var(--s0); }
.s1 { fill: var(--s1); background: var(--s1); } .s2 { fill: var(--s2); background: var(--s2); }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; }
""".strip()


def render_page(
    title: str,
    heading: Sequence[str],
    rows: Sequence[Sequence[str]],
    charts: Sequence[Chart],
) -> str:
    """Write a page with a table and charts under it."""
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    drawn = "\n".join(_section(chart) for chart in charts)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n<table>\n<thead><tr>{cells}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table>\n{drawn}\n</body>\n</html>\n"
    )


def _section(chart: Chart) -> str:
    keys = "".join(
        f'<span class="key s{number}"></span>{escape(name)}'
        for number, name in enumerate(chart.series)
    )
    return f"<h2>{escape(chart.title)}</h2>\n<p>{keys}</p>\n{render_chart(chart)}"
