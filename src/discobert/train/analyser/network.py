"""The analyser's network: built from a BERT checkpoint, saved to and loaded from run folders."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor

from discobert.errors import ConfigError, InputError
from discobert.nn.analyser import AnalyserConfig, AnalyserNet
from discobert.nn.encoder import EncoderConfig
from discobert.nn.parser import ParserConfig
from discobert.nn.pretrained import load_lower_layers, load_upper_layers
from discobert.train.analyser.gold import RELATIONS
from discobert.train.core.weights_file import read_weights_file, write_weights_file

WEIGHTS = "analyser.safetensors"
_UNUSED = 2
"""Rows of MPNet's position embeddings that no piece uses."""


def network_config(
    encoder: Path, *, dropout: float = 0.0, n_relations: int = len(RELATIONS)
) -> AnalyserConfig:
    """Fit the network to a BERT or MPNet checkpoint; half of its layers are lower layers."""
    try:
        found = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
        buckets = found.get("relative_attention_num_buckets", 0)
        sizes = EncoderConfig(
            vocabulary=found["vocab_size"],
            positions=found["max_position_embeddings"] - (_UNUSED if buckets else 0),
            hidden=found["hidden_size"],
            heads=found["num_attention_heads"],
            feed_forward=found["intermediate_size"],
            layers=found["num_hidden_layers"],
            layer_norm_eps=found["layer_norm_eps"],
            distance_buckets=buckets,
        )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{encoder}: not a BERT checkpoint: config.json: {error!r}") from error
    return AnalyserConfig(
        encoder=sizes,
        lower_layers=sizes.layers // 2,
        dropout=dropout,
        parser=ParserConfig(relations=n_relations),
    )


def build_net(config: AnalyserConfig, encoder: Path, *, train_lower: bool) -> AnalyserNet:
    """Create the network with the weights of a BERT checkpoint; its heads are random."""
    net = AnalyserNet(config)
    weights = checkpoint_weights(encoder)
    load_lower_layers(net.trunk, weights)
    load_upper_layers(net.branch, weights, first_layer=config.lower_layers)
    # Word embeddings stay frozen: half of all weights, of which few occur in gold data.
    net.trunk.requires_grad_(train_lower)
    net.trunk.embeddings.requires_grad_(False)
    return net


def checkpoint_weights(encoder: Path) -> dict[str, Tensor]:
    """Read the weights of a BERT checkpoint, by names without a leading ``bert.``."""
    weights = read_weights_file(encoder / "model.safetensors")
    return {name.removeprefix("bert."): value for name, value in weights.items()}


def load_tokenizer(encoder: Path) -> Tokenizer:
    """Read the tokenizer of a BERT checkpoint, without truncation or padding."""
    return without_limits(Tokenizer.from_file(str(encoder / "tokenizer.json")))


def without_limits(tokenizer: Tokenizer) -> Tokenizer:
    """Turn truncation and padding off, in place."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def load_weights(net: AnalyserNet, folder: Path) -> None:
    """Load the weights that an earlier run has written."""
    report = net.load_state_dict(read_weights_file(folder / WEIGHTS), strict=False)
    if report.unexpected_keys:
        raise ConfigError(
            f"{folder} holds weights this network lacks: {report.unexpected_keys[:3]}"
        )


def trained_net(run: Path, encoder: Path) -> AnalyserNet:
    """Read the network of a finished run."""
    config = network_config(encoder, n_relations=len(trained_relations(run)))
    net = build_net(config, encoder, train_lower=False)
    load_weights(net, run)
    return net.eval()


def mean_net(nets: Sequence[AnalyserNet]) -> AnalyserNet:
    """Average the weights of networks from the same start; changes and returns the first."""
    first, *rest = nets
    with torch.no_grad():
        for name, parameter in first.named_parameters():
            others = [dict(net.named_parameters())[name] for net in rest]
            parameter.copy_(torch.stack([parameter, *others]).mean(0))
    return first


def check_same_start(run: Path, other: Path) -> None:
    """Refuse runs that began with different weights: their mean would not work."""
    ours, theirs = _start_of(run), _start_of(other)
    if ours is None or ours != theirs:
        raise ConfigError(
            f"{run} and {other} did not start from the same weights, so they have no mean; "
            "train both with the same --model or --start"
        )


def _start_of(run: Path) -> str | None:
    start: str | None = _settings(run).get("start")
    return start


def check_same_encoder(run: Path, other: AnalyserNet, net: AnalyserNet) -> None:
    """Refuse a network whose encoder differs from that of ``net``."""
    ours, theirs = net.state_dict(), other.state_dict()
    encoder = [name for name in ours if name.startswith(("trunk.", "branch."))]
    if not all(torch.equal(ours[name], theirs[name]) for name in encoder):
        raise ConfigError(
            f"{run}: its parser was trained over another encoder; "
            "start it from the analyser's run, with freeze_encoder = true"
        )


def check_same_relations(run: Path, relations: tuple[str, ...]) -> None:
    """Refuse a run whose parser predicts other relations."""
    if trained_relations(run) != relations:
        raise ConfigError(f"{run}: its parser has other relations than the analyser's")


def trained_relations(folder: Path) -> tuple[str, ...]:
    """Return the relations that a run learned, from the settings beside its weights."""
    return tuple(_settings(folder)["training"].get("relations", RELATIONS))


def _settings(run: Path) -> dict[str, Any]:
    try:
        settings: dict[str, Any] = json.loads((run / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{run}: config.json of the training run: {error}") from error
    return settings


def stored_lower_layers(run: Path) -> str | None:
    """Return the checksum of the bundle's lower layers that a run was trained over, if any."""
    checksum: str | None = _settings(run).get("trunk")
    return checksum


def save_weights(net: AnalyserNet, folder: Path) -> None:
    """Write all weights but the word embeddings, which stay those of the encoder."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {
        name: p.detach().contiguous()
        for name, p in net.named_parameters()
        if not name.startswith("trunk.embeddings.")
    }
    write_weights_file(folder / WEIGHTS, kept)
