"""Which stages are seen, whatever model is loaded."""

import pytest

from discobert import Summarizer
from discobert.benchmark.clock import NOTHING
from discobert.benchmark.stages import (
    REST,
    StagedCost,
    least_staged_cost,
    places,
    staged_cost,
)
from discobert.benchmark.texts import generated
from discobert.pipeline import Pipeline
from discobert.runtime.encoder import UpperLayers
from discobert.runtime.onnx_model import OnnxModel
from discobert.scorer.network import NeuralScorer, SharedPieces

TEXT = generated(60).text


@pytest.fixture(scope="module")
def shipped() -> Summarizer:
    return Summarizer.load()


def test_rules_have_four_stages_and_a_rest() -> None:
    cost = staged_cost(Summarizer.load("rules"), TEXT)
    stages = {"sentences", "EDUs and subjects", "parser", "scores", "selection", "realisation"}
    assert set(cost.stages) == stages | {REST}
    assert sum(cost.stages.values()) == pytest.approx(cost.total.cpu)


def test_shipped_model_shows_its_encoder_and_heads(shipped: Summarizer) -> None:
    cost = staged_cost(shipped, TEXT)
    neural = {"pieces", "trunk", "analyser's branch", "coreference"}
    assert neural <= set(cost.stages)
    assert cost.stages["trunk"] > 0


def test_watching_changes_no_summary(shipped: Summarizer) -> None:
    before = shipped.summarize(TEXT)
    staged_cost(shipped, TEXT)
    assert shipped.summarize(TEXT) == before


def test_branches_are_told_apart() -> None:
    rules = Summarizer.load("rules")
    branch = UpperLayers(OnnxModel(b""))
    judge = object.__new__(NeuralScorer)
    object.__setattr__(judge, "source", SharedPieces(branch))
    with_scorer = Summarizer(Pipeline(rules.pipeline.analyser, judge))
    for summarizer, stage in ((rules, "analyser's branch"), (with_scorer, "summariser's branch")):
        (watched,) = [place for place in places(summarizer) if place.name == "encode"]
        assert watched.stage_of(branch) == stage


def test_cheapest_run_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter([StagedCost(NOTHING, {"a": 1.0}), StagedCost(NOTHING, {})])
    monkeypatch.setattr("discobert.benchmark.stages.staged_cost", lambda *_: next(runs))
    assert least_staged_cost(Summarizer.load("rules"), TEXT, runs=2).stages == {"a": 1.0}
