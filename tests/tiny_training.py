"""A tiny shared encoder and settings that train in a second."""

import pytest

torch = pytest.importorskip("torch")

from tests.tiny import VOCABULARY, tiny_tokenizer  # noqa: E402

from discobert.nn.encoder import EncoderConfig, LowerLayers  # noqa: E402 - after the check
from discobert.nn.readers import UpperLayersReader, plain_upper_layers  # noqa: E402
from discobert.nn.spans import SpanExt  # noqa: E402
from discobert.runtime.pieces import N_SHAPES  # noqa: E402
from discobert.train.core.lower_layers import ModuleLowerLayers  # noqa: E402
from discobert.train.summarizer.encoders import SHARED, EncoderSetup  # noqa: E402
from discobert.train.summarizer.settings import SummarizerTraining  # noqa: E402

HIDDEN = 16
ENCODER = EncoderConfig(
    vocabulary=VOCABULARY, positions=256, hidden=HIDDEN, heads=2, feed_forward=32, layers=2
)
TINY = SummarizerTraining(
    context_layers=1,
    context_heads=2,
    context_feed_forward=32,
    epochs=4,
    units_per_step=14,
    pieces_per_step=250,
    warmup_steps=2,
    rate=5e-3,
    encoder_rate=1e-3,
    average_decay=0.9,
    validate_every=3,
    validate_documents=2,
    tune_documents=0,
)


def tiny_setup(training: SummarizerTraining = TINY) -> EncoderSetup:
    """Make the same random encoder every time."""
    torch.manual_seed(7)
    reader = UpperLayersReader(
        plain_upper_layers(ENCODER, layers=1, shapes=N_SHAPES),
        SpanExt(HIDDEN),
        reach=training.attention_reach(),
    )
    lower = LowerLayers(ENCODER, layers=1).eval()
    return EncoderSetup(SHARED, ModuleLowerLayers(lower), reader, HIDDEN, tiny_tokenizer())
