"""The sentence network at run time against torch, on random weights."""

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from discobert.nn.sentences import (  # noqa: E402 - after the check
    N_FEATURES,
    EditorHeads,
    NeverNet,
    SentenceNet,
    average_heads,
)
from discobert.runtime.pieces import mean_pieces  # noqa: E402
from discobert.scorer.sentence_features import N_NEVER_INPUTS, WINDOW, never_inputs  # noqa: E402
from discobert.scorer.sentence_network import (  # noqa: E402
    SentenceInputs,
    SentenceNetwork,
    sentence_inputs,
)

HIDDEN, WIDTH = 12, 16
HEAD_INPUTS = WIDTH + N_FEATURES + 2
SENTENCES = ("The river rose.", "It flooded the mill", "Nobody was hurt, the mayor said.")


class Networks:
    """Torch modules with random weights, and the runtime's network with the same."""

    def __init__(self) -> None:
        torch.manual_seed(5)
        self.net = SentenceNet(hidden=HIDDEN, width=WIDTH, feed_forward=24, n_layers=2)
        self.heads = [EditorHeads(HEAD_INPUTS, hidden=4, dropout=0.3) for _ in range(2)]
        self.never = NeverNet(hidden=6)
        for module in (self.net, *self.heads, self.never):
            module.eval()
            for parameter in module.parameters():
                parameter.data += 0.1 * torch.randn_like(parameter)
        tensors = dict(self.net.state_dict())
        tensors |= {f"editors.{name}": x for name, x in average_heads(self.heads).items()}
        tensors |= {f"surface.{name}": x for name, x in self.never.tensors().items()}
        for name, size in (("editors", HEAD_INPUTS), ("surface", N_NEVER_INPUTS)):
            tensors[f"{name}.mean"], tensors[f"{name}.scale"] = torch.zeros(size), torch.ones(size)
        self.runtime = SentenceNetwork.of(
            {name: value.detach().numpy() for name, value in tensors.items()}
        )


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks()


def inputs_of(n: int) -> SentenceInputs:
    rng = np.random.default_rng(n)
    attended, mean = rng.normal(size=(2, n, HIDDEN)).astype(np.float32)
    surface = rng.random(size=(n, 42)).astype(np.float32)
    never: NDArray[np.float32] = rng.random(n).astype(np.float32)
    return sentence_inputs(attended, mean, surface, never)


def torch_logits(networks: Networks, inputs: SentenceInputs) -> NDArray[np.float32]:
    rows = torch.from_numpy(inputs.rows)[None]
    places = torch.from_numpy(inputs.places).long()[None]
    with torch.no_grad():
        states = networks.net.states(rows, places, torch.tensor([len(inputs.rows)]))
        extra = networks.net.standardised(rows)
        scores = networks.net.scores(states, extra)
        joined = torch.cat([states, extra[..., -N_FEATURES:], scores / 2], -1)
        editors = torch.stack([head(joined[0]) for head in networks.heads]).mean(0)
        found: NDArray[np.float32] = torch.cat([scores[0], editors], 1).numpy()
    return found


@pytest.mark.parametrize("n", [1, 7, 50])
def test_equals_torch(networks: Networks, n: int) -> None:
    inputs = inputs_of(n)
    expected = torch_logits(networks, inputs)
    np.testing.assert_allclose(networks.runtime.logits(inputs)[0], expected, atol=1e-4)


def test_padding_changes_nothing(networks: Networks) -> None:
    inputs = inputs_of(5)
    rows = torch.zeros(1, 9, inputs.rows.shape[1])
    places = torch.zeros(1, 9, dtype=torch.long)
    rows[0, :5] = torch.from_numpy(inputs.rows)
    places[0, :5] = torch.from_numpy(inputs.places)
    with torch.no_grad():
        padded = networks.net(rows, places, torch.tensor([5]))[0, :5].numpy()
    np.testing.assert_allclose(padded, torch_logits(networks, inputs)[:, :2], atol=1e-5)


def test_model_of_furniture_equals_torch(networks: Networks) -> None:
    surface = np.random.default_rng(0).random(size=(6, 42)).astype(np.float32)
    with torch.no_grad():
        expected = torch.sigmoid(networks.never(torch.from_numpy(never_inputs(surface)))).numpy()
    np.testing.assert_allclose(networks.runtime.never(surface), expected, atol=1e-5)


@pytest.mark.parametrize("n", [1, 3, 2 * WINDOW])
def test_scores_every_sentence(networks: Networks, n: int) -> None:
    texts = [SENTENCES[index % 3] for index in range(n)]
    attended, mean = np.random.default_rng(1).normal(size=(2, n, HIDDEN)).astype(np.float32)
    found = networks.runtime(attended, mean, texts, (0,))
    for column in (found.salience, found.gain, found.best, found.never):
        assert column.shape == (n,)
        assert np.isfinite(column).all()
    assert ((found.never >= 0) & (found.never <= 1)).all()
    assert len(found.values().best) == n


def test_mean_of_pieces() -> None:
    pieces = np.array([[1, 2], [3, 4], [5, 6]], dtype=np.float32)
    ranges = np.array([[0, 2], [0, 0], [2, 3]], dtype=np.int32)
    np.testing.assert_array_equal(mean_pieces(pieces, ranges), [[2, 3], [0, 0], [5, 6]])
