"""The encoder below the summariser: the trunk shared with the analyser, or a BERT of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from safetensors.torch import load_file
from tokenizers import Tokenizer

from discobert.data.summary import Analysis
from discobert.errors import ConfigError, InputError
from discobert.nn.bert import BertReader, check_positions, freeze_lower, load_bert
from discobert.nn.encoder import load_branch
from discobert.nn.scorer import BranchReader, summary_branch
from discobert.nn.spans import SpanExt
from discobert.stages.pieces import N_SHAPES, PieceLayout
from discobert.stages.units import lay_out_analysis
from discobert.train.features import PieceEncoder, PieceIds, weights_key
from discobert.train.network import load_tokenizer, network_config
from discobert.train.settings import SummarizerTraining

SHARED, BERT = "shared", "bert"


@dataclass(frozen=True)
class EncoderSetup:
    """A frozen lower part, a reader that may learn, and how texts are cut for them."""

    kind: str
    lower: PieceEncoder
    reader: BranchReader | BertReader
    hidden: int
    tokenizer: Tokenizer | None
    """What cuts documents anew; None: prepared documents bring their pieces."""

    @property
    def lay_out(self) -> Callable[[Analysis], PieceLayout] | None:
        """How documents are cut anew, if they are."""
        return None if self.tokenizer is None else partial(lay_out_analysis, self.tokenizer)

    def key(self) -> str:
        """Name all weights that cached vectors of pieces and units depend on."""
        return f"{self.lower.key} {weights_key(self.reader)}"


def shared_encoder(
    training: SummarizerTraining,
    *,
    lower: PieceEncoder,
    encoder: Path,
    tokenizer: Tokenizer | None = None,
    analyser_run: Path | None = None,
) -> EncoderSetup:
    """Put a branch of the summariser's own above the shared trunk.

    The branch starts as the upper layers of a BERT checkpoint, or as those an analyser has learned.
    ``tokenizer`` is needed for documents without pieces.
    """
    config = network_config(encoder)
    branch = summary_branch(
        config.encoder,
        layers=config.encoder.layers - config.trunk_layers,
        shapes=N_SHAPES,
        dropout=training.encoder_dropout,
    )
    if analyser_run is None:
        weights = load_file(encoder / "model.safetensors")
        plain = {name.removeprefix("bert."): value for name, value in weights.items()}
        load_branch(branch, plain, first_layer=config.trunk_layers)
    else:
        learned = load_file(analyser_run / "analyser.safetensors")
        prefix = "branch."
        branch.load_state_dict(
            {name.removeprefix(prefix): w for name, w in learned.items() if name.startswith(prefix)}
        )
    hidden = config.encoder.hidden
    return EncoderSetup(
        kind=SHARED,
        lower=lower,
        reader=BranchReader(branch, SpanExt(hidden), reach=training.sees()),
        hidden=hidden,
        tokenizer=tokenizer,
    )


def bert_encoder(training: SummarizerTraining, *, name: str) -> EncoderSetup:
    """Use a whole encoder by name or path, as the paper does; every document is cut anew for it."""
    if training.sees().value != "window":
        raise ConfigError("an encoder of its own reads whole windows: set reach = 'window'")
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

    tokenizer: Tokenizer = AutoTokenizer.from_pretrained(name).backend_tokenizer
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
