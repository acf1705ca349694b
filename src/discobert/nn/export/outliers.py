"""Loud features of feed-forward parts, kept out of quantisation.

In int8 one scale measures all inputs of a layer. A few features of BERT are ten times as loud as
the rest, which would then be told in a dozen steps. So they are read apart, in single precision.
H width, F inner width, P pieces.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.nn.encoder import OnnxModel, TransformerLayer, Value

LOUD = 8
"""Inputs of a layer that are read apart."""
APART = "loud_"
"""How the names of the layers for loud features begin."""


class SplitFeedForward(nn.Module):
    """A feed-forward part, the loud among its inputs and inner features apart from the rest.

    Inner features can be told apart without a cost: each is a row of one matrix and a column of the
    next, so the loud ones make a small part of their own beside the large one.
    """

    def __init__(self, widen: nn.Linear, narrow: nn.Linear, inputs: Tensor, inner: Tensor) -> None:
        super().__init__()
        quiet = torch.ones(widen.in_features)
        quiet[inputs] = 0
        self.register_buffer("quiet", quiet)
        self.register_buffer("inputs", inputs)
        is_inner = torch.zeros(widen.out_features, dtype=torch.bool)
        is_inner[inner] = True
        weight, bias = widen.weight.detach(), widen.bias.detach()
        self.widen = _linear(weight[~is_inner] * quiet, bias[~is_inner])
        self.narrow = _linear(narrow.weight[:, ~is_inner], narrow.bias)
        self.loud_inputs = _linear(weight[~is_inner][:, inputs])
        self.loud_widen = _linear(weight[is_inner], bias[is_inner])
        self.loud_narrow = _linear(narrow.weight[:, is_inner])

    def forward(self, hidden: Tensor) -> Tensor:
        """Map (..., P, H) to (..., P, H)."""
        loud = self.loud_inputs(hidden[..., self.get_buffer("inputs")])
        widened = _gelu(self.widen(hidden * self.get_buffer("quiet")) + loud)
        loud_inner = _gelu(self.loud_widen(hidden))
        output: Tensor = self.narrow(widened) + self.loud_narrow(loud_inner)
        return output


class FastGelu(torch.autograd.Function):
    """GELU by its tanh formula, exported as the one operator ONNX Runtime has for it.

    It takes two thirds of the time and differs by less than 0.0005; int8 rounds off more.
    """

    @staticmethod
    def forward(ctx: object, values: Tensor) -> Tensor:
        """Map each value."""
        return functional.gelu(values, approximate="tanh")

    @staticmethod
    def symbolic(g: OnnxModel, values: Value) -> Value:
        """Name the operator for the exporter."""
        return g.op("com.microsoft::FastGelu", values).setType(values.type())


def _gelu(values: Tensor) -> Tensor:
    found: Tensor = FastGelu.apply(values)  # type: ignore[no-untyped-call]
    return found


def _linear(weight: Tensor, bias: Tensor | None = None) -> nn.Linear:
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    layer.weight = nn.Parameter(weight.detach().clone())
    if bias is not None:
        layer.bias = nn.Parameter(bias.detach().clone())
    return layer


@contextmanager
def listening(module: nn.Module) -> Iterator[dict[str, Tensor]]:
    """Note, by name, how loud each input of the feed-forward layers gets while the module runs."""
    heard: dict[str, Tensor] = {}
    with ExitStack() as hooks:
        for name, layer in _layers(module):
            for part, linear in (("widen", layer.widen), ("narrow", layer.narrow)):
                hook = linear.register_forward_pre_hook(_noting(heard, f"{name}.{part}"))
                hooks.callback(hook.remove)
        yield heard


def split_loud(module: nn.Module, heard: Mapping[str, Tensor], *, loud: int = LOUD) -> None:
    """Split the feed-forward parts that were heard, in place."""
    for name, layer in _layers(module):
        if f"{name}.widen" in heard:
            inputs, inner = (
                _loudest(heard[f"{name}.{part}"], loud) for part in ("widen", "narrow")
            )
            layer.apart = SplitFeedForward(layer.widen, layer.narrow, inputs, inner)


def _loudest(loudness: Tensor, count: int) -> Tensor:
    """Return the loudest features in order; one at least stays with the rest."""
    found: Tensor = loudness.topk(min(count, len(loudness) - 1)).indices.sort().values
    return found


def _layers(module: nn.Module) -> list[tuple[str, TransformerLayer]]:
    return [
        (name, layer)
        for name, layer in module.named_modules()
        if isinstance(layer, TransformerLayer)
    ]


def _noting(heard: dict[str, Tensor], name: str) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
    def note(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        loudness = inputs[0].detach().flatten(0, -2).abs().amax(0)
        heard[name] = torch.maximum(heard[name], loudness) if name in heard else loudness

    return note
