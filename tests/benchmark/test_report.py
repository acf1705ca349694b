"""Figures as tables, JSON and a chart."""

from dataclasses import replace

from discobert.benchmark.costs import Cost, StagedCost
from discobert.benchmark.processes import ProcessCost
from discobert.benchmark.report import chart, ratios, system_table, tables, to_json, to_markdown
from discobert.benchmark.run import OURS, BenchmarkReport, SystemCost
from discobert.data.summary import ModelId

COST = SystemCost(Cost(0.3, 0.4), ProcessCost(0.8, 1.2, 150_000_000), 200_000_000)
REPORT = BenchmarkReport(
    model=ModelId("tiny", "1"),
    machine="2 × cpu",
    runs=3,
    documents=4,
    words=600,
    pieces=800,
    cost=COST,
    stages={"encode": 0.2, "analyse": 0.1},
    growth={
        1000: StagedCost(Cost(0.5, 0.5), {"encode": 0.5, "analyse": 0.0}),
        16000: StagedCost(Cost(8.0, 8.0), {"encode": 7.9, "analyse": 0.1}),
    },
    memory={600: 150_000_000},
    imports=2.0,
)


def test_ratios_are_growth_and_imports() -> None:
    assert ratios(REPORT) == {
        "cost of 16,000 words / 1,000 words": 16.0,
        "imports / numpy and onnxruntime": 2.0,
    }
    assert list(ratios(replace(REPORT, imports=None))) == ["cost of 16,000 words / 1,000 words"]


def test_json_holds_every_figure() -> None:
    found = to_json(REPORT)
    assert found["systems"] == {
        OURS: {
            "cpu_ms": 300.0,
            "wall_ms": 400.0,
            "cold_cpu_s": 0.8,
            "cold_wall_s": 1.2,
            "peak_memory_mb": 150.0,
            "installed_mb": 200.0,
        }
    }
    assert found["stages_cpu_ms"] == {"encode": 200.0, "analyse": 100.0}
    assert found["pieces"] == 800
    assert found["peak_memory_mb"] == {"600": 150.0}
    assert to_json(replace(REPORT, pieces=None))["pieces"] is None


def test_tables_show_costs_shares_and_growth() -> None:
    shown = tables(REPORT)
    systems, stages, growth = list(shown.values())[:3]
    assert systems[1] == [(OURS, "300.0", "400.0", "0.80", "1.20", "150", "200")]
    assert stages[1][1] == ("analyse", "100.0", "33.3 %")
    assert growth[1] == [
        ("all", "500.0", "8000.0", "16.0 ×"),
        ("encode", "500.0", "7900.0", "15.8 ×"),
        ("analyse", "0.0", "100.0", "–"),
    ]
    assert len(tables(replace(REPORT, memory={}))) == len(shown) - 1


def test_what_could_not_be_measured_is_a_dash() -> None:
    assert system_table({"x": SystemCost(Cost(0.2, 0.2))})[1] == [("x", "200.0", "200.0", *"––––")]


def test_title_has_word_pieces_only_with_a_tokenizer() -> None:
    assert "600 words and 800 word pieces on average" in to_markdown(REPORT)
    assert "600 words on average" in to_markdown(replace(REPORT, pieces=None))


def test_markdown_ends_with_how_to_compare() -> None:
    written = to_markdown(REPORT)
    assert "| analyse | 100.0 | 33.3 % |" in written
    assert "python -m benchmarks.compare" in written.splitlines()[-1]


def test_chart_divides_our_bar_into_stages() -> None:
    bars = chart({OURS: COST, "other": COST}, REPORT.stages, words=600).bars
    assert [bar.parts for bar in bars] == [{"encode": 200.0, "analyse": 100.0}, {"other": 300.0}]
