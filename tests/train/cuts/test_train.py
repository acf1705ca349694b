"""From data to a bundle that judges cuts, in small."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.train.cuts.cut_data import SENTENCES, SETTINGS, write_data

from discobert.analyser.load import neural_analyser
from discobert.analyser.syntax import RELATIONS
from discobert.cli.app import run
from discobert.data.document import SourceText
from discobert.errors import ConfigError, UsageError
from discobert.evaluate.cuts.evaluate import score_cuts
from discobert.store.bundle import open_bundle
from discobert.train.cuts.network import fit_calibration, threshold_at
from discobert.train.cuts.settings import CutTraining
from discobert.train.cuts.syntax_data import relation_number


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cuts")
    data = write_data(folder / "data")
    config = folder / "cuts.toml"
    config.write_text(SETTINGS)
    for name in ("one", "two"):
        options = ["--config", str(config), "--data", str(data), "--out", str(folder / name)]
        options += ["--model", "en", "--cache", str(folder / "cache"), "--quiet"]
        assert run(["train", "cuts", *options]) == 0
    assert run(["export", str(folder / "one"), str(folder / "bundle"), "--model", "en"]) == 0
    return folder / "bundle"


def test_the_same_settings_and_data_give_the_same_weights(bundle: Path) -> None:
    for name in ("cuts.safetensors", "config.json"):
        one, two = (bundle.parent / run_name / name for run_name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()


def test_the_bundle_judges_cuts_and_says_who_judged_before(bundle: Path) -> None:
    opened = open_bundle(bundle)
    opened.verify()
    analysis = neural_analyser(opened.read, opened.settings).analyse(SourceText("a", SENTENCES))
    assert analysis.cuts
    card = (bundle / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "judged by language models" in " ".join(card.split())


def test_evaluate_cuts_reports_groups_questions_and_calibration(
    bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bundle.parent / "data"
    command = ["evaluate-cuts", "--data", str(data / "cuts" / "cuts.jsonl.xz"), "--quiet"]
    command += ["--articles", str(data / "cnndm" / "train-7.jsonl.xz"), "--model", str(bundle)]
    command += ["--gum", str(data / "gum" / "gum_v11.jsonl.xz")]
    assert run([*command, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {name: group["cuts"] for name, group in report["groups"].items()} == {
        "all": 13,
        "news": 12,
        "gum": 1,
    }
    assert report["groups"]["all"]["documents"] == 3
    assert set(report["questions"]) == {"grammatical", "faithful", "complete"}
    assert sum(tenth["cuts"] for tenth in report["calibration"]) == 13
    assert run(command) == 0
    assert "Calibration (Brier score" in capsys.readouterr().out


def test_a_model_without_a_cut_head_is_not_scored(bundle: Path) -> None:
    base = open_bundle(bundle)
    settings = {name: value for name, value in base.settings.items() if name != "cuts"}
    plain = neural_analyser(base.read, settings)
    assert plain.analyse(SourceText("a", SENTENCES)).cuts == ()
    with pytest.raises(UsageError, match="this model has no cut head"):
        list(score_cuts(plain, []))


def test_calibration_undoes_what_was_done_to_logits() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(size=20_000)
    truths = rng.random(20_000) < 1 / (1 + np.exp(-logits))
    slope, intercept = fit_calibration(2 * logits + 1, truths)
    assert slope == pytest.approx(0.5, abs=0.05)
    assert intercept == pytest.approx(-0.5, abs=0.05)


def test_threshold_is_the_lowest_of_its_precision() -> None:
    probabilities = np.array([0.9, 0.8, 0.7, 0.6])
    truths = np.array([True, True, False, False])
    assert threshold_at(probabilities, truths, 1.0) == 0.8
    assert threshold_at(probabilities, truths, 0.5) == 0.6
    assert threshold_at(probabilities, ~truths, 0.9) == 1.0


def test_unknown_subtypes_count_as_their_type() -> None:
    assert RELATIONS[relation_number("nsubj:pass")] == "nsubj"
    assert RELATIONS[relation_number("acl:relcl")] == "acl:relcl"
    assert RELATIONS[relation_number("goeswith")] == "dep"


@pytest.mark.parametrize("given", [{"folds": 1}, {"networks": 0}])
def test_settings_are_checked(given: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="must be at least"):
        CutTraining(**given)
