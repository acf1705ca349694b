"""Results name the command and the model that made them."""

import json
from pathlib import Path

import pytest

from discobert import __version__
from discobert.cli.app import run
from discobert.cli.run_record import command_line, record_arguments, run_record


@pytest.mark.parametrize(
    ("argument", "shown"),
    [
        ("/data/news/validation.jsonl.xz", "validation.jsonl.xz"),
        ("NeuSum=/data/out.jsonl", "NeuSum=out.jsonl"),
        ("--out=runs/a/", "--out=a"),
        ("lead3,discobert", "lead3,discobert"),
        ("two words", "'two words'"),
    ],
)
def test_folders_are_left_out(argument: str, shown: str) -> None:
    record_arguments(["evaluate", argument])
    assert command_line() == f"discobert evaluate {shown}"


def test_the_version_is_that_of_the_package() -> None:
    assert run_record(None)["discobert"] == __version__


def test_an_evaluation_names_command_and_model(tmp_path: Path) -> None:
    data, out = tmp_path / "data.jsonl", tmp_path / "scores.json"
    data.write_text(json.dumps({"id": "a", "article": ["A ferry sank."], "highlights": ["x"]}))
    arguments = ["evaluate", "--data", str(data), "--systems", "lead3", "--model", "rules"]
    assert run([*arguments, "--format", "json", "-o", str(out)]) == 0
    record = json.loads(out.read_text())["run"]
    assert record["command"].startswith("discobert evaluate --data data.jsonl --systems lead3")
    assert record["model"] == {"name": "rules", "version": __version__, "digest": None}
