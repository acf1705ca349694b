"""Graph encoders by arithmetic."""

import pytest

torch = pytest.importorskip("torch")

from discobert.errors import ConfigError  # noqa: E402 - after the check
from discobert.nn.graphs import (  # noqa: E402
    Directions,
    GraphEncoder,
    GraphLayer,
    Neighbours,
    Toward,
)

EDGES = torch.tensor([[1, 2, 2], [0, 0, 1]])
"""1 leans on 0; 2 leans on 0 and 1."""


def identity(toward: Toward, *, bias: float = 0.0) -> Neighbours:
    heard = Neighbours(2, toward)
    torch.nn.init.eye_(heard.linear.weight)
    torch.nn.init.constant_(heard.linear.bias, bias)
    return heard


def test_heads_are_averaged() -> None:
    hidden = torch.tensor([[2.0, 4.0], [4.0, 8.0], [9.0, 9.0]])
    heard = identity(Toward.HEADS)(hidden, EDGES)
    assert heard.tolist() == [[0, 0], [2, 4], [3, 6]]


def test_dependents_are_the_other_way_round() -> None:
    hidden = torch.tensor([[9.0, 9.0], [2.0, 4.0], [4.0, 8.0]])
    heard = identity(Toward.DEPENDENTS)(hidden, EDGES)
    assert heard.tolist() == [[3, 6], [4, 8], [0, 0]]


def test_an_isolated_node_gets_the_bias() -> None:
    heard = identity(Toward.HEADS, bias=0.5)(torch.ones(3, 2), torch.zeros(2, 0, dtype=torch.long))
    assert heard.tolist() == [[0.5, 0.5]] * 3


def test_many_neighbours_do_not_swamp_a_node() -> None:
    star = torch.stack([torch.zeros(99, dtype=torch.long), torch.arange(1, 100)])
    heard = identity(Toward.HEADS)(torch.ones(100, 2), star)
    assert heard[0].tolist() == [1, 1]


def test_directions_have_matrices_of_their_own() -> None:
    both = GraphLayer(4, Directions.BOTH, dropout=0.0)
    paper = GraphLayer(4, Directions.HEADS, dropout=0.0)
    assert [len(layer.neighbours) for layer in (both, paper)] == [2, 1]
    ways = [both.get_parameter(f"neighbours.{way}.linear.weight") for way in (0, 1)]
    assert ways[0] is not ways[1]


def test_layer_is_the_papers_formula() -> None:
    torch.manual_seed(0)
    layer = GraphLayer(4, Directions.HEADS, dropout=0.0)
    hidden = torch.randn(3, 4)
    update = layer.narrow(torch.relu(layer.widen(hidden)))
    inner = layer.inner_norm(hidden + update)
    weight, bias = (layer.get_parameter(f"neighbours.0.linear.{n}") for n in ("weight", "bias"))
    means = torch.stack([torch.zeros(4), inner[0], (inner[0] + inner[1]) / 2])
    expected = layer.output_norm(torch.relu(means @ weight.T + bias) + inner)
    torch.testing.assert_close(layer(hidden, EDGES), expected)


def test_order_of_edges_does_not_matter() -> None:
    torch.manual_seed(0)
    encoder = GraphEncoder(4, layers=2, directions=Directions.BOTH).eval()
    hidden = torch.randn(3, 4)
    torch.testing.assert_close(encoder(hidden, EDGES), encoder(hidden, EDGES[:, [2, 0, 1]]))


def test_k_layers_reach_k_steps_far() -> None:
    chain = torch.tensor([[1, 2, 3], [0, 1, 2]])
    encoder = GraphEncoder(4, layers=2, directions=Directions.HEADS, dropout=0.0)
    hidden = torch.randn(4, 4, requires_grad=True)
    encoder(hidden, chain)[3].square().sum().backward()
    assert hidden.grad is not None
    reached = [bool(row.abs().sum() > 1e-9) for row in hidden.grad]
    assert reached == [False, True, True, True]


def test_unknown_directions_are_refused() -> None:
    with pytest.raises(ConfigError, match="heads, both"):
        Directions("up")
