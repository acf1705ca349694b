"""From ten articles of one's own to a bundle that summarises, through the commands users have."""

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from tests.tiny_training import TINY  # noqa: E402

from discobert.cli.ablate import ablate_command  # noqa: E402 - after the checks
from discobert.cli.app import run  # noqa: E402
from discobert.cli.train_summarizer import train_summarizer_command  # noqa: E402
from discobert.cli.tune import tune_command  # noqa: E402
from discobert.data.summary import ModelId  # noqa: E402
from discobert.errors import InputError, UsageError  # noqa: E402
from discobert.logic.budget import Budget  # noqa: E402
from discobert.logic.dependencies import violations  # noqa: E402
from discobert.logic.select import SelectionOptions  # noqa: E402
from discobert.logic.units import UnitKind  # noqa: E402
from discobert.stages.neural_pipeline import neural_pipeline  # noqa: E402
from discobert.store.bundle import Bundle, open_bundle  # noqa: E402
from discobert.train.analyser import describe_run  # noqa: E402
from discobert.train.analyser_settings import AnalyserTraining  # noqa: E402
from discobert.train.export import RuntimeSettings, export_analyser  # noqa: E402
from discobert.train.export_summarizer import (  # noqa: E402
    Release,
    export_summarizer,
    read_training,
)
from discobert.train.network import build_net, network_config, save_weights  # noqa: E402
from discobert.train.setup import make_setup  # noqa: E402

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


@pytest.fixture(scope="module")
def analyser(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Write a bundle whose analyser has learned nothing; it cuts texts somehow."""
    folder = tmp_path_factory.mktemp("analyser")
    config = network_config(encoder)
    torch.manual_seed(1)
    save_weights(build_net(config, encoder, train_trunk=False), folder / "run")
    (folder / "run" / "config.json").write_text(describe_run(AnalyserTraining(), config))
    return export_analyser(
        folder / "run",
        folder / "bundle",
        encoder=encoder,
        model=ModelId("tiny", "1"),
        card="c",
        runtime=RuntimeSettings(int8=False),
    )


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
    train_summarizer_command(
        config=folder / "own.toml",
        data=folder / "own",
        out=folder / "run",
        model=str(analyser.path),
        encoder=encoder,
        quiet=True,
    )
    return folder


def test_ten_articles_become_a_model(
    own: Path, analyser: Bundle, encoder: Path, tmp_path: Path
) -> None:
    training = read_training(own / "run")
    setup = make_setup(training, bundle=analyser, encoder=encoder)
    release = Release(ModelId("own", "2"), "card", int8=False)
    export_summarizer(own / "run", tmp_path / "new", base=analyser, setup=setup, release=release)
    check_bundle(open_bundle(tmp_path / "new"))


def check_bundle(bundle: Bundle) -> None:
    bundle.verify()
    pipeline = neural_pipeline(bundle.read, bundle.settings, model=bundle.model)
    analyses = pipeline.analyser.analyse([("new", " ".join(SENTENCES))])
    (tuned,) = pipeline.summarise(analyses)
    assert tuned.model == ModelId("own", "2")
    assert tuned.selection.edus
    assert violations(tuned.selection.edus, tuned.dependencies) == 0
    (short,) = pipeline.summarise(analyses, SelectionOptions(budget=Budget(words=12)))
    assert short.words <= 12 or short.warnings
    (sentences,) = pipeline.summarise(analyses, None, UnitKind.SENTENCE)
    assert all(line in SENTENCES for line in sentences.sentences)


def test_the_shared_trunk_needs_a_bundle(encoder: Path) -> None:
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


def test_a_run_without_settings_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no settings of a summariser"):
        read_training(tmp_path)
