"""The summariser's network, whole or only what learns above the cache."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from discobert.errors import ConfigError, InputError
from discobert.nn.ranker import Ranker
from discobert.nn.readers import GivenUnits, PieceReader
from discobert.nn.scorer import DocumentPart, SummarizerNet
from discobert.train.core.loop import ParameterGroup
from discobert.train.summarizer.encoders import EncoderSetup
from discobert.train.summarizer.features import Trained
from discobert.train.summarizer.settings import SummarizerTraining

READER = "reader."
WEIGHTS = "summarizer.safetensors"


def build_summarizer(training: SummarizerTraining, setup: EncoderSetup) -> SummarizerNet:
    """Assemble the whole network."""
    config = training.network(hidden=setup.hidden)
    ranker = Ranker(config.inner) if training.rank_weight > 0 else None
    return SummarizerNet(setup.reader, DocumentPart(config, ranker=ranker))


def learning_part(whole: SummarizerNet, setup: EncoderSetup, trained: Trained) -> SummarizerNet:
    """Return the network above what is cached; its modules are those of the whole."""
    if trained is Trained.ALIGN:
        whole.document.requires_grad_(False)
        setup.reader.spans.requires_grad_(False)
    if trained is Trained.RANKER:
        whole.requires_grad_(False)
        if whole.document.ranker is not None:
            whole.document.ranker.requires_grad_(True)
    if trained.reads_units:
        return SummarizerNet(GivenUnits(), whole.document)
    if trained is Trained.SPANS:
        return SummarizerNet(PieceReader(setup.reader.spans), whole.document)
    return whole


def parameter_groups(
    net: SummarizerNet, training: SummarizerTraining
) -> tuple[ParameterGroup, ParameterGroup]:
    """Let the encoder learn at its own rate; SpanExt and all above it at the other."""
    encoder: list[nn.Parameter] = []
    rest: list[nn.Parameter] = []
    for name, parameter in net.named_parameters():
        if parameter.requires_grad:
            below = name.startswith(("reader.branch.", "reader.model."))
            (encoder if below else rest).append(parameter)
    return (
        ParameterGroup(tuple(encoder), training.encoder_rate),
        ParameterGroup(tuple(rest), training.rate),
    )


def whole_weights(net: SummarizerNet, trained: Trained) -> dict[str, Tensor]:
    """Copy all weights, learned here or not; of a stage for the encoder alone, the encoder's."""
    return {
        name: value.detach().cpu().contiguous()
        for name, value in net.state_dict().items()
        if trained is not Trained.ALIGN or name.startswith(READER)
    }


def load_start(net: SummarizerNet, folder: Path) -> None:
    """Take over the weights of an earlier stage; only a ranker may be new or dropped.

    A stage that taught the encoder alone leaves all above it as it is.
    """
    weights = read_weights(folder)
    if all(name.startswith(READER) for name in weights):
        load_reader(net.reader, folder)
        return
    try:
        report = net.load_state_dict(dict(weights), strict=False)
    except RuntimeError as error:
        raise ConfigError(
            f"{folder / WEIGHTS} does not fit this network: {_first(error)}"
        ) from error
    odd = [*report.missing_keys, *report.unexpected_keys]
    odd = [name for name in odd if not name.startswith("document.ranker.")]
    if odd:
        raise ConfigError(
            f"{folder / WEIGHTS} does not fit this network: {odd[0]} and {len(odd) - 1} more; "
            "keep the options of the network as they were"
        )


def mix_in(net: SummarizerNet, folder: Path, *, share: float) -> None:
    """Move all weights towards those of an earlier stage that have the same name."""
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
    try:
        weights: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError) as error:
        raise InputError(f"{path}: damaged or cut short: {error}") from error
    return weights


def load_reader(reader: nn.Module, folder: Path) -> None:
    """Take over the encoder of an earlier stage, and nothing above it."""
    weights = read_weights(folder)
    below = {name.removeprefix(READER): w for name, w in weights.items() if name.startswith(READER)}
    try:
        reader.load_state_dict(below)
    except RuntimeError as error:
        raise ConfigError(
            f"{folder / WEIGHTS} does not fit this encoder: {_first(error)}"
        ) from error


def _first(error: RuntimeError) -> str:
    """Return what does not fit first; torch lists every weight."""
    lines = str(error).splitlines()
    return lines[min(1, len(lines) - 1)].strip()
