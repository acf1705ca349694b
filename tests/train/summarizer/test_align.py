"""Upper layers above other lower layers learn to give the vectors of the original encoder."""

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tests.tiny import VOCABULARY, tiny_examples, tiny_tokenizer  # noqa: E402
from tests.tiny_training import TINY  # noqa: E402

from discobert.errors import ConfigError  # noqa: E402 - after the checks
from discobert.nn.encoder import EncoderConfig, LowerLayers  # noqa: E402
from discobert.train.core.curves import read_curve  # noqa: E402
from discobert.train.core.lower_layers import ModuleLowerLayers  # noqa: E402
from discobert.train.summarizer.align import alignment_teacher, distance  # noqa: E402
from discobert.train.summarizer.corpus import example_corpus  # noqa: E402
from discobert.train.summarizer.encoders import shared_encoder  # noqa: E402
from discobert.train.summarizer.network import read_weights  # noqa: E402
from discobert.train.summarizer.train import SummarizerRun, TrainingData  # noqa: E402

ALIGN = replace(
    TINY, trained="align", epochs=40.0, pieces_per_step=500, validate_every=5, average_decay=0.0
)


def write_bert(folder: Path) -> Path:
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=VOCABULARY,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=256,
    )
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def test_upper_layers_approach_the_original_encoder(tmp_path: Path) -> None:
    encoder = write_bert(tmp_path / "bert")
    torch.manual_seed(5)
    sizes = EncoderConfig(
        vocabulary=VOCABULARY, positions=256, hidden=16, heads=2, feed_forward=32, layers=2
    )
    other = ModuleLowerLayers(LowerLayers(sizes, layers=1).eval())
    setup = shared_encoder(ALIGN, lower=other, encoder=encoder, tokenizer=tiny_tokenizer())
    before = {name: value.clone() for name, value in setup.reader.state_dict().items()}
    run = SummarizerRun(ALIGN, setup, tmp_path / "run", tmp_path / "cache")
    out = run.run(TrainingData(example_corpus(tiny_examples()), ()))
    losses = [row["loss"] for row in read_curve(out / "curve.csv")]
    assert losses[-1] < 0.8 * losses[0]
    after = read_weights(out)
    moved = {n.split(".")[0] for n, v in before.items() if not torch.equal(v, after[f"reader.{n}"])}
    assert moved == {"branch"}


def test_distance_is_relative_to_the_teachers_variance() -> None:
    wanted = torch.randn(50, 4)
    assert distance(wanted, wanted).item() == 0
    mean = wanted.mean(0).expand_as(wanted)
    assert distance(mean, wanted).item() == pytest.approx(1, abs=0.05)


def test_alignment_needs_a_teacher() -> None:
    with pytest.raises(ConfigError, match="shared lower layers"):
        alignment_teacher(ALIGN, None)
