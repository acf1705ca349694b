"""The parser's network by arithmetic, and its numpy twin."""

from collections.abc import Callable

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from discobert.analyser.parser_states import StateLayers, StateWeights  # noqa: E402
from discobert.analyser.parser_states import (  # noqa: E402
    StateScorer as NumpyScorer,
)
from discobert.discourse.transitions import TreeSpan, features, outline  # noqa: E402
from discobert.nn.parser import (  # noqa: E402
    ParserConfig,
    StateBatch,
    StateScorer,
    StateScores,
    StateTargets,
    distillation_loss,
    mean_scores,
    parser_loss,
    span_means,
)

CONFIG = ParserConfig(edu=6, hidden=8, inner=5, dropout=0.0, relations=4)


def test_span_means_average_and_are_zero_for_nothing() -> None:
    vectors = torch.tensor([[1.0], [3.0], [8.0]])
    means = span_means(vectors, torch.tensor([[0, 2], [2, 3], [0, 0]]))
    assert means.squeeze(-1).tolist() == [2.0, 8.0, 0.0]


def halved(scorer: StateScorer) -> StateScorer:
    """Round weights to what a bundle keeps of them."""
    return scorer.eval().half().float()


@pytest.mark.parametrize("n_parsers", [1, 3])
@pytest.mark.parametrize("rounded", [halved, StateScorer.eval])
def test_numpy_scores_states_as_torch_does(
    n_parsers: int, rounded: Callable[[StateScorer], StateScorer]
) -> None:
    torch.manual_seed(0)
    scorers = [rounded(StateScorer(CONFIG)) for _ in range(n_parsers)]
    edus = torch.randn(5, 6 * n_parsers)
    shape = outline([0, 0, 1, 1, 2], [0, 2])
    views = [
        (TreeSpan(0, 1, 0), TreeSpan(1, 2, 1), 2),
        (TreeSpan(0, 2, 1), TreeSpan(2, 4, 3), 4),
        (TreeSpan(0, 4, 1), TreeSpan(4, 5, 4), 5),
    ]
    states = StateBatch(
        edus=torch.tensor([roles(below, top, queue, 5) for below, top, queue in views]),
        spans=torch.tensor(
            [[below.start, below.end, top.start, top.end] for below, top, _ in views]
        ),
        features=torch.tensor([features(shape, *view) for view in views]),
    )
    with torch.no_grad():
        said = [scorer(edus[:, 6 * m :][:, :6], states) for m, scorer in enumerate(scorers)]
    tensors = {
        f"states.{name}": torch.stack([scorer.state_dict()[name] for scorer in scorers]).numpy()
        for name in scorers[0].state_dict()
    }
    if n_parsers == 1:
        tensors = {name: values[0] for name, values in tensors.items()}
    weights = StateWeights.of(tensors)
    reader = NumpyScorer(StateLayers(weights), edus.numpy(), shape)
    reader.load([], 0)
    found = reader.score(views)
    actions = torch.stack([scores.actions for scores in said]).mean(0)
    np.testing.assert_allclose(found[:, :2], actions.numpy(), atol=1e-5)
    nuclearities = torch.stack([scores.nuclearities for scores in said]).mean(0).log_softmax(-1)
    np.testing.assert_allclose(normal(found[:, 2:5]), nuclearities.numpy(), atol=1e-5)
    relations = torch.stack([scores.relations for scores in said]).mean(0).log_softmax(-1)
    given = normal(found[:, 5:].reshape(len(found), 3, -1))
    np.testing.assert_allclose(given, relations.numpy(), atol=1e-5)


def normal(logits: np.ndarray) -> np.ndarray:
    """Turn logits into log-probabilities."""
    found: np.ndarray = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return found


def roles(below: TreeSpan, top: TreeSpan, queue: int, absent: int) -> list[int]:
    lower, upper = ([span.start, span.end - 1, span.head] for span in (below, top))
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


def uniform(n_states: int) -> StateScores:
    return StateScores(
        actions=torch.zeros(n_states, 2),
        nuclearities=torch.full((n_states, 3), -float(np.log(3))),
        relations=torch.full((n_states, 3, 4), -float(np.log(4))),
    )


def test_distillation_counts_states_with_a_choice() -> None:
    legal = torch.tensor([[True, True], [True, False], [False, True]])
    loss = distillation_loss(uniform(3), uniform(3), legal)
    assert float(loss) == pytest.approx(np.log(2) + np.log(3) + np.log(4))
    sure = uniform(3)
    sure.actions[0, 1] = 100.0  # of the only state in which one may shift or reduce
    sure.actions[1:, 0] = 100.0
    with_sure = distillation_loss(sure, sure, legal)
    assert float(with_sure) == pytest.approx(np.log(3) + np.log(4))


def test_distillation_is_zero_without_a_choice() -> None:
    assert float(distillation_loss(uniform(2), uniform(2), torch.tensor([[True, False]] * 2))) == 0


def test_teachers_are_averaged_as_in_decoding() -> None:
    torch.manual_seed(1)
    said = [
        StateScores(
            actions=torch.randn(2, 2),
            nuclearities=torch.randn(2, 3).log_softmax(-1),
            relations=torch.randn(2, 3, 4).log_softmax(-1),
        )
        for _ in range(3)
    ]
    mean = mean_scores(said)
    torch.testing.assert_close(mean.actions, sum(scores.actions for scores in said) / 3)
    torch.testing.assert_close(mean.nuclearities.exp().sum(-1), torch.ones(2))
    product = torch.stack([scores.relations for scores in said]).mean(0).exp()
    torch.testing.assert_close(mean.relations.exp(), product / product.sum(-1, keepdim=True))
