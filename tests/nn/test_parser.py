"""The parser's network by arithmetic, and its numpy twin."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from discobert.data.rst import Leaf  # noqa: E402
from discobert.logic.transitions import Piece, features, outline  # noqa: E402
from discobert.nn.parser import (  # noqa: E402
    ParserConfig,
    StateBatch,
    StateScorer,
    StateScores,
    StateTargets,
    parser_loss,
    span_means,
)
from discobert.stages.encoder import Graph  # noqa: E402
from discobert.stages.parser import (  # noqa: E402
    StateWeights,
    _Item,
    _Scorer,
    _Stack,
    upper_layers,
)

CONFIG = ParserConfig(edu=6, hidden=8, inner=5, dropout=0.0, relations=4)


def test_span_means_average_and_are_zero_for_nothing() -> None:
    vectors = torch.tensor([[1.0], [3.0], [8.0]])
    means = span_means(vectors, torch.tensor([[0, 2], [2, 3], [0, 0]]))
    assert means.squeeze(-1).tolist() == [2.0, 8.0, 0.0]


def test_numpy_scores_states_as_torch_does() -> None:
    torch.manual_seed(0)
    scorer = StateScorer(CONFIG).eval()
    edus = torch.randn(5, 6)
    shape = outline([0, 0, 1, 1, 2], [0, 2])
    views = [
        (None, None, 0),
        (None, Piece(0, 1, 0), 1),
        (Piece(0, 1, 0), Piece(1, 2, 1), 2),
        (Piece(0, 2, 1), Piece(2, 4, 3), 4),
        (Piece(0, 4, 1), Piece(4, 5, 4), 5),
    ]
    states = StateBatch(
        edus=torch.tensor([roles(below, top, queue, 5) for below, top, queue in views]),
        spans=torch.tensor(
            [
                [*((b.start, b.end) if b else (0, 0)), *((t.start, t.end) if t else (0, 0))]
                for b, t, _ in views
            ]
        ),
        features=torch.tensor([features(shape, *view) for view in views]),
    )
    with torch.no_grad():
        expected = scorer(edus, states)
    tensors = {f"states.{name}": value.numpy() for name, value in scorer.state_dict().items()}
    weights = StateWeights.of(tensors)
    reader = _Scorer(weights, Graph(upper_layers(weights)), edus.numpy())
    found = reader.score(shape, [state(*view) for view in views])
    np.testing.assert_allclose(found[:, :2], expected.actions.numpy(), atol=1e-5)
    nuclearities = found[:, 2:5] - np.log(np.exp(found[:, 2:5]).sum(1, keepdims=True))
    np.testing.assert_allclose(nuclearities, expected.nuclearities.numpy(), atol=1e-5)


def state(below: Piece | None, top: Piece | None, queue: int) -> _Item:
    rest = _Stack(below, Leaf(0), None) if below else None
    return _Item(0.0, _Stack(top, Leaf(0), rest) if top else None, queue)


def roles(below: Piece | None, top: Piece | None, queue: int, absent: int) -> list[int]:
    lower = [below.start, below.end - 1, below.head] if below else [absent] * 3
    upper = [top.start, top.end - 1, top.head] if top else [absent] * 3
    return [*lower, *upper, min(queue, absent)]


def test_loss_counts_free_choices_and_known_labels_only() -> None:
    scores = StateScores(
        actions=torch.zeros(3, 2),
        nuclearities=torch.full((3, 3), -2.0),
        relations=torch.full((3, 3, 4), -5.0),
    )
    targets = StateTargets(
        legal=torch.tensor([[True, True], [True, False], [True, True]]),
        allowed=torch.tensor([[True, False], [True, False], [True, True]]),
        nuclearity=torch.tensor([-1, 1, -1]),
        relation=torch.tensor([-1, 2, -1]),
    )
    assert float(parser_loss(scores, targets)) == pytest.approx(np.log(2) + 2 + 5)
