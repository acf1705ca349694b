"""The summariser's encoder: lower layers shared with the analyser, or a BERT of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from torch import Tensor

from discobert.data.summary import Analysis
from discobert.errors import ConfigError, InputError, UsageError
from discobert.nn.analyser import AnalyserConfig
from discobert.nn.bert import BertReader, check_positions, find_pretrained, freeze_lower, load_bert
from discobert.nn.encoder import LowerLayers, UpperLayers
from discobert.nn.pretrained import load_lower_layers, load_upper_layers
from discobert.nn.readers import UpperLayersReader, plain_upper_layers
from discobert.nn.spans import SpanExt
from discobert.runtime.pieces import N_SHAPES, PieceLayout, lay_out_analysis, lay_out_edus
from discobert.runtime.tensors import Array
from discobert.scorer.features import Reach, UnitSpan
from discobert.scorer.load import SECTION
from discobert.store.bundle import TOKENIZER, Bundle
from discobert.train.analyser.bundle_start import LOWER_LAYERS
from discobert.train.analyser.network import (
    WEIGHTS,
    checkpoint_weights,
    load_tokenizer,
    network_config,
    without_limits,
)
from discobert.train.core.lower_layers import PieceEncoder, RuntimeLowerLayers, weights_checksum
from discobert.train.core.weights_file import read_weights_file
from discobert.train.summarizer.align import AlignmentTeacher
from discobert.train.summarizer.bundle_start import BundleReader
from discobert.train.summarizer.settings import SummarizerTraining, TrainedPart

SHARED, BERT = "shared", "bert"


@dataclass(frozen=True)
class PieceIds:
    """The lower part of an encoder of which nothing is frozen: it passes on the ids of pieces."""

    key: str = "ids"

    def vectors(self, layout: PieceLayout) -> Array:
        """Return rows of width 0; whoever needs ids reads them from the layout."""
        return np.zeros((len(layout.ids), 0), dtype=np.float32)


@dataclass(frozen=True)
class EncoderSetup:
    """A frozen lower part, a reader that may be trained, and the tokenizer of both."""

    kind: str
    lower: PieceEncoder
    reader: UpperLayersReader | BertReader | BundleReader
    hidden: int
    tokenizer: Tokenizer | None
    """Tokenises documents again; None: prepared documents have their pieces."""
    teacher: AlignmentTeacher | None = None
    """The original encoder, for ``trained = "align"`` alone."""
    bundle: Bundle | None = None
    """Where the reader comes from, for ``from_bundle = true`` alone."""

    def lay_out(self, training: SummarizerTraining) -> Callable[[Analysis], PieceLayout] | None:
        """Return the function that tokenises documents again, if they are."""
        by_edus = training.items().units.edu_span is UnitSpan.CLS
        if self.tokenizer is None:
            if by_edus:
                raise ConfigError(
                    "edu_span = 'cls' tokenises documents again: a tokenizer is needed"
                )
            return None
        return partial(lay_out_edus if by_edus else lay_out_analysis, self.tokenizer)

    def key(self, *, spans: bool) -> str:
        """Return checksums of the weights below cached vectors, SpanExt's included or not."""
        if isinstance(self.reader, BundleReader):
            return f"{self.lower.key} {self.reader.checksum}"
        return (
            f"{self.lower.key} {weights_checksum(self.reader, without='' if spans else 'spans.')}"
        )


def shared_encoder(
    training: SummarizerTraining,
    *,
    lower: PieceEncoder,
    encoder: Path,
    tokenizer: Tokenizer | None = None,
    analyser_run: Path | None = None,
) -> EncoderSetup:
    """Put upper layers of the summariser's own above the shared lower layers.

    They start as those of a BERT checkpoint, or as those an analyser's run has trained.
    ``tokenizer`` is needed for documents without pieces.
    """
    config = network_config(encoder)
    weights = checkpoint_weights(encoder)
    upper = _upper_layers(config, weights, dropout=training.encoder_dropout)
    teacher = _teacher(training, config, weights)
    if analyser_run is not None:
        trained = read_weights_file(analyser_run / WEIGHTS)
        prefix = "branch."
        upper.load_state_dict(
            {name.removeprefix(prefix): w for name, w in trained.items() if name.startswith(prefix)}
        )
    hidden = config.encoder.hidden
    return EncoderSetup(
        kind=SHARED,
        lower=lower,
        reader=UpperLayersReader(upper, SpanExt(hidden), reach=training.attention_reach()),
        hidden=hidden,
        tokenizer=tokenizer,
        teacher=teacher,
    )


