"""A whole run, with child processes left out."""

import pytest

from discobert.benchmark import run
from discobert.benchmark.costs import ANALYSE, ENCODE, SCORE, SELECT
from discobert.benchmark.processes import ProcessCost
from discobert.benchmark.run import BenchmarkPlan, run_benchmark
from discobert.benchmark.texts import usual_texts
from discobert.errors import InputError

START = ProcessCost(0.5, 1.0, 100_000_000)
PLAN = BenchmarkPlan(model="rules", runs=2, growth=(50, 200), memory=(60,))


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Record the commands of processes instead of starting them."""
    started: list[list[str]] = []

    def process_cost(command: list[str], runs: int = 1) -> ProcessCost:
        started.append(command)
        return START

    monkeypatch.setattr(run, "process_cost", process_cost)
    monkeypatch.setattr(run, "import_ratio", lambda runs: 2.0)
    monkeypatch.setattr(run, "can_measure", lambda: True)
    return started


def test_run_measures_stages_lengths_and_processes(commands: list[list[str]]) -> None:
    report = run_benchmark(usual_texts(1), PLAN)
    assert report.cost.start == START
    assert (report.documents, report.words, report.runs) == (1, 180, 2)
    assert report.pieces is not None
    assert report.pieces > 180
    assert set(report.stages) == {ENCODE, ANALYSE, SCORE, SELECT}
    assert sum(report.stages.values()) == pytest.approx(report.cost.document.cpu)
    assert list(report.growth) == [50, 200]
    assert report.grown() == report.growth[200].total.cpu / report.growth[50].total.cpu > 0
    assert report.memory == {60: START.memory}
    assert [command[:3] for command in commands] == [["-m", "discobert", "summarize"]] * 2
    assert all(command[-2:] == ["--model", "rules"] for command in commands)


def test_figures_of_processes_are_left_out_where_they_cannot_be_measured(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "can_measure", lambda: False)
    report = run_benchmark(usual_texts(1), PLAN)
    assert report.memory == {}
    assert report.imports is None
    assert report.cost.start is None
    assert commands == []


def test_no_texts_are_refused() -> None:
    with pytest.raises(InputError, match="no texts"):
        run_benchmark([], BenchmarkPlan())


def test_pieces_are_not_counted_without_a_tokenizer(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "locate_bundle", lambda model: None)
    assert run.find_tokenizer(None) is None
    assert run_benchmark(usual_texts(1), PLAN).pieces is None
