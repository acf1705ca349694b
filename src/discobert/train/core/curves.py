"""The course of a run: a CSV file, TensorBoard if it is there, and a drawing of the curve."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discobert.render.charts import LineChart, render_line_chart
from discobert.store.files import write_whole

COLUMNS = (
    "step",
    "documents",
    "seconds",
    "rate",
    "loss",
    "rank_loss",
    "rouge1",
    "rouge2",
    "rougeL",
)
_DRAWN = ("rouge1", "rouge2", "rougeL")


class Curve:
    """Rows of one run, kept in memory and on disk; a resumed run drops what came after."""

    def __init__(self, folder: Path, *, after_step: int = 0, tensorboard: bool = False) -> None:
        self.path = folder / "curve.csv"
        self.rows = [row for row in read_curve(self.path) if row["step"] <= after_step]
        self._writer = _tensorboard(folder) if tensorboard else None
        self._save()

    def add(self, row: Mapping[str, float]) -> None:
        """Append a row; columns that it lacks stay empty."""
        self.rows.append(dict(row))
        self._save()
        if self._writer is not None:
            for name, value in row.items():
                self._writer.add_scalar(name, value, int(row["step"]))
            self._writer.flush()

    def _save(self) -> None:
        lines = [",".join(COLUMNS)]
        lines += [",".join(_cell(row.get(name)) for name in COLUMNS) for row in self.rows]
        write_whole(self.path, ("\n".join(lines) + "\n").encode())

    def draw(self) -> None:
        """Write the learning curve beside the rows."""
        write_whole(self.path.with_suffix(".svg"), curve_svg(self.rows).encode())


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def read_curve(path: Path) -> list[dict[str, float]]:
    """Read the rows of a run; a file that is not there has none."""
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


def curve_svg(rows: Sequence[Mapping[str, float]], *, title: str = "Learning curve") -> str:
    """Draw ROUGE on the validation slice against the number of documents trained on."""
    series = {
        name: [(row["documents"], row[name]) for row in rows if name in row] for name in _DRAWN
    }
    return render_line_chart(LineChart(title, "documents", series))
