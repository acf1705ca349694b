"""The report is what the committed results give, and of the bundle that ships."""

import json
import re
import shutil
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from discobert.api import Summarizer
from discobert.batch.tasks.models import model_identity
from discobert.batch.tasks.statistics import PAPER
from discobert.cli.app import run
from discobert.errors import FormatError, InputError
from discobert.evaluate.reproduction.page import BLOCKS, write_report
from discobert.evaluate.reproduction.results import (
    MEASURED,
    ResultFile,
    Results,
    shipped_key,
)

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "results"
SHIPPED = shipped_key(model_identity(None))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copy the committed results."""
    copied: Path = shutil.copytree(RESULTS, tmp_path / "results")
    return copied


def change(path: Path, *keys: str | int, value: object) -> None:
    root = json.loads(path.read_text(encoding="utf-8"))
    place: Any = root
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    path.write_text(json.dumps(root), encoding="utf-8")


def test_the_page_is_what_the_command_writes(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "reproduction.md"
    assert run(["report", "--results", str(folder), "-o", str(out), "--quiet"]) == 0
    for name in ("reproduction.md", "reproduction-graphs.svg", "reproduction-curve.svg"):
        stored = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert (tmp_path / name).read_text(encoding="utf-8") == stored, "run discobert report"


@pytest.mark.parametrize("file", MEASURED, ids=lambda file: file.value)
def test_results_are_of_the_bundle_that_ships(file: ResultFile) -> None:
    model = Results(RESULTS).read(file).member("run").member("model").object()
    assert model == model_identity(None)


def test_examples_are_what_the_model_says_today() -> None:
    summarizer = Summarizer.load(threads=1)
    for stored in Results(RESULTS).several(ResultFile.SUMMARIES):
        path = ROOT / stored.member("id").text()
        summary = summarizer.summarize(path.read_text(encoding="utf-8"), style="paper")
        assert summary.text == stored.member("text").text()


def test_no_result_holds_a_path_of_a_machine() -> None:
    for path in RESULTS.iterdir():
        assert re.search(r"/(root|work|home|tmp|data)/|\.\./", path.read_text()) is None


def test_published_figures_have_sources_and_are_those_of_our_other_tables() -> None:
    rows = json.loads((RESULTS / "published.json").read_text(encoding="utf-8"))["rows"]
    assert all(row["source"] for row in rows)
    statistics = {row["system"]: row["figures"] for row in rows if row["table"] == "statistics"}
    for name, figures in PAPER.items():
        theirs = statistics[name.removesuffix(" (paper)")]
        assert {key: theirs[key] for key in figures} == figures


def test_published_figures_are_those_of_the_ablation() -> None:
    pytest.importorskip("torch")
    from discobert.train.ablation.rows import VARIANTS

    rows = json.loads((RESULTS / "published.json").read_text(encoding="utf-8"))["rows"]
    news = [tuple(row["figures"].values()) for row in rows if row["table"] == "cnndm"]
    assert [row.paper for row in VARIANTS] == news[-len(VARIANTS) :]


def test_the_template_asks_for_every_block_once() -> None:
    template = (resources.files("discobert.evaluate.reproduction") / "page.md").read_text("utf-8")
    assert sorted(re.findall(r"\{\{([\w-]+)\}\}", template)) == sorted(BLOCKS)


REQUIRED = [file for file in ResultFile if file is not ResultFile.ABLATION]


@pytest.mark.parametrize("file", REQUIRED, ids=lambda file: file.value)
def test_a_missing_file_is_named(
    file: ResultFile, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / file.value).unlink()
    out = tmp_path / "page.md"
    assert run(["report", "--results", str(folder), "-o", str(out)]) == 3
    message = capsys.readouterr().err
    assert f"{file.value}: the result file is missing; scripts/reproduce makes it" in message
    assert not out.exists()


@pytest.mark.parametrize("file", REQUIRED, ids=lambda file: file.value)
def test_a_damaged_file_is_named(file: ResultFile, folder: Path) -> None:
    path = folder / file.value
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FormatError, match=rf"{file.value} is not valid JSON"):
        write_report(Results(folder), SHIPPED)


def test_a_file_of_something_else_is_named(folder: Path) -> None:
    shutil.copy(folder / "published.json", folder / "grammar.json")
    with pytest.raises(FormatError, match=r"grammar.json lacks the member 'run'"):
        write_report(Results(folder), SHIPPED)


@pytest.mark.parametrize(
    ("file", "keys", "value"),
    [
        ("cnndm.json", ("run", "model", "digest"), "0" * 64),
        ("analysis.json", ("run", "model", "version"), "0.0.1"),
        ("graphs.json", (0, "model", "version"), "0.0.1"),
    ],
)
def test_results_of_another_model_are_refused(
    file: str, keys: tuple[str | int, ...], value: str, folder: Path
) -> None:
    change(folder / file, *keys, value=value)
    with pytest.raises(InputError, match=f"{file}.* is of .*, not of discobert-en"):
        write_report(Results(folder), SHIPPED)


def test_a_system_that_was_not_run_is_named(folder: Path) -> None:
    root = json.loads((folder / "cnndm.json").read_text())
    del root["systems"]["oracle-edu"]
    (folder / "cnndm.json").write_text(json.dumps(root))
    with pytest.raises(FormatError, match=r"cnndm.json.systems lacks the member 'oracle-edu'"):
        write_report(Results(folder), SHIPPED)


def test_a_published_row_without_a_source_is_refused(folder: Path) -> None:
    change(folder / "published.json", "rows", 3, "source", value="")
    with pytest.raises(FormatError, match=r"rows\[3\].source must be the source"):
        write_report(Results(folder), SHIPPED)


@pytest.mark.parametrize(("key", "message"), [("table", "no table"), ("system", "no row")])
def test_a_published_row_that_is_gone_is_named(key: str, message: str, folder: Path) -> None:
    rows = json.loads((folder / "published.json").read_text())["rows"]
    for row in rows:
        if row["table"] == "statistics":
            row[key] = "elsewhere"
    change(folder / "published.json", "rows", value=rows)
    with pytest.raises(FormatError, match=message):
        write_report(Results(folder), SHIPPED)


def test_an_ablation_is_shown_when_it_comes(folder: Path) -> None:
    row: dict[str, object] = {
        "name": "edu",
        "rouge": [[41.5, 41.0, 42.0], [18.0, 17.5, 18.5], [38.0, 37.5, 38.5]],
        "over_sentence": [{"gap": [0.4, -0.2, 0.6], "p": 0.001}] * 3,
        "over_edu": [],
        "over_lead": [],
        "by_seed": [],
        "paper": [43.38, 20.44, 40.21],
    }
    ablation = {
        "format": 1,
        "run": {"command": "discobert ablate --out RUN", "model": {"version": "0.8.0"}},
        "documents": 2000,
        "seeds": [1, 2, 3],
        "training_documents": 3000,
        "rows": [row, {**row, "name": "heads alone", "paper": None}],
    }
    (folder / "ablation.json").write_text(json.dumps(ablation))
    page = write_report(Results(folder), SHIPPED).page
    cells = "| edu | 41.50 / 18.00 / 38.00 | +0.40 (−0.20 to +0.60) | – | 43.38 / 20.44 / 40.21 |"
    assert cells in page
    assert "2,000 documents, 3,000 training documents, 3 seeds" in page
    assert "discobert ablate --out RUN" in page


def test_without_a_panel_of_this_version_the_page_says_so(folder: Path) -> None:
    panels = json.loads((folder / "panels.json").read_text())["panels"]
    rated = [panel for panel in panels if panel["model"] != SHIPPED.version]
    change(folder / "panels.json", "panels", value=rated)
    page = write_report(Results(folder), SHIPPED).page
    assert f"No panel has rated version {SHIPPED.version} yet." in page
