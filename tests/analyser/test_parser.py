"""Beam parsing with weights made by hand."""

import numpy as np
import pytest

from discobert.analyser import parser_rows, parser_states
from discobert.analyser.parser import BeamParser
from discobert.analyser.parser_rows import EduRows
from discobert.analyser.parser_states import State, StateLayers, StateScorer, StateWeights
from discobert.data.rst import Nuclearity, leaves, nodes
from discobert.discourse.transitions import (
    FEATURE_VALUES,
    N_FEATURES,
    NUCLEARITIES,
    Outline,
    TreeSpan,
    head_of,
    legal,
    outline,
)

HIDDEN = 4


def weights(*, reduce_bias: float, nuclearity: int = 0, relation: int = 0) -> StateWeights:
    """Score every state alike: reduce or shift by a constant, one label for all."""
    outputs_bias = np.zeros(2 + 3 + 3 * 2, dtype=np.float32)
    outputs_bias[1] = reduce_bias
    outputs_bias[2 + nuclearity] = 5
    outputs_bias[5 + 2 * nuclearity + relation] = 5
    return StateWeights(
        roles=np.zeros((1, 9 * HIDDEN, 3), dtype=np.float32),
        features=np.zeros((N_FEATURES * FEATURE_VALUES, HIDDEN), dtype=np.float32),
        inner=np.zeros((1, HIDDEN, HIDDEN), dtype=np.float32),
        inner_bias=np.zeros((1, HIDDEN), dtype=np.float32),
        outputs=np.zeros((1, HIDDEN, len(outputs_bias)), dtype=np.float32),
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


def random_weights() -> StateWeights:
    rng = np.random.default_rng(3)
    sizes = {
        "roles": (1, 9 * HIDDEN, 3),
        "features": (N_FEATURES * FEATURE_VALUES, HIDDEN),
        "inner": (1, HIDDEN, HIDDEN),
        "inner_bias": (1, HIDDEN),
        "outputs": (1, HIDDEN, 11),
        "outputs_bias": (11,),
    }
    return StateWeights(
        **{name: rng.standard_normal(size).astype(np.float32) for name, size in sizes.items()}
    )


@pytest.mark.parametrize("stretch", [1, 2, 7, 50])
def test_trees_are_the_same_whatever_is_let_go(
    stretch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = np.random.default_rng(4).standard_normal((60, 3)).astype(np.float32)
    shape = outline([number // 3 for number in range(60)], [0, 5, 11])
    parser = BeamParser(random_weights(), ("a", "b"))
    whole = parser.parse(vectors, shape)
    monkeypatch.setattr(parser_rows, "STRETCH", stretch)
    assert nodes(parser.parse(vectors, shape)) == nodes(whole)


def best_by_trying_all(scorer: StateScorer, shape: Outline) -> set[tuple[int, int]]:
    """Return the spans of the most probable tree, by following every legal action."""
    found: list[tuple[float, set[tuple[int, int]]]] = []

    def go(stack: list[TreeSpan], queue: int, score: float, spans: set[tuple[int, int]]) -> None:
        if queue == shape.size and len(stack) == 1:
            found.append((score, spans))
            return
        below = stack[-2] if len(stack) > 1 else None
        top = stack[-1] if stack else None
        may_shift, may_reduce = legal(shape, below, top, queue)
        log_odds, nuclearity = 0.0, Nuclearity.LEFT
        if below and top and may_reduce:
            outputs = scorer.score([(below, top, queue)])[0].astype(float)
            log_odds = outputs[1] - outputs[0]
            joint = outputs[2:5, None] + outputs[5:].reshape(3, 2)
            joint -= np.log(np.exp(outputs[5:].reshape(3, 2)).sum(1, keepdims=True))
            nuclearity = NUCLEARITIES[int(joint.argmax()) // 2]
        free = may_shift and may_reduce
        if may_shift:
            cost = np.logaddexp(0, log_odds) if free else 0.0
            go([*stack, TreeSpan(queue, queue + 1, queue)], queue + 1, score - cost, spans)
        if below and top and may_reduce:
            cost = np.logaddexp(0, -log_odds) if free else 0.0
            joined = TreeSpan(below.start, top.end, head_of(below, top, nuclearity))
            joined_spans = spans | {(joined.start, joined.end)}
            go([*stack[:-2], joined], queue, score - cost, joined_spans)

    go([], 0, 0.0, set())
    return max(found, key=lambda entry: entry[0])[1]


@pytest.mark.parametrize("seed", range(12))
def test_a_wide_beam_finds_the_best_of_all_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_edus = int(rng.integers(2, 8))
    vectors = rng.standard_normal((n_edus, 3)).astype(np.float32)
    shape = outline(np.cumsum(rng.random(n_edus) < 0.5).tolist(), [0])
    tree = BeamParser(random_weights(), ("a", "b"), beam=500).parse(vectors, shape)
    scorer = StateScorer(StateLayers(random_weights()), vectors, shape)
    scorer.load([], 0)
    assert {(node.start, node.end) for node in nodes(tree)} == best_by_trying_all(scorer, shape)


def test_sentences_are_parsed_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    score = StateScorer.score

    def counted(self: StateScorer, states: list[State]) -> np.ndarray:
        calls.append(len(states))
        return score(self, states)

    monkeypatch.setattr(StateScorer, "score", counted)
    shape = outline([number // 2 for number in range(40)], [0])
    BeamParser(random_weights(), ("a", "b"), beam=1).parse(edus(40), shape)
    assert calls[:2] == [20, 19]  # 20 sentences of two EDUs, then all neighbours
    assert len(calls) <= 2 + 19


def test_scores_do_not_depend_on_what_is_kept_or_scored_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shape = outline([number // 3 for number in range(30)], [0])
    vectors = np.random.default_rng(6).standard_normal((30, 3)).astype(np.float32)
    layers = StateLayers(random_weights())
    states = [
        (TreeSpan(start, start + 1, start), TreeSpan(start + 1, start + 3, start + 2), start + 3)
        for start in range(27)
    ]
    found = []
    for most in (1024, 4 * parser_states.N_PARTS):
        monkeypatch.setattr(parser_states, "MOST_PARTS", most)
        scorer = StateScorer(layers, vectors, shape)
        scorer.load([], 0)
        found.append(scorer.score(states))
    np.testing.assert_allclose(found[0], found[1], atol=1e-5)


def brought(rows: EduRows, which: int, *span: int) -> np.ndarray:
    found = np.zeros(rows.width, dtype=np.float32)
    rows.add_spans(found[None], [(0, which, TreeSpan(*span))])
    return found


def next_up(rows: EduRows, edu: int) -> np.ndarray:
    found = np.zeros(rows.width, dtype=np.float32)
    rows.add_next(found, edu)
    return found


def test_rows_of_edus_that_nobody_sees_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_rows, "STRETCH", 10)
    rows = EduRows(random_weights().roles, edus(100))
    rows.load([], 0)
    rows.load([2], 10)
    assert rows.end == 20
    role_sums = random_weights().roles.sum(2).reshape(9, HIDDEN)
    np.testing.assert_allclose(next_up(rows, 2), role_sums[6], atol=1e-5)
    np.testing.assert_allclose(next_up(rows, 100), np.zeros(HIDDEN))
    for which in (0, 1):
        expected = role_sums[3 * which : 3 * which + 3].sum(0) + role_sums[7 + which]
        np.testing.assert_allclose(brought(rows, which, 2, 19, 11), expected, atol=1e-5)


def test_an_edu_left_over_gets_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    roles, vectors = (
        rng.standard_normal(size).astype(np.float32) for size in ((1, 9 * 64, 256), (9, 256))
    )
    found = []
    for stretch in (20, 8):
        monkeypatch.setattr(parser_rows, "STRETCH", stretch)
        rows = EduRows(roles, vectors)
        while rows.end <= len(vectors):
            rows.load(range(rows.end), rows.end)
        spans = [brought(rows, which, *span) for which in (0, 1) for span in ((7, 9, 8), (8, 9, 8))]
        found.append([next_up(rows, 8), *spans])
    for whole, cut in zip(*found, strict=True):
        np.testing.assert_array_equal(whole, cut)
