"""Horizontal bars as an SVG file that stands alone; a bar may be cut into parts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _ROW, _BAR = 760, 30, 20
_LEFT, _RIGHT, _TOP, _BOTTOM = 190, 70, 40, 12
_KEY_ROW, _KEY_COLUMNS = 18, 4
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
_STYLE = """
svg { color-scheme: light dark; } text { font: 12px system-ui, sans-serif; fill: #222; }
.title { font-size: 14px; font-weight: 600; } .label { text-anchor: end; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } }
""".strip()


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar; its length is the sum of its parts."""

    label: str
    parts: Mapping[str, float]

    @property
    def length(self) -> float:
        """Sum of the parts."""
        return sum(self.parts.values())


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars under one another, all in one unit."""

    title: str
    unit: str
    bars: Sequence[Bar]


def render_bars(chart: BarChart) -> str:
    """Draw a chart; parts of cut bars have colours of their own and a key below."""
    keys = [part for bar in chart.bars if len(bar.parts) > 1 for part in bar.parts]
    colours = {part: _COLOURS[number % len(_COLOURS)] for number, part in enumerate(keys)}
    key_top = _TOP + _ROW * len(chart.bars) + _BOTTOM
    height = key_top + _KEY_ROW * -(-len(keys) // _KEY_COLUMNS) + _BOTTOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(chart.title)}">',
        f"<style>\n{_STYLE}\n</style>",
        f'<text class="title" x="12" y="22">{escape(chart.title)}</text>',
        *_bars(chart, colours),
        *_keys(colours, key_top),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _bars(chart: BarChart, colours: Mapping[str, str]) -> Iterator[str]:
    longest = max((bar.length for bar in chart.bars), default=0.0) or 1.0
    scale = (_WIDTH - _LEFT - _RIGHT) / longest
    for number, bar in enumerate(chart.bars):
        y = _TOP + _ROW * number
        yield f'<text class="label" x="{_LEFT - 8}" y="{y + 15}">{escape(bar.label)}</text>'
        x = float(_LEFT)
        for part, value in bar.parts.items():
            hint = escape(f"{part}: {value:.1f} {chart.unit}")
            yield (
                f'<rect x="{x:.1f}" y="{y}" width="{scale * value:.1f}" height="{_BAR}" '
                f'fill="{colours.get(part, _COLOURS[7])}"><title>{hint}</title></rect>'
            )
            x += scale * value
        yield f'<text x="{x + 6:.1f}" y="{y + 15}">{bar.length:.1f} {escape(chart.unit)}</text>'


def _keys(colours: Mapping[str, str], top: int) -> Iterator[str]:
    width = (_WIDTH - 24) / _KEY_COLUMNS
    for number, (part, colour) in enumerate(colours.items()):
        x = 12 + width * (number % _KEY_COLUMNS)
        y = top + _KEY_ROW * (number // _KEY_COLUMNS)
        yield f'<rect x="{x:.0f}" y="{y}" width="10" height="10" fill="{colour}"/>'
        yield f'<text x="{x + 15:.0f}" y="{y + 10}">{escape(part)}</text>'
