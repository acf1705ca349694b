"""The ablation: every row trained once, scored on the same documents, compared in pairs."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.tiny import tiny_examples
from tests.tiny_training import TINY, tiny_setup

from discobert.errors import UsageError
from discobert.train.ablation.report import report, to_json, to_markdown
from discobert.train.ablation.rows import FURTHER, VARIANTS, named_rows, small_budget
from discobert.train.ablation.train import Ablation, AblationPlan, lead_table
from discobert.train.summarizer.corpus import example_corpus, prepared_example
from discobert.train.summarizer.settings import SummarizerTraining
from discobert.train.summarizer.train import TrainingData

BASE = replace(TINY, epochs=1.0, validate_every=0)
DOCUMENTS = tuple(prepared_example(example) for example in tiny_examples())
DATA = TrainingData(example_corpus(tiny_examples()), ())


def plan_of(rows: str, *, base: SummarizerTraining = BASE) -> AblationPlan:
    return AblationPlan(base, named_rows(rows), (1, 2), DOCUMENTS)


def test_lines_are_trained_once_and_reported_with_intervals(tmp_path: Path) -> None:
    plan = plan_of("sentence,edu+both,CLS per EDU")
    runs: list[str] = []
    made = [
        Ablation(plan, tiny_setup, DATA, tmp_path, tmp_path / "cache", on_run=runs.append).run()
        for _ in range(2)
    ]
    names = [result.row.name for result in made[0]]
    assert names == ["lead-3", "sentence", "edu+both", "CLS per EDU", "edu+both, closures off"]
    assert all(np.array_equal(a.table, b.table) for a, b in zip(*made, strict=True))
    assert len(runs) == 12
    lines = report(made[0])
    assert [len(line.versus_sentence) for line in lines] == [3, 0, 3, 3, 3]
    assert not any(line.versus_edu for line in lines)
    assert len(lines[2].by_seed) == 2
    table = to_markdown(lines, plan)
    assert "43.77 / 20.85 / 40.67" in table
    content = json.loads(to_json(lines, plan, {"command": "discobert ablate"}))
    assert content["rows"][2]["name"] == "edu+both"
    assert content["seeds"] == [1, 2]
    assert content["run"] == {"command": "discobert ablate"}


def test_a_run_that_is_done_is_not_done_again(tmp_path: Path) -> None:
    plan = plan_of("edu")
    ablation = Ablation(plan, tiny_setup, DATA, tmp_path, tmp_path / "cache")
    ablation.run()
    weights = tmp_path / "edu" / "seed-1" / "summarizer.safetensors"
    weights.unlink()
    ablation.run()
    assert not weights.exists()


def test_graphs_are_compared_with_edus_alone(tmp_path: Path) -> None:
    plan = plan_of("edu,edu+both")
    lines = report(Ablation(plan, tiny_setup, DATA, tmp_path, tmp_path / "cache").run())
    assert [len(line.versus_edu) for line in lines] == [3, 0, 3, 3]
    gap = lines[2].versus_edu[0].difference.mean
    assert gap == pytest.approx(lines[2].scores[0].mean - lines[1].scores[0].mean)
    assert f"{gap:+.2f}" in to_markdown(lines, plan)


def test_runs_with_other_settings_are_not_taken_for_these(tmp_path: Path) -> None:
    Ablation(plan_of("edu"), tiny_setup, DATA, tmp_path, tmp_path / "cache").run()
    other = plan_of("edu", base=replace(BASE, rate=0.1))
    with pytest.raises(UsageError, match="other settings"):
        Ablation(other, tiny_setup, DATA, tmp_path, tmp_path / "cache").run()
    fewer = replace(plan_of("edu"), test=DOCUMENTS[:2])
    with pytest.raises(UsageError, match="scores 4 documents, not 2"):
        Ablation(fewer, tiny_setup, DATA, tmp_path, tmp_path / "cache").run()


def test_lead_scores_the_first_three_sentences() -> None:
    table = lead_table(DOCUMENTS)
    assert table.shape == (4, 3)
    assert float(table.min()) > 0


def test_every_line_has_settings_that_exist() -> None:
    for row in VARIANTS + FURTHER:
        replace(small_budget(), **row.changes)  # type: ignore[arg-type]
    assert named_rows("all") == VARIANTS + FURTHER
    assert named_rows("variants") == VARIANTS


def test_an_unknown_line_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'edu\\+rst'"):
        named_rows("edu+rsd")


def test_an_empty_plan_is_refused() -> None:
    with pytest.raises(UsageError, match="needs rows"):
        AblationPlan(BASE, (), (1,), DOCUMENTS)
