"""The runtime scorer against torch, text by text."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from safetensors.torch import save_file  # noqa: E402 - after the check
from tests.tiny import VOCABULARY, tiny_examples, tiny_layout, tiny_tokenizer  # noqa: E402
from tests.tiny_training import TINY, tiny_setup  # noqa: E402

from discobert.data.document import SourceText  # noqa: E402
from discobert.data.summary import Analysis, ModelId  # noqa: E402
from discobert.discourse.units import UnitKind  # noqa: E402
from discobert.errors import BundleError  # noqa: E402
from discobert.nn.batch import Slice, join  # noqa: E402
from discobert.nn.ranker import CandidateSummaries  # noqa: E402
from discobert.nn.scorer import SummarizerNet  # noqa: E402
from discobert.runtime.encoder import EncodedText  # noqa: E402
from discobert.scorer.decoding import LengthRule, TunedDecoding  # noqa: E402
from discobert.scorer.load import has_scorer, neural_scorer  # noqa: E402
from discobert.scorer.network import NeuralScorer, sentence_layout  # noqa: E402
from discobert.selection.build import selection_problem  # noqa: E402
from discobert.selection.paper.length_normalisation import LengthNormalisation  # noqa: E402
from discobert.selection.paper.ranked import Ranked  # noqa: E402
from discobert.selection.select import select  # noqa: E402
from discobert.train.export.summarizer import summarizer_files, summarizer_settings  # noqa: E402
from discobert.train.summarizer.encoders import EncoderSetup, bert_encoder  # noqa: E402
from discobert.train.summarizer.features.items import document_units  # noqa: E402
from discobert.train.summarizer.network import build_summarizer, whole_weights  # noqa: E402
from discobert.train.summarizer.run_files import write_decoding  # noqa: E402
from discobert.train.summarizer.settings import SummarizerTraining  # noqa: E402

TOLERANCE = 1e-4
MODEL = ModelId("tiny", "1")
ANALYSES = [example.analysis for example in tiny_examples()]


def shaken(net: SummarizerNet) -> SummarizerNet:
    """Move every weight, so that nothing is zero by accident."""
    torch.manual_seed(3)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
    return net.eval()


def finished(folder: Path, training: SummarizerTraining, setup: EncoderSetup) -> SummarizerNet:
    """Write a run as training would leave it."""
    net = shaken(build_summarizer(training, setup))
    folder.mkdir(exist_ok=True)
    save_file(whole_weights(net, training.trained_part), folder / "summarizer.safetensors")
    write_decoding(folder, TunedDecoding(rule=LengthRule.STEPS, value=2))
    return net


def encode_with(setup: EncoderSetup) -> Callable[[Analysis], EncodedText]:
    def encode(analysis: Analysis) -> EncodedText:
        layout, document = tiny_layout(analysis), analysis.document
        source = SourceText(document.id, document.text)
        lower = setup.lower.vectors(layout)
        return EncodedText(source, sentence_layout(analysis), layout, lower)

    return encode


def scorer_of(folder: Path, training: SummarizerTraining, setup: EncoderSetup) -> NeuralScorer:
    files = summarizer_files(folder, training, setup, int8=False)
    settings = {"summarizer": summarizer_settings(folder, training, setup)}
    assert has_scorer(settings)
    return neural_scorer(files.__getitem__, settings, model=MODEL, encode=encode_with(setup))


def torch_chances(
    net: SummarizerNet, training: SummarizerTraining, setup: EncoderSetup, analysis: Analysis
) -> NDArray[np.float32]:
    layout = tiny_layout(analysis)
    below = layout.ids if setup.kind == "bert" else setup.lower.vectors(layout)
    part = Slice(below, layout, document_units(analysis, layout, training.items()))
    with torch.no_grad():
        return np.asarray(torch.sigmoid(net(join([part], training.sizes())).logits))


SETTINGS = {
    "both, ranked": replace(TINY, rank_weight=1.0),
    "paper": replace(
        TINY, variant="edu+rst", inputs="none", context_layers=0, directions="heads", reach="window"
    ),
    "sentence": replace(TINY, variant="sentence", sentence_span="cls", inputs="place"),
    "coref": replace(TINY, variant="edu+coref", width=8, context_layers=0),
}


@pytest.mark.parametrize("training", SETTINGS.values(), ids=SETTINGS)
def test_runtime_equals_torch(training: SummarizerTraining, tmp_path: Path) -> None:
    setup = tiny_setup(training)
    net = finished(tmp_path / "run", training, setup)
    scorer = scorer_of(tmp_path / "run", training, setup)
    assert scorer.model == MODEL
    assert scorer.unit is (UnitKind.SENTENCE if training.variant == "sentence" else UnitKind.EDU)
    for analysis in ANALYSES:
        salience = scorer.score(analysis)
        scores = salience.scores
        assert salience.unit is scorer.unit
        expected = torch_chances(net, training, setup, analysis)
        units = [
            edu.sentence if training.variant == "sentence" else index
            for index, edu in enumerate(analysis.document.edus)
        ]
        assert np.abs(np.array(scores.values) - expected[units]).max() < TOLERANCE


def test_units_are_the_same_from_sections_as_from_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = tiny_setup(TINY)
    finished(tmp_path / "run", TINY, setup)
    scorer = scorer_of(tmp_path / "run", TINY, setup)
    whole = [scorer.score(analysis).scores.values for analysis in ANALYSES]
    monkeypatch.setattr("discobert.scorer.network.STRETCH", 1)
    by_section = [scorer.score(analysis).scores.values for analysis in ANALYSES]
    assert np.allclose(np.concatenate(by_section), np.concatenate(whole), atol=1e-6)


def test_the_ranker_equals_torch_and_chooses(tmp_path: Path) -> None:
    training = SETTINGS["both, ranked"]
    setup = tiny_setup(training)
    net = finished(tmp_path / "run", training, setup)
    decoding = TunedDecoding(rule=LengthRule.RANK, value=4)
    scorer = replace(scorer_of(tmp_path / "run", training, setup), decoding=decoding)
    salience = scorer.score(ANALYSES[0])
    found = [(0,), (0, 2), (0, 1, 2, 3)]
    search = salience.decoding.search
    assert isinstance(search, Ranked)
    expected = torch_ranks(net, training, setup, found)
    assert np.abs(np.array(search.rank(found)) - expected).max() < TOLERANCE
    assert select(selection_problem(ANALYSES[0], salience)).selection.edus


def torch_ranks(
    net: SummarizerNet,
    training: SummarizerTraining,
    setup: EncoderSetup,
    found: list[tuple[int, ...]],
) -> NDArray[np.float32]:
    document, layout = ANALYSES[0].document, tiny_layout(ANALYSES[0])
    words = [len(document.edu_text(edu).split()) for edu in range(len(document.edus))]
    units = document_units(ANALYSES[0], layout, training.items())
    batch = join([Slice(setup.lower.vectors(layout), layout, units)], training.sizes())
    asked = CandidateSummaries(
        units=torch.tensor([unit for units in found for unit in units]),
        owners=torch.tensor([n for n, units in enumerate(found) for _ in units]),
        documents=torch.zeros(3, dtype=torch.long),
        words=torch.tensor([float(sum(words[unit] for unit in units)) for units in found]),
        rouge=torch.zeros(3),
    )
    assert net.document.ranker is not None
    with torch.no_grad():
        output = net(batch)
        ranks = net.document.ranker(output.states, output.logits, batch.documents, asked)
    return np.asarray(ranks)


def test_a_bert_of_its_own_runs_without_torch(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(tmp_path / "bert")
    tiny_tokenizer().save(str(tmp_path / "bert" / "tokenizer.json"))
    training = replace(
        TINY, encoder=str(tmp_path / "bert"), positions=128, window_pieces=128, reach="window"
    )
    setup = bert_encoder(training, name=training.encoder)
    net = finished(tmp_path / "run", training, setup)
    scorer = scorer_of(tmp_path / "run", training, setup)
    for analysis in ANALYSES:
        scores = scorer.score(analysis).scores
        expected = torch_chances(net, training, setup, analysis)
        assert np.abs(np.array(scores.values) - expected).max() < TOLERANCE


def test_settings_that_cannot_be_read_are_a_bundle_error(tmp_path: Path) -> None:
    training = SETTINGS["coref"]
    setup = tiny_setup(training)
    finished(tmp_path / "run", training, setup)
    files = summarizer_files(tmp_path / "run", training, setup, int8=False)
    good = dict(summarizer_settings(tmp_path / "run", training, setup))
    changes: tuple[dict[str, object], ...] = (
        {"variant": "edus"},
        {"rules": "mine"},
        {"decoding": {}},
        {"variant": "edu+both"},
    )
    for change in changes:
        settings = {"summarizer": {**good, **change}}
        with pytest.raises(BundleError):
            neural_scorer(files.__getitem__, settings, model=MODEL, encode=encode_with(setup))


def test_decoding_travels_as_plain_values() -> None:
    rule = TunedDecoding(rule=LengthRule.FULL_WORDS, value=70, blocking=False)
    assert TunedDecoding.of(rule.settings()) == rule
    thrifty = replace(rule, economy=LengthNormalisation(share=0.3, power=0.2))
    assert TunedDecoding.of(thrifty.settings()) == thrifty
    older = {name: value for name, value in rule.settings().items() if name != "economy"}
    assert TunedDecoding.of(older) == rule
    with pytest.raises(BundleError, match="power"):
        TunedDecoding.of({**older, "economy": {"power": 2}})
