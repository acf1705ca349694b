"""Outlier features of feed-forward layers, kept out of int8 quantisation.

In int8 all inputs of a layer share one scale. A few features of BERT are ten times as large as the
rest, for which a dozen steps would be left. So these are multiplied apart, in single precision.
H width, F inner width, P pieces.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.nn.encoder import OnnxModel, TransformerLayer, Value

N_OUTLIERS = 8
"""Outlier inputs of a layer."""
OUTLIER_PREFIX = "loud_"
"""How the names of the layers for outliers begin."""


class SplitFeedForward(nn.Module):
    """A feed-forward layer with small layers of their own for outlier inputs and inner features.

    Splitting inner features costs nothing: each is a row of one matrix and a column of the next.
    The attributes ``quiet`` (all but the outliers) and ``loud_…`` name weights in bundles.
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
        outliers = self.loud_inputs(hidden[..., self.get_buffer("inputs")])
        widened = _gelu(self.widen(hidden * self.get_buffer("quiet")) + outliers)
        inner = _gelu(self.loud_widen(hidden))
        output: Tensor = self.narrow(widened) + self.loud_narrow(inner)
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
def recorded_maxima(module: nn.Module) -> Iterator[dict[str, Tensor]]:
    """Record the largest absolute value of each feed-forward input, by layer, while it runs."""
    maxima: dict[str, Tensor] = {}
    with ExitStack() as hooks:
        for name, layer in _layers(module):
            for part, linear in (("widen", layer.widen), ("narrow", layer.narrow)):
                hook = linear.register_forward_pre_hook(_recorder(maxima, f"{name}.{part}"))
                hooks.callback(hook.remove)
        yield maxima


def split_outliers(
    module: nn.Module, maxima: Mapping[str, Tensor], *, count: int = N_OUTLIERS
) -> None:
    """Split the feed-forward layers of which maxima were recorded, in place."""
    for name, layer in _layers(module):
        if f"{name}.widen" in maxima:
            inputs, inner = (
                _largest(maxima[f"{name}.{part}"], count) for part in ("widen", "narrow")
            )
            layer.apart = SplitFeedForward(layer.widen, layer.narrow, inputs, inner)


def _largest(maxima: Tensor, count: int) -> Tensor:
    """Return the features with the largest maxima in order, but never all of them."""
    found: Tensor = maxima.topk(min(count, len(maxima) - 1)).indices.sort().values
    return found


def _layers(module: nn.Module) -> list[tuple[str, TransformerLayer]]:
    return [
        (name, layer)
        for name, layer in module.named_modules()
        if isinstance(layer, TransformerLayer)
    ]


def _recorder(
    maxima: dict[str, Tensor], name: str
) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
    def record(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        largest = inputs[0].detach().flatten(0, -2).abs().amax(0)
        maxima[name] = torch.maximum(maxima[name], largest) if name in maxima else largest

    return record
