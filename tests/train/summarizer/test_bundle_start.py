"""Training that goes on from the shipped summariser."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from discobert.api import Summarizer  # noqa: E402 - after the check
from discobert.data.summary import Analysis, Example, ModelId  # noqa: E402
from discobert.errors import ConfigError  # noqa: E402
from discobert.nn.scorer import SummarizerNet  # noqa: E402
from discobert.runtime.pieces import lay_out_analysis, read_tokenizer  # noqa: E402
from discobert.scorer.decoding import TunedDecoding  # noqa: E402
from discobert.store.bundle import TOKENIZER, Bundle, find_bundle, open_bundle  # noqa: E402
from discobert.store.config import read_config  # noqa: E402
from discobert.store.prepared.documents import Prepared  # noqa: E402
from discobert.train.export.summarizer import Release, export_summarizer  # noqa: E402
from discobert.train.summarizer.bundle_start import load_bundle_start  # noqa: E402
from discobert.train.summarizer.corpus import memory_corpus, prepared_example  # noqa: E402
from discobert.train.summarizer.encoders import bundle_encoder  # noqa: E402
from discobert.train.summarizer.network import build_summarizer  # noqa: E402
from discobert.train.summarizer.settings import SummarizerTraining  # noqa: E402
from discobert.train.summarizer.train import SummarizerRun, TrainingData  # noqa: E402

CONFIG = Path(__file__).parents[3] / "configs" / "summarizer-edus.toml"
TEXT = (
    "The mill on the river burnt down on Sunday, although it had been closed for years. "
    "Firemen, who came from three towns, fought the flames until dawn.\n"
    "Nobody was hurt, the mayor said, because the house next door stood empty. "
    "She wants to rebuild the mill as a school if the county pays for it."
)
REFERENCE = ("A closed mill burnt down on Sunday.", "The mayor wants to make it a school.")


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return open_bundle(find_bundle("en"))


@pytest.fixture(scope="module")
def shipped() -> Summarizer:
    return Summarizer.load()


@pytest.fixture(scope="module")
def analysis(shipped: Summarizer) -> Analysis:
    return shipped.analyze(TEXT, name="mill")


@pytest.fixture(scope="module")
def document(bundle: Bundle, analysis: Analysis) -> Prepared:
    layout = lay_out_analysis(read_tokenizer(bundle.read(TOKENIZER)), analysis)
    return replace(prepared_example(Example(analysis, REFERENCE)), layout=layout)


def settings(**changes: object) -> SummarizerTraining:
    found = read_config(CONFIG, SummarizerTraining)
    quiet = {"validate_every": 0, "validate_documents": 0, "tune_documents": 0}
    return replace(found, **{**quiet, **changes})  # type: ignore[arg-type] # as the fields have them


def make_run(training: SummarizerTraining, bundle: Bundle, folder: Path) -> SummarizerRun:
    return SummarizerRun(
        training, bundle_encoder(bundle), folder / "run", folder / "features", max_steps=None
    )


def test_a_fresh_start_gives_the_scores_of_the_bundle(
    bundle: Bundle, shipped: Summarizer, analysis: Analysis, document: Prepared, tmp_path: Path
) -> None:
    training = settings(sentence_scores=bool(_section(bundle).get("sentence_scores", False)))
    run = make_run(training, bundle, tmp_path)
    whole = build_summarizer(training, run.setup)
    load_bundle_start(whole, bundle)
    run.out.mkdir()
    _save(whole, run.out)
    _, (prediction,) = run.predictions([document])
    wanted = np.array(shipped.pipeline.scorer.score(analysis).scores.values)
    decoding = TunedDecoding.of(_section(bundle)["decoding"])  # type: ignore[arg-type]
    found = decoding.probabilities(prediction.logits, prediction.sentences)
    assert found == pytest.approx(wanted, abs=2e-3)


def test_a_run_becomes_a_bundle_that_scores_as_it_did(
    bundle: Bundle, analysis: Analysis, document: Prepared, tmp_path: Path
) -> None:
    training = settings(epochs=3.0, warmup_steps=1, risk_samples=4, risk_words=30)
    run = make_run(training, bundle, tmp_path)
    run.run(TrainingData(memory_corpus([document]), ()))
    _, (prediction,) = run.predictions([document])
    export_summarizer(
        run.out,
        tmp_path / "bundle",
        base=bundle,
        setup=run.setup,
        release=Release(ModelId("tiny", "1"), card="A card."),
    )
    exported = Summarizer.load(tmp_path / "bundle")
    wanted = np.array(exported.pipeline.scorer.score(analysis).scores.values)
    assert 1 / (1 + np.exp(-prediction.logits)) == pytest.approx(wanted, abs=2e-3)


def test_another_width_does_not_fit(bundle: Bundle, tmp_path: Path) -> None:
    training = settings(width=128)
    whole = build_summarizer(training, make_run(training, bundle, tmp_path).setup)
    with pytest.raises(ConfigError, match="does not fit these settings"):
        load_bundle_start(whole, bundle)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"trained": "spans"}, "trained = 'document'"),
        ({"max_pieces": 512}, "max_pieces = 0"),
        ({"from_bundle": False}, "needs from_bundle"),
        ({"inputs": "place"}, "needs inputs = 'all'"),
        ({"risk_share": 2.0}, "risk_share must be between 0 and 1"),
    ],
)
def test_settings_that_contradict_each_other(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        settings(**changes)


def _section(bundle: Bundle) -> dict[str, object]:
    found = bundle.settings["summarizer"]
    assert isinstance(found, dict)
    return dict(found)


def _save(net: SummarizerNet, folder: Path) -> None:
    from safetensors.torch import save_file

    from discobert.train.summarizer.network import WEIGHTS

    save_file(
        {name: value.contiguous() for name, value in net.state_dict().items()}, folder / WEIGHTS
    )
