"""Beam parsing with weights made by hand."""

import numpy as np
import pytest

from discobert.data.rst import Nuclearity, leaves, nodes
from discobert.logic.transitions import FEATURE_VALUES, N_FEATURES, outline
from discobert.stages.parser import BeamParser, StateWeights

HIDDEN = 4


def weights(*, reduce_bias: float, nuclearity: int = 0, relation: int = 0) -> StateWeights:
    """Score every state alike: reduce or shift by a constant, one label for all."""
    outputs_bias = np.zeros(2 + 3 + 3 * 2, dtype=np.float32)
    outputs_bias[1] = reduce_bias
    outputs_bias[2 + nuclearity] = 5
    outputs_bias[5 + 2 * nuclearity + relation] = 5
    return StateWeights(
        roles=np.zeros((3, 9 * HIDDEN), dtype=np.float32),
        features=np.zeros((N_FEATURES * FEATURE_VALUES, HIDDEN), dtype=np.float32),
        inner=np.zeros((HIDDEN, HIDDEN), dtype=np.float32),
        inner_bias=np.zeros(HIDDEN, dtype=np.float32),
        outputs=np.zeros((HIDDEN, len(outputs_bias)), dtype=np.float32),
        outputs_bias=outputs_bias,
    )


def edus(count: int) -> np.ndarray:
    return np.ones((count, 3), dtype=np.float32)


@pytest.mark.parametrize("beam", [1, 4])
def test_eager_reduction_branches_left_and_late_reduction_right(beam: int) -> None:
    shape = outline([0, 0, 0], [0])
    eager = BeamParser(weights(reduce_bias=3), ("a", "b"), beam).parse(edus(3), shape)
    late = BeamParser(weights(reduce_bias=-3), ("a", "b"), beam).parse(edus(3), shape)
    assert [(node.start, node.end) for node in nodes(eager)] == [(0, 2), (0, 3)]
    assert [(node.start, node.end) for node in nodes(late)] == [(1, 3), (0, 3)]


def test_sentences_are_subtrees_whatever_the_scores_say() -> None:
    shape = outline([0, 0, 1, 1], [0])
    tree = BeamParser(weights(reduce_bias=-9), ("a", "b")).parse(edus(4), shape)
    assert {(0, 2), (2, 4)} <= {(node.start, node.end) for node in nodes(tree)}


def test_labels_are_the_most_probable_pair() -> None:
    parser = BeamParser(weights(reduce_bias=1, nuclearity=1, relation=1), ("a", "b"))
    (node,) = nodes(parser.parse(edus(2), outline([0, 0], [0])))
    assert (node.nuclearity, node.relation) == (Nuclearity.RIGHT, "b")


def test_one_edu_is_a_leaf() -> None:
    tree = BeamParser(weights(reduce_bias=1), ("a", "b")).parse(edus(1), outline([0], [0]))
    assert leaves(tree) == (0,)


def test_thousands_of_edus_give_a_deep_tree() -> None:
    shape = outline(list(range(3000)), [0])
    tree = BeamParser(weights(reduce_bias=3), ("a", "b"), beam=1).parse(edus(3000), shape)
    assert leaves(tree) == tuple(range(3000))
