"""The learning curve of a run: a CSV file, TensorBoard if installed, and a chart."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discobert.render.charts import LineChart, render_line_chart
from discobert.store.files import write_whole

FIRST_COLUMNS = ("step", "documents", "seconds", "rate")
ROUGE = ("rouge1", "rouge2", "rougeL")


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
        columns = [*FIRST_COLUMNS, *_figures(self.rows)]
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


def _figures(rows: Sequence[Mapping[str, float]]) -> list[str]:
    """Return the columns of losses and validation figures, in the order they first appear."""
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if name not in FIRST_COLUMNS]


def curve_svg(rows: Sequence[Mapping[str, float]], *, title: str = "Learning curve") -> str:
    """Draw validation ROUGE, or else all losses, over the number of documents trained on."""
    figures = _figures(rows)
    series = {
        name: [(row["documents"], row[name]) for row in rows if name in row]
        for name in [name for name in figures if name in ROUGE] or figures
    }
    return render_line_chart(LineChart(title, "documents", series))
