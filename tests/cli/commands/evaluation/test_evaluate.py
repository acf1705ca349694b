"""The evaluate command: formats, slices, files of others, and errors."""

import contextlib
import io
import json
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from discobert.cli.app import run as run_command
from discobert.cli.commands.evaluation.evaluate import evaluate, evaluate_command
from discobert.cli.declare import parameters_of
from discobert.cli.parse import parse
from discobert.errors import FormatError, InputError, UsageError
from discobert.evaluate import runner
from discobert.evaluate.runner import ArticleResult, Bench
from discobert.evaluate.setup import SYSTEMS, Setup
from discobert.store.corpora.articles import Article
from discobert.store.corpora.json_lines import ArticleSample

ARTICLES = [
    {
        "id": f"doc-{n}",
        "source": "cnn" if n % 2 else "dailymail",
        "article": ["By", "Ann Example", f"A ferry with {n} cars sank.", "Nobody at all was hurt."],
        "highlights": [f"Ferry with {n} cars sank"],
    }
    for n in range(6)
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return lines(tmp_path / "data.jsonl", ARTICLES)


def lines(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> str:
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out), pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "200")
        evaluate_command(**parse(parameters_of(evaluate_command), list(map(str, arguments))))
    out.seek(0)
    return out.read()


def test_json_to_standard_output(data: Path) -> None:
    report = json.loads(run("--data", data, "--systems", "lead3, lexrank", "--format", "json"))
    assert report["documents"] == 6
    assert list(report["systems"]) == ["lead3", "lexrank"]
    assert set(report["systems"]["lead3"]["by_source"]) == {"cnn", "dailymail"}


def test_a_slice_of_the_corpus(data: Path) -> None:
    report = json.loads(run("--data", data, "--skip", "1", "--limit", "3", "--format", "json"))
    assert report["documents"] == 3


def test_a_sample_of_the_corpus(data: Path) -> None:
    report = json.loads(run("--data", data, "--sample", "2", "--seed", "3", "--format", "json"))
    assert report["documents"] == 2


def test_boilerplate_can_be_dropped(data: Path) -> None:
    kept = json.loads(run("--data", data, "--systems", "lead3", "--format", "json"))
    dropped = json.loads(
        run("--data", data, "--systems", "lead3", "--boilerplate", "drop", "--format", "json")
    )
    assert kept["systems"]["lead3"]["words"] == 9.0  # By | Ann Example | A ferry …
    assert dropped["systems"]["lead3"]["words"] == 11.0  # A ferry … | Nobody …


def test_table_and_markdown(data: Path) -> None:
    table = run("--data", data, "--systems", "lead3,oracle-sentence")
    assert "lead3" in table
    assert "By source" in table
    markdown = run("--data", data, "--format", "markdown")
    assert markdown.startswith("**ROUGE F1 × 100 on 6 documents, 95 % intervals**\n\n| system |")


def test_files_are_written(data: Path, tmp_path: Path) -> None:
    report, each = tmp_path / "report.json", tmp_path / "each.jsonl"
    printed = run("--data", data, "--format", "json", "-o", report, "--per-document", each)
    assert printed == ""
    assert json.loads(report.read_text())["documents"] == 6
    rows = [json.loads(line) for line in each.read_text().splitlines()]
    assert [row["id"] for row in rows] == [row["id"] for row in ARTICLES]


def test_summaries_of_another_system(data: Path, tmp_path: Path) -> None:
    rows = [{"id": row["id"], "summary": row["highlights"]} for row in ARTICLES]
    other = lines(tmp_path / "other.jsonl", rows)
    arguments = ("--data", data, "--systems", "lead3", "--outputs", f"copy={other}")
    report = json.loads(run(*arguments, "--format", "json"))
    assert report["systems"]["copy"]["rouge1"] == 100.0
    assert report["systems"]["copy"]["versus"]["lead3"]["rouge1"]["difference"] > 0


def test_summaries_that_are_missing_are_named(data: Path, tmp_path: Path) -> None:
    other = lines(tmp_path / "other.jsonl", [{"id": "doc-0", "summary": ["x"]}])
    with pytest.raises(FormatError, match="5 of 6 articles have no summary by other: doc-1, "):
        run("--data", data, "--systems", "lead3", "--outputs", f"other={other}")


@pytest.mark.parametrize("pair", ["name", "=file", "name="])
def test_outputs_need_a_name_and_a_file(data: Path, pair: str) -> None:
    with pytest.raises(UsageError, match="--outputs needs NAME=FILE"):
        run("--data", data, "--outputs", pair)


def test_the_help_names_every_system(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["evaluate", "--help"]) == 0
    shown = capsys.readouterr().out
    assert [name for name in SYSTEMS if name not in shown] == []


def test_an_empty_corpus_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no article to evaluate"):
        run("--data", lines(tmp_path / "empty.jsonl", []))


def test_oracles_take_options(data: Path) -> None:
    arguments = ("--data", data, "--systems", "oracle-edu", "--format", "json")
    report = json.loads(run(*arguments, "--oracle", "rouge1+rouge2", "--oracle-beam", "2"))
    assert report["systems"]["oracle-edu"]["violations"] == 0


def test_several_jobs_run_in_processes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def in_this_process(
        make_bench: Callable[[], Bench], articles: Iterable[Article], *, jobs: int
    ) -> Iterator[ArticleResult]:
        asked.append(jobs)
        return runner.run(pickle.loads(pickle.dumps(make_bench))(), articles)  # noqa: S301 - ours

    monkeypatch.setattr(runner, "run_in_processes", in_this_process)
    assert len(list(evaluate(ArticleSample(path=data), Setup(systems=("lead3",)), jobs=2))) == 6
    assert asked == [2]


def test_a_terminal_sees_progress(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    evaluate_command(data=data, systems="lead3", output=tmp_path / "report.txt")
    assert "lead3" in (tmp_path / "report.txt").read_text(encoding="utf-8")
