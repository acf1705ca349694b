"""The encoder below the summariser: the trunk shared with the analyser, or a BERT of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from discobert.data.summary import Analysis
from discobert.errors import ConfigError, InputError
from discobert.nn.analyser import AnalyserConfig
from discobert.nn.bert import BertReader, check_positions, freeze_lower, load_bert
from discobert.nn.encoder import LowerLayers
from discobert.nn.pretrained import load_branch, load_trunk
from discobert.nn.readers import BranchReader, summary_branch
from discobert.nn.spans import SpanExt
from discobert.runtime.pieces import N_SHAPES, PieceLayout, lay_out_analysis, lay_out_edus
from discobert.scorer.features import UnitSpan
from discobert.train.analyser.network import load_tokenizer, network_config
from discobert.train.summarizer.align import Teacher
from discobert.train.summarizer.features import PieceEncoder, PieceIds, Trained, weights_key
from discobert.train.summarizer.settings import SummarizerTraining

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
    teacher: Teacher | None = None
    """The encoder as it came."""

    def lay_out(self, training: SummarizerTraining) -> Callable[[Analysis], PieceLayout] | None:
        """Return how documents are cut anew, if they are."""
        by_edus = training.items().units.edu_span is UnitSpan.CLS
        if self.tokenizer is None:
            if by_edus:
                raise ConfigError("edu_span = 'cls' cuts documents anew: a tokenizer is needed")
            return None
        return partial(lay_out_edus if by_edus else lay_out_analysis, self.tokenizer)

    def key(self, *, spans: bool) -> str:
        """Name all weights that cached vectors depend on; those of pieces do not on SpanExt's."""
        return f"{self.lower.key} {weights_key(self.reader, without='' if spans else 'spans.')}"


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
    weights = load_file(encoder / "model.safetensors")
    plain = {name.removeprefix("bert."): value for name, value in weights.items()}
    load_branch(branch, plain, first_layer=config.trunk_layers)
    teacher = _teacher(training, config, plain)
    if analyser_run is not None:
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
        teacher=teacher,
    )


def _teacher(
    training: SummarizerTraining, config: AnalyserConfig, weights: dict[str, Tensor]
) -> Teacher | None:
    """Load the whole checkpoint once more, if there is somebody to teach."""
    if training.is_trained is not Trained.ALIGN:
        return None
    trunk = LowerLayers(config.encoder, layers=config.trunk_layers)
    load_trunk(trunk, weights)
    layers = config.encoder.layers - config.trunk_layers
    branch = summary_branch(config.encoder, layers=layers, shapes=N_SHAPES)
    load_branch(branch, weights, first_layer=config.trunk_layers)
    reader = BranchReader(branch, SpanExt(config.encoder.hidden), reach=training.sees())
    return Teacher(trunk.eval().requires_grad_(False), reader.eval().requires_grad_(False))


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
        tokenizer = load_tokenizer(Path(name))
    else:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(name).backend_tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()
    return tokenizer
