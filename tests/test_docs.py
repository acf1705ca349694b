"""Generated pages are current, and examples run."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from discobert import Summarizer
from discobert.cli.app import COMMANDS

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "examples" / "tour.ipynb"


def test_the_python_reference_is_current() -> None:
    script = [sys.executable, str(ROOT / "scripts" / "api_reference.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), "run python scripts/api_reference.py"


def test_every_test_that_the_table_of_faults_names_exists() -> None:
    faults = _faults()
    files = set(re.findall(r"`((?:\w+/)*test_\w+\.py)", faults))
    assert len(files) > 15
    assert [name for name in sorted(files) if not (ROOT / "tests" / name).is_file()] == []
    sources = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    starts = re.findall(r"(?<=[`:])(test_[a-z0-9_]+)…", faults)
    assert len(starts) > 15
    assert [start for start in starts if f"def {start}" not in sources] == []


def test_every_test_that_the_page_of_everyday_use_names_exists() -> None:
    page = (ROOT / "docs" / "everyday.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:\w+/)*test_\w+\.py)(?:::(test_\w+))?`", page)
    assert len(named) > 50
    for file, name in named:
        source = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert not name or f"def {name}(" in source, name


def _faults() -> str:
    return (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")


def test_the_python_reference_names_every_public_name() -> None:
    import discobert

    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in discobert.__all__ if name != "__version__" and name not in page] == []


def test_code_of_the_notebook_runs_from_top_to_bottom(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)  # noqa: S102 - ours
    assert "The town of Port Ellery will reopen" in capsys.readouterr().out


@pytest.mark.slow
def test_the_notebook_runs_and_shows_what_it_showed() -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    stored = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    where = {"metadata": {"path": str(NOTEBOOK.parent)}}
    client.NotebookClient(fresh, timeout=300, resources=where).execute()
    assert [shown(cell) for cell in fresh.cells] == [shown(cell) for cell in stored.cells]


@pytest.mark.slow
def test_the_toy_corpus_teaches_a_model_what_matters_in_it(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("pyarrow")
    script = [sys.executable, str(ROOT / "examples" / "fine_tune.py"), str(tmp_path / "out")]
    done = subprocess.run(script, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    scores = [
        json.loads((tmp_path / "out" / f"{name}.json").read_text())["systems"]["discobert-paper"]
        for name in ("before", "after")
    ]
    assert scores[0]["rouge1"] < 50 < 70 < scores[1]["rouge1"]


def test_the_toy_corpus_is_the_same_every_time(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "examples" / "toy_corpus.py")]
    for name in ("one", "two"):
        subprocess.run([*script, str(tmp_path / name)], check=True)
    for part in ("train", "test"):
        one, two = (tmp_path / name / f"{part}.jsonl" for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert subprocess.run(script, capture_output=True).returncode == 1


def test_the_page_of_commands_holds_the_help_of_each() -> None:
    page = runpy.run_path(str(ROOT / "scripts" / "docs_pages.py"))["command_line_page"]()
    for command in COMMANDS:
        assert f"\n## {command.name}\n" in page
        assert f"Usage: discobert {command.name}" in page


def test_the_page_of_formats_names_every_member_that_is_written() -> None:
    page = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
    summarizer = Summarizer.load()
    analyses = [summarizer.analyze(ROOT / "examples" / f) for f in ("lecture.vtt", "study.md")]
    written = [analysis.to_dict() for analysis in analyses]
    written += [summarizer.summarize(each, style="paper").to_dict() for each in analyses]
    named = set(re.findall(r"[`\"]([a-z_0-9]+)[`\"]", page))
    assert sorted(members(written) - named) == []


def members(value: object) -> set[str]:
    """Return the names of all members of a JSON value."""
    if isinstance(value, list):
        return {name for each in value for name in members(each)}
    if isinstance(value, dict):
        return set(value) | {name for each in value.values() for name in members(each)}
    return set()


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    script = [str(ROOT / "scripts" / "docs"), str(tmp_path / "site")]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(script, capture_output=True, text=True, env={**os.environ, "PATH": path})
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert (tmp_path / "site" / "reference" / "cli.html").is_file()


def shown(cell: dict[str, list[dict[str, object]]]) -> str:
    """Return what a cell prints; streams may come in several pieces."""
    return "".join(str(output.get("text", "")) for output in cell.get("outputs", []))
