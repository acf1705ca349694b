"""Figures as tables, JSON and bars."""

from dataclasses import replace

from discobert.benchmark.clock import Cost
from discobert.benchmark.processes import ProcessCost
from discobert.benchmark.report import chart, notes, ratios, tables, to_json, to_markdown
from discobert.benchmark.run import CENTROIDS, LIMIT, OURS, BenchmarkReport, SystemCost
from discobert.benchmark.stages import StagedCost
from discobert.data.summary import ModelId

REPORT = BenchmarkReport(
    model=ModelId("tiny", "1"),
    machine="2 × cpu",
    runs=3,
    documents=4,
    words=600,
    pieces=800,
    random_limit=True,
    systems={
        OURS: SystemCost(Cost(0.3, 0.4), ProcessCost(0.8, 1.2, 150_000_000), 200_000_000),
        LIMIT: SystemCost(Cost(0.2, 0.2)),
        CENTROIDS: SystemCost(Cost(0.6, 0.6)),
    },
    stages={"trunk": 0.2, "parser": 0.1},
    growth={
        1000: StagedCost(Cost(0.5, 0.5), {"trunk": 0.5, "parser": 0.0}),
        16000: StagedCost(Cost(8.0, 8.0), {"trunk": 7.9, "parser": 0.1}),
    },
    memory={600: 150_000_000},
    imports=2.0,
)


def test_ratios_hold_on_any_machine() -> None:
    assert {name: round(ratio, 3) for name, ratio in ratios(REPORT).items()} == {
        "pipeline / bare encoder pass": 1.5,
        "pipeline / MiniLM centroids (torch)": 0.5,
        "cost of 16,000 words / 1,000 words": 16.0,
        "imports / numpy and onnxruntime": 2.0,
    }


def test_json_holds_every_figure() -> None:
    found = to_json(REPORT)
    assert found["systems"][OURS] == {  # type: ignore[index, call-overload]
        "cpu_ms": 300.0,
        "wall_ms": 400.0,
        "cold_cpu_s": 0.8,
        "cold_wall_s": 1.2,
        "peak_memory_mb": 150.0,
        "installed_mb": 200.0,
    }
    assert found["stages_cpu_ms"] == {"trunk": 200.0, "parser": 100.0}
    assert found["limit_weights"] == "random"
    assert found["peak_memory_mb"] == {"600": 150.0}


def test_tables_show_what_is_missing_as_missing() -> None:
    shown = tables(REPORT)
    systems, stages, growth = list(shown.values())[:3]
    assert systems[1][0] == (OURS, "300.0", "400.0", "1.50", "0.80", "1.20", "150", "200")
    assert systems[1][1] == (LIMIT, "200.0", "200.0", "1.00", *"––––")
    assert stages[1][1] == ("parser", "100.0", "33.3 %", "0.500")
    assert growth[1] == [
        ("all", "500.0", "8000.0", "16.0 ×"),
        ("trunk", "500.0", "7900.0", "15.8 ×"),
        ("parser", "0.0", "100.0", "–"),
    ]
    assert len(tables(replace(REPORT, memory={}))) == len(shown) - 1


def test_markdown_ends_with_what_must_be_known() -> None:
    written = to_markdown(REPORT)
    assert "| parser | 100.0 | 33.3 % | 0.500 |" in written
    assert "random weights" in written
    assert "its own weights" in notes(replace(REPORT, random_limit=False))[0]


def test_chart_cuts_our_bar_into_stages() -> None:
    ours, limit, _ = chart(REPORT).bars
    assert ours.parts == {"trunk": 200.0, "parser": 100.0}
    assert limit.parts == {LIMIT: 200.0}
