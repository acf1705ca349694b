"""The comparison with other systems, with child processes left out."""

import json
from pathlib import Path

import pytest
from benchmarks import bare_encoder, compare, rivals
from benchmarks.compare import BARE, ComparisonReport, main, measure_in_turns, note, tables

from discobert import Summarizer
from discobert.benchmark import run
from discobert.benchmark.costs import Cost
from discobert.benchmark.processes import ProcessCost
from discobert.benchmark.run import OURS, SystemCost
from discobert.benchmark.texts import NamedText

REPORT = ComparisonReport(
    machine="2 × cpu",
    runs=3,
    documents=4,
    words=600,
    has_random_weights=True,
    systems={OURS: SystemCost(Cost(0.3, 0.4)), BARE: SystemCost(Cost(0.2, 0.2))},
    stages={"encode": 0.1, "analyse": 0.2},
)


def test_we_are_divided_by_every_other_system() -> None:
    assert REPORT.ratios() == {f"discobert / {BARE}": pytest.approx(1.5)}
    _, shown = tables(REPORT).values()
    assert shown[1] == [(f"discobert / {BARE}", "1.50")]
    assert "random weights" in note(REPORT)


def test_all_systems_run_on_a_text_before_the_next() -> None:
    calls: list[str] = []
    others = {
        "a": lambda text: calls.append(f"a {text}"),
        "b": lambda text: calls.append(f"b {text}"),
    }
    texts = [NamedText("1", "It rains."), NamedText("2", "It snows.")]
    staged, costs = measure_in_turns(Summarizer.load("rules"), others, texts, runs=2)
    turn = ["a It rains.", "b It rains.", "a It snows.", "b It snows."]
    assert calls == turn * 2
    assert [len(runs) for runs in staged] == [2, 2]
    assert {name: [len(runs) for runs in found] for name, found in costs.items()} == {
        "a": [2, 2],
        "b": [2, 2],
    }


def test_command_writes_figures_and_chart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = ProcessCost(0.5, 1.0, 100_000_000)
    for module in (run, compare):
        monkeypatch.setattr(module, "process_cost", lambda command, runs=1: start)
        monkeypatch.setattr(module, "can_measure", lambda: True)
    monkeypatch.setattr(compare, "load_rivals", lambda: {"lead-3": rivals.lead()})
    monkeypatch.setattr(bare_encoder, "minilm_weights", lambda: None)
    monkeypatch.setattr(bare_encoder, "LAYERS", 2)
    picture = tmp_path / "bars.svg"
    options = ["--limit", "1", "--runs", "1", "--model", "rules", "--chart", str(picture)]
    main([*options, "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found["systems"]) == [OURS, BARE, "lead-3"]
    assert found["systems"]["lead-3"]["cold_cpu_s"] == 0.5
    assert found["systems"][BARE]["cold_cpu_s"] is None
    assert set(found["ratios"]) == {f"discobert / {BARE}", "discobert / lead-3"}
    assert found["bare_weights"] == "random"
    drawn = picture.read_text(encoding="utf-8")
    assert all(name in drawn for name in (BARE, "lead-3", "select and write"))
