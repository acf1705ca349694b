"""Loud inputs apart: the same layer, and nothing else changes."""

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402

from discobert.nn.loud import SplitLinear, listening, split_loud  # noqa: E402


class Layer(nn.Module):
    """A feed-forward part as the encoder has it."""

    def __init__(self) -> None:
        super().__init__()
        self.widen = nn.Linear(6, 40)
        self.narrow = nn.Linear(40, 6)
        self.other = nn.Linear(40, 6)

    def forward(self, hidden: Tensor) -> Tensor:
        widened = torch.relu(self.widen(hidden))
        out: Tensor = self.narrow(widened) + self.other(widened)
        return out


@pytest.fixture
def layer() -> Layer:
    torch.manual_seed(0)
    return Layer().eval()


def test_both_parts_add_up_to_the_layer(layer: Layer) -> None:
    split = SplitLinear(layer.narrow, torch.tensor([3, 17]))
    inputs = torch.randn(2, 5, 40)
    torch.testing.assert_close(split(inputs), layer.narrow(inputs))
    assert split.rest.weight[:, [3, 17]].eq(0).all()
    assert not layer.narrow.weight[:, [3, 17]].eq(0).any()


def test_the_loudest_inputs_are_heard_and_split_off(layer: Layer) -> None:
    with torch.no_grad():
        layer.widen.bias[[2, 30]] = 50.0
    inputs = torch.randn(1, 9, 6)
    with listening(layer) as heard:
        before = layer(inputs)
        layer(torch.zeros(1, 1, 6))
    assert set(heard) == {"widen", "narrow"}
    torch.testing.assert_close(heard["widen"], inputs.abs().amax((0, 1)))
    split_loud(layer, heard, loud=2)
    assert isinstance(layer.narrow, SplitLinear)
    assert layer.narrow.get_buffer("channels").tolist() == [2, 30]
    assert isinstance(layer.other, nn.Linear)
    torch.testing.assert_close(layer(inputs), before)
    heard.clear()
    layer(inputs)
    assert not heard


def test_a_layer_with_few_inputs_stays_whole(layer: Layer) -> None:
    split_loud(layer, {"widen": torch.ones(6), "narrow": torch.ones(40)}, loud=6)
    assert isinstance(layer.widen, nn.Linear)
    assert isinstance(layer.narrow, SplitLinear)
