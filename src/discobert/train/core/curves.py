"""The learning curve of a run: a CSV file, TensorBoard if installed, and a chart."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from discobert.store.files import write_whole

FIRST_COLUMNS = ("step", "documents", "seconds", "rate")
_WIDTH, _HEIGHT, _MARGIN = 720, 320, 48
_COLOURS = {"rouge1": "#1b6ca8", "rouge2": "#c8553d", "rougeL": "#3c7a4b", "loss": "#6b6b6b"}


class Curve:
    """Rows of one run in memory and on disk; resuming drops rows after ``after_step``."""

    def __init__(self, folder: Path, *, after_step: int = 0, tensorboard: bool = False) -> None:
        self.path = folder / "curve.csv"
        self.rows = [row for row in read_curve(self.path) if row["step"] <= after_step]
        self._writer = _tensorboard(folder) if tensorboard else None
        self._save()

    def add(self, row: Mapping[str, float]) -> None:
        """Append a row; columns that it lacks are empty."""
        self.rows.append(dict(row))
        self._save()
        if self._writer is not None:
            for name, value in row.items():
                self._writer.add_scalar(name, value, int(row["step"]))
            self._writer.flush()

    def _save(self) -> None:
        columns = list(
            dict.fromkeys((*FIRST_COLUMNS, *(name for row in self.rows for name in row)))
        )
        lines = [",".join(columns)]
        lines += [",".join(_cell(row.get(name)) for name in columns) for row in self.rows]
        write_whole(self.path, ("\n".join(lines) + "\n").encode())

    def draw(self) -> None:
        """Write the learning curve beside the rows."""
        write_whole(self.path.with_suffix(".svg"), curve_svg(self.rows).encode())


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def read_curve(path: Path) -> list[dict[str, float]]:
    """Read the rows of a run; a missing file has none."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {name: float(cell) for name, cell in row.items() if cell}
            for row in csv.DictReader(file)
        ]


def _tensorboard(folder: Path) -> Any:  # noqa: ANN401 - tensorboard ships no types
    from importlib.util import find_spec

    if find_spec("tensorboard") is None:
        return None
    from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(str(folder / "tensorboard"))


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a value lies in the drawing."""

    x: tuple[float, float]
    y: tuple[float, float]

    def point(self, x: float, y: float) -> str:
        """Place a value in pixels."""
        across = (x - self.x[0]) / ((self.x[1] - self.x[0]) or 1)
        up = (y - self.y[0]) / ((self.y[1] - self.y[0]) or 1)
        left = _MARGIN + across * (_WIDTH - 2 * _MARGIN)
        top = _HEIGHT - _MARGIN - up * (_HEIGHT - 2 * _MARGIN)
        return f"{left:.1f},{top:.1f}"


def curve_svg(rows: Sequence[Mapping[str, float]], *, title: str = "Learning curve") -> str:
    """Draw ROUGE on the validation slice against documents seen."""
    measured = [row for row in rows if "rouge2" in row]
    names = ("rouge1", "rouge2", "rougeL")
    values = [row[name] for row in measured for name in names if name in row] or [0.0, 1.0]
    seen = [row["documents"] for row in measured] or [0.0, 1.0]
    frame = _Frame((0.0, max(seen)), (min(values) - 0.5, max(values) + 0.5))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        *_axes(frame),
    ]
    for place, name in enumerate(names):
        points = [frame.point(row["documents"], row[name]) for row in measured if name in row]
        parts += _line(points, name, place)
    return "\n".join([*parts, "</svg>\n"])


def _axes(frame: _Frame) -> list[str]:
    corner, right = frame.point(frame.x[0], frame.y[0]), frame.point(frame.x[1], frame.y[0])
    top = frame.point(frame.x[0], frame.y[1])
    style = 'fill="none" stroke="#999"'
    text = 'font-family="sans-serif" font-size="12" fill="#333"'
    return [
        f'<polyline points="{top} {corner} {right}" {style}/>',
        f'<text x="{_MARGIN}" y="{_HEIGHT - 16}" {text}>0</text>',
        f'<text x="{_WIDTH - _MARGIN}" y="{_HEIGHT - 16}" text-anchor="end" {text}>'
        f"{frame.x[1]:,.0f} documents</text>",
        f'<text x="4" y="{_HEIGHT - _MARGIN}" {text}>{frame.y[0]:.1f}</text>',
        f'<text x="4" y="{_MARGIN}" {text}>{frame.y[1]:.1f}</text>',
    ]


def _line(points: Sequence[str], name: str, place: int) -> list[str]:
    colour = _COLOURS[name]
    x = _MARGIN + 90 * place
    return [
        f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{x}" y="24" font-family="sans-serif" font-size="13" fill="{colour}">'
        f"{name}</text>",
    ]
