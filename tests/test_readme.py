"""What the README promises is what happens."""

import os
import re
import shlex
from pathlib import Path

import pytest

from discobert.cli.app import run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_first_command_prints_what_the_readme_shows(capsys: pytest.CaptureFixture[str]) -> None:
    install, command = blocks("console")[0].strip().split(" && ")
    assert install == "pip install ."
    assert run(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == blocks("text")[0]


def test_python_examples_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)  # they write files
    names: dict[str, object] = {}
    for example in blocks("python"):
        exec(compile(example, "README.md", "exec"), names)  # noqa: S102 - it is our own text
    out = capsys.readouterr().out
    assert out.startswith(blocks("text")[0])
    assert "text='The bridge,'" in out
    assert "├─N" in out
    assert sorted(path.name for path in tmp_path.glob("bridge.*")) == ["bridge.html", "bridge.rs3"]


def test_the_first_screen_says_size_and_shows_the_page() -> None:
    first = README[: README.index("## Install")]
    weights = sum(path.stat().st_size for path in (ROOT / "src/discobert/models/en").iterdir())
    assert f"a model of {weights / 1e6:.0f} MB" in first
    assert "](docs/page.png)" in first


def test_test_command_names_scripts_that_can_run() -> None:
    *_, command = blocks("console")
    extras = "dev,train,batch,inputs,serve,mcp,langchain,llamaindex"
    assert command.startswith(f"pip install -c constraints.txt -e '.[{extras}]' && ")
    for script in re.findall(r"scripts/\w+", command):
        assert os.access(ROOT / script, os.X_OK)


@pytest.mark.parametrize("option", sorted(set(re.findall(r"--[a-z]+", blocks("console")[1]))))
def test_every_option_shown_exists(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("summarize", "evaluate"):
        assert run([command, "--help"]) == 0
    assert option in capsys.readouterr().out


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http|#)([^)]+)\)", README))
def test_links_to_files_lead_somewhere(link: str) -> None:
    assert (ROOT / link).is_file()
