"""The summariser's network: built, loaded from runs, and its trained part."""

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from discobert.errors import ConfigError, InputError
from discobert.nn.ranker import Ranker
from discobert.nn.readers import CachedPieces, CachedUnits
from discobert.nn.scorer import DocumentPart, SummarizerNet
from discobert.train.core.loop import ParameterGroup
from discobert.train.core.weights_file import read_weights_file
from discobert.train.summarizer.encoders import EncoderSetup
from discobert.train.summarizer.settings import SummarizerTraining, TrainedPart

READER = "reader."
WEIGHTS = "summarizer.safetensors"


def build_summarizer(training: SummarizerTraining, setup: EncoderSetup) -> SummarizerNet:
    """Assemble the whole network."""
    config = training.network(hidden=setup.hidden)
    ranker = Ranker(config.inner) if training.rank_weight > 0 else None
    return SummarizerNet(setup.reader, DocumentPart(config, ranker=ranker))


def trained_network(whole: SummarizerNet, setup: EncoderSetup, part: TrainedPart) -> SummarizerNet:
    """Return the network above the cached features; it shares its modules with the whole."""
    if part is TrainedPart.ALIGN:
        whole.document.requires_grad_(False)
        setup.reader.spans.requires_grad_(False)
    if part is TrainedPart.RANKER:
        whole.requires_grad_(False)
        if whole.document.ranker is not None:
            whole.document.ranker.requires_grad_(True)
    if part.caches_units:
        return SummarizerNet(CachedUnits(), whole.document)
    if part is TrainedPart.SPANS:
        return SummarizerNet(CachedPieces(setup.reader.spans), whole.document)
    return whole


def parameter_groups(
    net: SummarizerNet, training: SummarizerTraining
) -> tuple[ParameterGroup, ParameterGroup]:
    """Return the encoder's parameters and all others, each with their learning rate."""
    encoder: list[nn.Parameter] = []
    rest: list[nn.Parameter] = []
    for name, parameter in net.named_parameters():
        if parameter.requires_grad:
            in_encoder = name.startswith(("reader.branch.", "reader.model."))
            (encoder if in_encoder else rest).append(parameter)
    return (
        ParameterGroup(tuple(encoder), training.encoder_rate),
        ParameterGroup(tuple(rest), training.rate),
    )


def whole_weights(net: SummarizerNet, part: TrainedPart) -> dict[str, Tensor]:
    """Copy all weights, trained or not; of an alignment, those of the encoder alone."""
    return {
        name: value.detach().cpu().contiguous()
        for name, value in net.state_dict().items()
        if part is not TrainedPart.ALIGN or name.startswith(READER)
    }


def load_start(net: SummarizerNet, folder: Path) -> None:
    """Load the weights of an earlier run; only a ranker may be missing in one of both.

    A run of an encoder alone leaves all above it unchanged.
    """
    weights = read_weights(folder)
    if all(name.startswith(READER) for name in weights):
        load_reader(net.reader, folder)
        return
    try:
        report = net.load_state_dict(dict(weights), strict=False)
    except RuntimeError as error:
        raise ConfigError(
            f"{folder / WEIGHTS} does not fit this network: {_first_mismatch(error)}"
        ) from error
    odd = [*report.missing_keys, *report.unexpected_keys]
    odd = [name for name in odd if not name.startswith("document.ranker.")]
    if odd:
        raise ConfigError(
            f"{folder / WEIGHTS} does not fit this network: {odd[0]} and {len(odd) - 1} more; "
            "keep the options of the network as they were"
        )


def interpolate(net: SummarizerNet, folder: Path, *, share: float) -> None:
    """Replace each weight by a mean of itself and that of an earlier run."""
    earlier = read_weights(folder)
    with torch.no_grad():
        for name, value in net.state_dict().items():
            if name in earlier and value.is_floating_point():
                value.lerp_(earlier[name].to(value), share)


def read_weights(folder: Path) -> Mapping[str, Tensor]:
    """Read the weights of a run."""
    path = folder / WEIGHTS
    if not path.is_file():
        raise InputError(f"{path}: no such file; name the folder that training has finished")
    return read_weights_file(path)


def load_reader(reader: nn.Module, folder: Path) -> None:
    """Load the encoder of an earlier run, and nothing above it."""
    weights = read_weights(folder)
    encoder = {
        name.removeprefix(READER): w for name, w in weights.items() if name.startswith(READER)
    }
    try:
        reader.load_state_dict(encoder)
    except RuntimeError as error:
        raise ConfigError(
            f"{folder / WEIGHTS} does not fit this encoder: {_first_mismatch(error)}"
        ) from error


def _first_mismatch(error: RuntimeError) -> str:
    """Return the first line about a weight; torch lists every one."""
    lines = str(error).splitlines()
    return lines[min(1, len(lines) - 1)].strip()
