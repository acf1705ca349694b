"""A whole run, with child processes and other systems left out."""

import pytest
from tests.tiny import tiny_tokenizer

from discobert.benchmark import encoder_baseline, rivals, run
from discobert.benchmark.processes import ProcessCost
from discobert.benchmark.run import LIMIT, OURS, Plan, run_benchmark
from discobert.benchmark.texts import usual_texts
from discobert.errors import InputError

START = ProcessCost(0.5, 1.0, 100_000_000)


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.setattr(run, "process_cost", lambda command, runs=1: START)
    monkeypatch.setattr(run, "import_ratio", lambda runs: 2.0)
    monkeypatch.setattr(run, "can_measure", lambda: True)
    monkeypatch.setattr(run, "load_rivals", lambda: {"lead-3": rivals.lead()})
    monkeypatch.setattr(encoder_baseline, "minilm_weights", lambda: None)
    monkeypatch.setattr(encoder_baseline, "LAYERS", 2)
    return Plan(model="rules", runs=2, growth=(50, 200), memory=(60,))


def test_run_measures_every_system_stage_and_length(plan: Plan) -> None:
    report = run_benchmark(usual_texts(1), plan)
    assert list(report.systems) == [OURS, LIMIT, "lead-3"]
    assert report.systems[OURS].start == START
    assert report.systems[LIMIT].start is None
    assert (report.documents, report.words, report.runs) == (1, 180, 2)
    assert report.pieces > 180
    assert report.random_limit
    assert "parser" in report.stages
    assert list(report.growth) == [50, 200]
    assert report.grown() == report.growth[200].total.cpu / report.growth[50].total.cpu > 0
    assert report.memory == {60: START.memory}
    ours, bare = (report.systems[name].document.cpu for name in (OURS, LIMIT))
    assert report.ratio(LIMIT) == ours / bare > 0
    assert report.ratio("no such system") is None


def test_systems_without_process_figures_are_measured_all_the_same(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "can_measure", lambda: False)
    report = run_benchmark(usual_texts(1), plan)
    assert report.memory == {}
    assert report.imports is None
    assert report.systems[OURS].start is None


def test_no_texts_are_refused() -> None:
    with pytest.raises(InputError, match="no texts"):
        run_benchmark([], Plan())


def test_tokenizer_comes_from_minilm_when_no_model_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setattr(run, "locate_bundle", lambda model: None)
    monkeypatch.setattr(run, "minilm_folder", lambda: None)
    with pytest.raises(InputError, match="no tokenizer"):
        run.find_tokenizer(None)
    monkeypatch.setattr(run, "minilm_folder", lambda: tmp_path)
    tiny_tokenizer().save(f"{tmp_path}/tokenizer.json")
    assert run.find_tokenizer(None).token_to_id("[CLS]") is not None
