"""Loud inputs of linear layers, kept out of quantisation.

In int8 one scale measures all inputs of a layer. A few features of BERT are ten times as loud as
the rest, which would then be told in a dozen steps. So they are read apart, in single precision.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

import torch
from torch import Tensor, nn

LOUD = 16
"""Inputs of a layer that are read apart."""
LAYERS = ("widen", "narrow")
"""Names of the layers whose inputs are that uneven: those of the feed-forward part."""


class SplitLinear(nn.Module):
    """A linear layer in two parts, which add up to the whole: quiet inputs and loud ones."""

    def __init__(self, layer: nn.Linear, channels: Tensor) -> None:
        super().__init__()
        self.register_buffer("channels", channels)
        quiet = torch.ones(layer.in_features)
        quiet[channels] = 0
        self.register_buffer("quiet", quiet)
        self.rest = copy.deepcopy(layer)
        self.loud = nn.Linear(len(channels), layer.out_features, bias=False)
        with torch.no_grad():
            self.rest.weight[:, channels] = 0
            self.loud.weight.copy_(layer.weight[:, channels])

    def forward(self, inputs: Tensor) -> Tensor:
        """Map (..., F) to (..., H)."""
        loud: Tensor = self.loud(inputs[..., self.get_buffer("channels")])
        rest: Tensor = self.rest(inputs * self.get_buffer("quiet"))
        return rest + loud


@contextmanager
def listening(module: nn.Module) -> Iterator[dict[str, Tensor]]:
    """Note, by name, how loud each input of the layers gets while the module runs."""
    heard: dict[str, Tensor] = {}
    with ExitStack() as hooks:
        for name, layer in _layers(module):
            hook = layer.register_forward_pre_hook(_noting(heard, name))
            hooks.callback(hook.remove)
        yield heard


def split_loud(module: nn.Module, heard: Mapping[str, Tensor], *, loud: int = LOUD) -> None:
    """Split the layers that were heard, in place."""
    for name, layer in _layers(module):
        if name in heard and loud < layer.in_features:
            parent, _, last = name.rpartition(".")
            channels = heard[name].topk(loud).indices.sort().values
            setattr(module.get_submodule(parent), last, SplitLinear(layer, channels))


def _layers(module: nn.Module) -> list[tuple[str, nn.Linear]]:
    return [
        (name, layer)
        for name, layer in module.named_modules()
        if isinstance(layer, nn.Linear) and name.rpartition(".")[2] in LAYERS
    ]


def _noting(heard: dict[str, Tensor], name: str) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
    def note(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        loudness = inputs[0].detach().flatten(0, -2).abs().amax(0)
        heard[name] = torch.maximum(heard[name], loudness) if name in heard else loudness

    return note
