"""Outlier features split off: the feed-forward layer computes the same."""

import pytest

torch = pytest.importorskip("torch")

from discobert.nn.encoder import EncoderConfig, TransformerLayer  # noqa: E402
from discobert.nn.export.outliers import SplitFeedForward, recorded_maxima, split_outliers  # noqa: E402


@pytest.fixture
def layer() -> TransformerLayer:
    torch.manual_seed(0)
    return TransformerLayer(EncoderConfig(hidden=6, heads=2, feed_forward=40)).eval()


def test_both_parts_add_up_to_the_whole(layer: TransformerLayer) -> None:
    inputs, inner = torch.tensor([1, 4]), torch.tensor([3, 17, 20])
    split = SplitFeedForward(layer.widen, layer.narrow, inputs, inner)
    hidden = torch.randn(2, 5, 6)
    whole = layer.narrow(torch.nn.functional.gelu(layer.widen(hidden)))
    torch.testing.assert_close(split(hidden), whole, atol=1e-3, rtol=0)
    assert split.widen.weight[:, inputs].eq(0).all()
    assert not layer.widen.weight[:, inputs].eq(0).any()
    assert split.narrow.in_features == 37


def test_the_largest_features_are_split_off(layer: TransformerLayer) -> None:
    with torch.no_grad():
        layer.widen.bias[[2, 30]] = 50.0
        layer.attended_norm.bias[[0, 5]] = -30.0
    hidden = torch.randn(1, 9, 6)
    with recorded_maxima(torch.nn.ModuleList([layer])) as maxima:
        before = layer(hidden, None)
        layer(torch.zeros(1, 1, 6), None)
    assert set(maxima) == {"0.widen", "0.narrow"}
    assert maxima["0.widen"].shape == (6,)
    assert maxima["0.narrow"].shape == (40,)
    split_outliers(torch.nn.ModuleList([layer]), maxima, count=2)
    assert isinstance(layer.apart, SplitFeedForward)
    assert layer.apart.get_buffer("inputs").tolist() == [0, 5]
    torch.testing.assert_close(layer.apart.loud_widen.bias, torch.tensor([50.0, 50.0]))
    torch.testing.assert_close(layer(hidden, None), before, atol=1e-3, rtol=0)
    maxima.clear()
    layer(hidden, None)
    assert not maxima


def test_a_layer_without_recorded_maxima_is_not_split(layer: TransformerLayer) -> None:
    split_outliers(torch.nn.ModuleList([layer]), {}, count=2)
    assert layer.apart is None


def test_a_narrow_layer_keeps_a_quiet_feature(layer: TransformerLayer) -> None:
    maxima = {"0.widen": torch.arange(6.0), "0.narrow": torch.arange(40.0)}
    split_outliers(torch.nn.ModuleList([layer]), maxima, count=8)
    assert isinstance(layer.apart, SplitFeedForward)
    assert layer.apart.get_buffer("inputs").tolist() == [1, 2, 3, 4, 5]
    assert layer.apart.narrow.in_features == 32
