"""From settings and files to the encoder that a run stands on."""

from pathlib import Path

from tokenizers import Tokenizer

from discobert.errors import UsageError
from discobert.store.bundle import TOKENIZER, Bundle
from discobert.train.summarizer.encoders import EncoderSetup, bert_encoder, shared_encoder
from discobert.train.summarizer.features import RuntimeTrunk
from discobert.train.summarizer.settings import SummarizerTraining


def make_setup(
    training: SummarizerTraining,
    *,
    bundle: Bundle | None,
    encoder: Path,
    analyser_run: Path | None = None,
) -> EncoderSetup:
    """Share the trunk of a bundle, or load the encoder that the settings name.

    ``encoder`` is the BERT checkpoint that the trunk came from: its upper layers are where the
    summariser's branch starts, unless ``analyser_run`` names learned ones.
    """
    if training.encoder:
        return bert_encoder(training, name=training.encoder)
    if bundle is None:
        raise UsageError(
            "the summariser shares the trunk of an analyser: name its bundle with --model, "
            "or an encoder of its own in the settings"
        )
    return shared_encoder(
        training,
        lower=RuntimeTrunk(bundle.read("trunk.onnx")),
        encoder=encoder,
        tokenizer=Tokenizer.from_str(bundle.read(TOKENIZER).decode()),
        analyser_run=analyser_run,
    )