def _upper_layers(
    config: AnalyserConfig, weights: Mapping[str, Tensor], *, dropout: float = 0.0
) -> UpperLayers:
    layers = config.encoder.layers - config.lower_layers
    upper = plain_upper_layers(config.encoder, layers=layers, shapes=N_SHAPES, dropout=dropout)
    load_upper_layers(upper, weights, first_layer=config.lower_layers)
    return upper


def _teacher(
    training: SummarizerTraining, config: AnalyserConfig, weights: Mapping[str, Tensor]
) -> AlignmentTeacher | None:
    """Load the whole checkpoint once more, if alignment needs it."""
    if training.trained_part is not TrainedPart.ALIGN:
        return None
    lower = LowerLayers(config.encoder, layers=config.lower_layers)
    load_lower_layers(lower, weights)
    reader = UpperLayersReader(
        _upper_layers(config, weights),
        SpanExt(config.encoder.hidden),
        reach=training.attention_reach(),
    )
    return AlignmentTeacher(lower.eval().requires_grad_(False), reader.eval().requires_grad_(False))


def bundle_encoder(bundle: Bundle) -> EncoderSetup:
    """Use the encoder of a bundle's summariser as it runs; documents have their pieces."""
    found = bundle.settings.get(SECTION)
    if not isinstance(found, dict) or found["encoder"] != SHARED or found["max_pieces"] != 1:
        raise ConfigError(
            f"{bundle.path}: from_bundle = true needs a summariser that reads sentences one by one "
            "above the layers that it shares with the analyser"
        )
    reader = BundleReader(bundle)
    return EncoderSetup(
        kind=SHARED,
        lower=RuntimeLowerLayers(bundle.read(LOWER_LAYERS)),
        reader=reader,
        hidden=reader.spans.inner.in_features,
        tokenizer=None,
        bundle=bundle,
    )


def bert_encoder(training: SummarizerTraining, *, name: str) -> EncoderSetup:
    """Use a whole encoder by name or path, as the paper does; documents are tokenised for it."""
    if training.attention_reach() is not Reach.WINDOW:
        raise ConfigError("an encoder of its own attends to whole windows: set reach = 'window'")
    model = load_bert(name, positions=training.positions)
    check_positions(model, training.window_pieces)
    freeze_lower(model, training.frozen_layers)
    hidden = int(model.config.hidden_size)  # type: ignore[union-attr, arg-type]
    return EncoderSetup(
        kind=BERT,
        lower=PieceIds(),
        reader=BertReader(model, SpanExt(hidden)),
        hidden=hidden,
        tokenizer=bert_tokenizer(name),
    )


def bert_tokenizer(name: str) -> Tokenizer:
    """Load the tokenizer of an encoder, without truncation or padding."""
    if Path(name).is_dir():
        if not (Path(name) / "tokenizer.json").is_file():
            raise InputError(f"{name}: no tokenizer.json there; save the fast tokenizer beside it")
        return load_tokenizer(Path(name))
    from transformers import AutoTokenizer

    found = find_pretrained(name)
    tokenizer = AutoTokenizer.from_pretrained(
        found.name, revision=found.revision, trust_remote_code=False
    )
    return without_limits(tokenizer.backend_tokenizer)


def make_setup(
    training: SummarizerTraining,
    *,
    bundle: Bundle | None,
    encoder: Path,
    analyser_run: Path | None = None,
) -> EncoderSetup:
    """Share the lower layers of a bundle, or load the encoder that the settings name.

    ``encoder`` is the BERT checkpoint that the lower layers came from: the summariser's upper
    layers start as its own, unless ``analyser_run`` names a run that has trained some.
    """
    if training.encoder:
        return bert_encoder(training, name=training.encoder)
    if bundle is None:
        raise UsageError(
            "the summariser shares the lower layers of an analyser: name its bundle with --model, "
            "or an encoder of its own in the settings"
        )
    return shared_encoder(
        training,
        lower=RuntimeLowerLayers(bundle.read(LOWER_LAYERS)),
        encoder=encoder,
        tokenizer=Tokenizer.from_str(bundle.read(TOKENIZER).decode()),
        analyser_run=analyser_run,
    )
