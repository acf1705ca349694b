"""From ten articles of one's own to a bundle that summarises, through the commands users have."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from tests.tiny_training import TINY

from discobert.api import Summarizer
from discobert.cli.app import run
from discobert.cli.commands.training.ablate import ablate_command
from discobert.cli.commands.training.tune import tune_command
from discobert.data.summary import ModelId
from discobert.discourse.dependencies import violations
from discobert.errors import InputError, UsageError
from discobert.store.bundle import Bundle, open_bundle
from discobert.train.summarizer.encoders import make_setup
from discobert.train.summarizer.run_files import read_training

SENTENCES = (
    "The cat sat on the mat, because it was late.",
    "He said that the dog ran.",
    "She left and the dog sat.",
    "The dog that ran was late.",
)
SETTINGS = """
context_layers = 1
context_heads = 2
context_feed_forward = 32
epochs = 4
units_per_step = 40
warmup_steps = 2
rate = 5e-3
validate_every = 2
validate_documents = 2
tune_documents = 2
rank_weight = 0.5
"""


def write_articles(path: Path) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for number in range(10):
            turned = [SENTENCES[(number + place) % 4] for place in range(4)]
            record = {"id": f"a{number}", "text": " ".join(turned), "highlights": [turned[0]]}
            file.write(json.dumps(record) + "\n")
    return path


@pytest.fixture(scope="module")
def own(analyser: Bundle, encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Prepare the articles and train on them, as users do."""
    folder = tmp_path_factory.mktemp("own")
    source = write_articles(folder / "own.jsonl")
    prepare = ["prepare", str(source), str(folder / "own"), "--corpus", "jsonl"]
    assert run([*prepare, "--model", str(analyser.path), "--jobs", "1", "--quiet"]) == 0
    (folder / "own.toml").write_text(SETTINGS)
    train = ["train", "summarizer", "--config", str(folder / "own.toml"), "--quiet"]
    train += ["--data", str(folder / "own"), "--out", str(folder / "run")]
    assert run([*train, "--model", str(analyser.path), "--encoder", str(encoder)]) == 0
    return folder


def test_ten_articles_become_a_model(
    own: Path, analyser: Bundle, encoder: Path, tmp_path: Path
) -> None:
    bundle = tmp_path / "new"
    export = ["export", str(own / "run"), str(bundle), "--name", "own", "--version", "2", "--fp32"]
    assert run([*export, "--model", str(analyser.path), "--encoder", str(encoder)]) == 0
    open_bundle(bundle).verify()
    check_summaries(bundle)
    evaluate = ["evaluate", "--data", str(own / "own.jsonl"), "--systems", "lead3,discobert"]
    out = tmp_path / "scores.json"
    assert run([*evaluate, "--model", str(bundle), "--format", "json", "-o", str(out)]) == 0
    assert {"lead3", "discobert"} <= set(json.loads(out.read_text())["systems"])


def check_summaries(bundle: Path) -> None:
    summarizer, text = Summarizer.load(bundle), " ".join(SENTENCES)
    tuned = summarizer.summarize(text)
    assert tuned.model == ModelId("own", "2")
    assert tuned.selection.edus
    assert violations(tuned.selection.edus, tuned.dependencies) == 0
    short = summarizer.summarize(text, words=12)
    assert short.words <= 12 or short.warnings
    sentences = summarizer.summarize(text, unit="sentence", style="paper")
    assert all(line in SENTENCES for line in sentences.sentences)
    assert len(sentences.sentences) <= 3


def test_thresholds_are_not_the_summarisers(own: Path, tmp_path: Path) -> None:
    assert run(["export", str(own / "run"), str(tmp_path / "b"), "--link-threshold", "1"]) == 2


def test_the_analyser_refuses_options_of_the_summariser(own: Path, tmp_path: Path) -> None:
    train = ["train", "parser", "--config", str(own / "own.toml"), "--data", str(own)]
    assert run([*train, "--out", str(tmp_path), "--cache", str(tmp_path)]) == 2


def test_shared_lower_layers_need_a_bundle(encoder: Path) -> None:
    with pytest.raises(UsageError, match="--model"):
        make_setup(TINY, bundle=None, encoder=encoder)


def test_lengths_are_tuned_by_command(
    own: Path, analyser: Bundle, encoder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tune_command(
        own / "run",
        data=own / "own",
        limit=3,
        model=str(analyser.path),
        encoder=encoder,
        quiet=True,
    )
    rule, value, *_ = capsys.readouterr().out.split()
    settings = json.loads((own / "run" / "decoding.json").read_text())
    assert (settings["rule"], f"{settings['value']},") == (rule, value)


def test_an_ablation_by_command_writes_the_table(
    own: Path,
    analyser: Bundle,
    encoder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ablate_command(
        data=own / "own",
        out=tmp_path,
        config=own / "own.toml",
        test=own / "own",
        test_documents=3,
        seeds="1",
        rows="sentence,edu",
        model=str(analyser.path),
        encoder=encoder,
        start=own / "run",
        quiet=True,
    )
    table = (tmp_path / "ablation.md").read_text()
    assert capsys.readouterr().out == table
    assert [line.split(" | ")[0] for line in table.splitlines()[4:]] == [
        "| lead-3",
        "| sentence",
        "| edu",
    ]


def test_seeds_must_be_numbers_and_documents_must_be_named(own: Path, encoder: Path) -> None:
    with pytest.raises(UsageError, match="--seeds needs whole numbers"):
        ablate_command(data=own / "own", out=own, test=own / "own", seeds="one", encoder=encoder)
    with pytest.raises(UsageError, match="--test or --validation"):
        ablate_command(data=own / "own", out=own, encoder=encoder)


def test_a_run_without_settings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no settings of a summariser"):
        read_training(tmp_path)
