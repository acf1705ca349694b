"""Generated pages are current, and examples run."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

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


def shown(cell: dict[str, list[dict[str, object]]]) -> str:
    """Return what a cell prints; streams may come in several pieces."""
    return "".join(str(output.get("text", "")) for output in cell.get("outputs", []))
