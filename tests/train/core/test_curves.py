"""Learning curves: CSV, chart and TensorBoard."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

pytest.importorskip("torch")

from discobert.train.core.curves import Curve, curve_svg, read_curve

ROWS = [
    {"step": 10.0, "documents": 100.0, "loss": 0.5},
    {"step": 20.0, "documents": 200.0, "loss": 0.4, "rouge1": 40, "rouge2": 17, "rougeL": 36},
    {"step": 30.0, "documents": 300.0, "loss": 0.3, "rouge1": 41, "rouge2": 18, "rougeL": 37},
]


def test_rows_come_back_and_a_resumed_run_drops_what_came_after(tmp_path: Path) -> None:
    curve = Curve(tmp_path)
    for row in ROWS:
        curve.add(row)
    assert read_curve(tmp_path / "curve.csv") == ROWS
    assert [row["step"] for row in Curve(tmp_path, after_step=20).rows] == [10, 20]
    assert len(read_curve(tmp_path / "curve.csv")) == 2


def test_a_fresh_run_starts_anew(tmp_path: Path) -> None:
    Curve(tmp_path).add(ROWS[0])
    assert Curve(tmp_path).rows == []


def test_the_drawing_has_a_line_for_each_measure_over_documents(tmp_path: Path) -> None:
    curve = Curve(tmp_path)
    for row in ROWS:
        curve.add(row)
    curve.draw()
    space = "{http://www.w3.org/2000/svg}"
    root = ET.fromstring((tmp_path / "curve.svg").read_text())  # noqa: S314 - our own drawing
    lines = {line.findtext(f"{space}title"): line for line in root.iter(f"{space}polyline")}
    assert set(lines) == {"rouge1", "rouge2", "rougeL"}
    assert [len(line.attrib["points"].split()) for line in lines.values()] == [2, 2, 2]
    assert "300" in [text.text for text in root.iter(f"{space}text")]


def test_losses_are_drawn_where_rouge_is_not_measured() -> None:
    rows = [{"step": 10.0, "documents": 20.0, "tree": 2.0}, ROWS[0] | {"tree": 1.0}]
    root = ET.fromstring(curve_svg(rows))  # noqa: S314 - our own drawing
    space = "{http://www.w3.org/2000/svg}"
    names = {line.findtext(f"{space}title") for line in root.iter(f"{space}polyline")}
    assert names == {"tree", "loss"}


def test_a_run_without_rows_is_drawn() -> None:
    assert ET.fromstring(curve_svg([])).tag.endswith("svg")  # noqa: S314 - our own drawing


def test_tensorboard_is_used_if_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    Curve(tmp_path, tensorboard=True).add(ROWS[1])
    assert any((tmp_path / "tensorboard").iterdir())
