"""The command that measures."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.benchmark.test_report import REPORT

from discobert.benchmark import run
from discobert.benchmark.run import BenchmarkPlan, BenchmarkReport
from discobert.benchmark.texts import NamedText
from discobert.cli.app import run as run_command

Seen = list[tuple[Sequence[NamedText], BenchmarkPlan]]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    calls: Seen = []

    def measure(texts: Sequence[NamedText], plan: BenchmarkPlan) -> BenchmarkReport:
        calls.append((texts, plan))
        plan.report_progress("things")
        return REPORT

    monkeypatch.setattr(run, "run_benchmark", measure)
    return calls


def test_table_goes_to_standard_output_and_the_chart_to_a_file(
    seen: Seen, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["benchmark", "--limit", "2", "--chart", f"{tmp_path}/bars.svg"]) == 0
    captured = capsys.readouterr()
    assert "analyse" in captured.out
    assert "python -m benchmarks.compare" in captured.out
    assert captured.err == "measuring things\n"
    assert (tmp_path / "bars.svg").read_text(encoding="utf-8").startswith("<svg")
    (texts, plan) = seen[0]
    assert [text.words for text in texts] == [180, 320]
    assert plan.growth == (1_000, 4_000, 16_000)
    assert plan.memory == (600, 100_000)


def test_real_texts_quickly_as_json(
    seen: Seen, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "texts.jsonl"
    data.write_text('{"id": "a", "article": ["It rains.", "So."]}\n{"text": "No."}\n')
    options = ["--data", str(data), "--quick", "--format", "json", "--quiet", "--threads", "1"]
    assert run_command(["benchmark", *options]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["documents"] == 4
    assert not captured.err
    (texts, plan) = seen[0]
    assert [(text.id, text.text) for text in texts] == [("a", "It rains.\nSo."), ("2", "No.")]
    assert plan.growth == (1_000, 4_000)
    assert plan.memory == (600,)


def test_markdown(seen: Seen, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["benchmark", "--format", "markdown", "-q"]) == 0
    assert "| --- |" in capsys.readouterr().out


def test_more_threads_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["benchmark", "--threads", "2"]) == 2
    assert "one thread, got --threads 2" in capsys.readouterr().err
