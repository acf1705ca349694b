"""Shift-reduce states: what is legal, what training wants, and what the scorer sees."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.data.rst import Node, Nuclearity
from discobert.discourse.transitions import (
    FEATURE_VALUES,
    N_FEATURES,
    REDUCE,
    SHIFT,
    ActionOracle,
    Outline,
    TreeSpan,
    features,
    head_of,
    legal,
    outline,
)

TWO_SENTENCES = outline([0, 0, 1, 1], [0])


def piece(start: int, end: int) -> TreeSpan:
    return TreeSpan(start, end, start)


def test_outline_places_edus_in_sentences_and_paragraphs() -> None:
    shape = outline([0, 0, 1, 2], [0, 2])
    assert shape.paragraph == (1, 1, 1, 2)
    assert shape.opens == (True, False, True, True)
    assert shape.closes == (False, True, True, True)
    assert shape.opens_paragraph == (True, False, False, True)
    assert shape.closes_paragraph == (False, False, True, True)


@pytest.mark.parametrize(
    ("below", "top", "queue", "expected"),
    [
        (None, None, 0, (True, False)),
        (None, piece(0, 1), 1, (True, False)),
        (piece(0, 1), piece(1, 2), 2, (False, True)),
        (None, piece(0, 2), 2, (True, False)),
        (piece(0, 2), piece(2, 3), 3, (True, False)),
        (piece(2, 3), piece(3, 4), 4, (False, True)),
        (piece(0, 2), piece(2, 4), 4, (False, True)),
    ],
    ids=[
        "an empty stack only shifts",
        "one span only shifts",
        "a finished sentence is joined before the next is opened",
        "a whole sentence waits for the next",
        "a whole sentence does not join half of the next",
        "the end of a sentence is joined",
        "whole sentences join",
    ],
)
def test_sentences_stay_whole(
    below: TreeSpan | None, top: TreeSpan | None, queue: int, expected: tuple[bool, bool]
) -> None:
    assert legal(TWO_SENTENCES, below, top, queue) == expected


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    sentences = [number for number, length in enumerate(lengths) for _ in range(length)]
    paragraphs = draw(st.sets(st.integers(0, len(lengths) - 1)))
    return outline(sentences, sorted({0} | paragraphs))


@given(outlines(), st.randoms(use_true_random=False))
def test_any_legal_walk_ends_in_one_tree_of_whole_sentences(
    shape: Outline, rng: random.Random
) -> None:
    stack: list[TreeSpan] = []
    spans = set()
    queue = 0
    for _ in range(2 * shape.size - 1):
        top = stack[-1] if stack else None
        below = stack[-2] if len(stack) > 1 else None
        options = legal(shape, below, top, queue)
        values = features(shape, below, top, queue)
        assert len(values) == N_FEATURES
        assert all(0 <= value < FEATURE_VALUES for value in values)
        if rng.choice([action for action in (SHIFT, REDUCE) if options[action]]) == SHIFT:
            stack.append(piece(queue, queue + 1))
            queue += 1
        else:
            stack[-2:] = [piece(stack[-2].start, stack[-1].end)]
        spans.add((stack[-1].start, stack[-1].end))
    assert [(found.start, found.end) for found in stack] == [(0, shape.size)]
    for sentence in set(shape.sentence):
        edus = [edu for edu, owner in enumerate(shape.sentence) if owner == sentence]
        assert (edus[0], edus[-1] + 1) in spans


def test_features_tell_a_sentence_edge_from_a_paragraph_edge() -> None:
    shape = outline([0, 0, 1, 2], [0, 2])
    same_sentence = features(shape, piece(0, 1), piece(1, 2), 2)
    next_sentence = features(shape, piece(0, 2), piece(2, 3), 3)
    next_paragraph = features(shape, piece(0, 3), piece(3, 4), 4)
    assert [found[2] for found in (same_sentence, next_sentence, next_paragraph)] == [1, 2, 3]


def test_features_of_the_start_tell_only_that_nothing_is_there() -> None:
    assert features(TWO_SENTENCES, None, None, 0) == [1] + [0] * (N_FEATURES - 1)


def test_features_bucket_long_spans_together() -> None:
    shape = outline(list(range(200)), [0])
    assert features(shape, None, piece(0, 60), 60)[8] == features(shape, None, piece(0, 90), 90)[8]
    assert features(shape, None, piece(0, 1), 1)[8] != features(shape, None, piece(0, 2), 2)[8]


@pytest.mark.parametrize(
    ("nuclearity", "head"),
    [(Nuclearity.LEFT, 1), (Nuclearity.BOTH, 1), (Nuclearity.RIGHT, 2)],
)
def test_the_head_is_the_nucleus_head(nuclearity: Nuclearity, head: int) -> None:
    assert head_of(TreeSpan(0, 2, 1), TreeSpan(2, 4, 2), nuclearity) == head


def node(start: int, middle: int, end: int) -> Node:
    return Node(start, middle, end, Nuclearity.LEFT, "rel")


def test_oracle_shifts_until_a_gold_span_is_complete() -> None:
    shape = outline([0, 0, 0], [0])
    oracle = ActionOracle(shape, [node(0, 1, 3), node(1, 2, 3)])
    assert oracle.actions([0], piece(0, 1)) == (True, False)
    assert oracle.actions([0, 1], piece(1, 2)) == (True, False)
    assert oracle.actions([0, 1, 2], piece(2, 3)) == (False, True)


def test_oracle_goes_on_after_a_mistake() -> None:
    shape = outline([0, 0, 0, 0], [0])
    oracle = ActionOracle(shape, [node(0, 1, 4), node(1, 2, 4), node(2, 3, 4)])
    # EDUs 0 and 1 were joined by mistake: (1, 4) can no longer be built, (2, 4) and (0, 4) can.
    assert oracle.actions([0], piece(0, 2)) == (True, False)
    assert oracle.actions([0, 2], piece(2, 3)) == (True, False)
    assert oracle.actions([0, 2], piece(2, 4)) == (False, True)


def test_oracle_leaves_the_choice_open_where_gold_has_no_say() -> None:
    shape = outline([0, 0, 0], [0])
    oracle = ActionOracle(shape, [node(0, 2, 3)])
    assert oracle.actions([0, 1], piece(1, 2)) == (True, True)
    assert oracle.actions([0], piece(0, 3)) == (True, True)


def test_oracle_drops_gold_spans_that_split_a_sentence() -> None:
    oracle = ActionOracle(TWO_SENTENCES, [node(0, 1, 4), node(1, 2, 4), node(2, 3, 4)])
    assert set(oracle.by_span) == {(0, 4), (2, 4)}
