"""What the README promises is what happens."""

import json
import lzma
import os
import re
import shlex
from pathlib import Path

import pytest
from tests.doc_blocks import Block, Reader
from tests.store.inputs.pdfs import pdf

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


@pytest.mark.slow
def test_every_command_shown_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pypdf")
    monkeypatch.chdir(tmp_path)
    article = (ROOT / "examples" / "harbour-bridge.txt").read_text(encoding="utf-8")
    (tmp_path / "article.txt").write_text(article, encoding="utf-8")
    (tmp_path / "talk.vtt").write_bytes((ROOT / "examples" / "lecture.vtt").read_bytes())
    (tmp_path / "report.pdf").write_bytes(pdf(["The dam broke. The flood damage was great."]))
    assert run(["analyze", "article.txt", "-o", "article.rs3"]) == 0
    records = [
        {"id": str(number), "article": article.split("\n\n"), "highlights": ["The bridge opens."]}
        for number in range(2)
    ]
    with lzma.open(tmp_path / "articles.jsonl.xz", "wt", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(record)}\n" for record in records)
    others = "\n".join(
        line for line in blocks("console")[1].splitlines() if not line.startswith("discobert serve")
    )  # docs/serving.md has it
    Reader(tmp_path, 0).follow([Block("console", "", others)])


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http|#)([^)]+)\)", README))
def test_links_to_files_lead_somewhere(link: str) -> None:
    assert (ROOT / link).is_file()
