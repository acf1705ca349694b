"""Gold trees projected onto predicted EDUs, as the parser sees them in raw text."""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discobert.data.rst import Node
from discobert.discourse.transitions import ActionOracle, Outline
from discobert.runtime.pieces import IntArray
from discobert.train.analyser.gold import GoldItem


def sampled_starts(
    logits: NDArray[np.float32], rng: random.Random, *, temperature: float
) -> NDArray[np.bool_]:
    """Sample for each word whether it starts an EDU, from the segmenter's logits."""
    probabilities = 1 / (1 + np.exp(-logits.astype(np.float64) / temperature))
    return np.array([rng.random() < p for p in probabilities.tolist()], dtype=np.bool_)


def resegmented(item: GoldItem, is_start: NDArray[np.bool_]) -> GoldItem:
    """Project a document's tree onto EDUs that start at the marked words.

    Gold spans whose edges are no EDU edges any more are dropped. Sentence starts always start an
    EDU. Parts of a split EDU form a span without nuclearity and relation.
    """
    if item.edu_pieces is None or item.shape is None or item.oracle is None:
        return item
    words = item.layout.word_pieces
    gold = np.searchsorted(words[:, 0], item.edu_pieces[:, 0], side="right") - 1  # first words
    if len(np.unique(gold)) < len(gold) or gold.min() < 0:
        return item  # EDUs that begin inside of words
    kept = is_start.copy()
    kept[gold[np.array(item.shape.opens)]] = True
    kept[: gold[0]] = False
    starts = np.flatnonzero(kept)
    owner = np.searchsorted(gold, starts, side="right") - 1  # the gold EDU each one lies in
    shape = Outline(
        sentence=tuple(item.shape.sentence[edu] for edu in owner.tolist()),
        paragraph=tuple(item.shape.paragraph[edu] for edu in owner.tolist()),
    )
    edges = {edu: place for place, edu in enumerate(owner.tolist()) if starts[place] == gold[edu]}
    edges[len(gold)] = len(starts)
    nodes = [_projected(node, edges) for node in item.oracle.by_span.values()]
    split = [(edges.get(edu, -1), edges.get(edu + 1, -1)) for edu in range(len(gold))]
    oracle = ActionOracle(
        shape,
        [node for node in nodes if node is not None],
        spans=[(start, end) for start, end in split if start >= 0 and end > start + 1],
    )
    return replace(item, edu_pieces=_piece_ranges(item, starts), shape=shape, oracle=oracle)


def _projected(node: Node, edges: dict[int, int]) -> Node | None:
    """Renumber a node's edges; None if one is gone or fewer than two EDUs are left."""
    start, end = edges.get(node.start), edges.get(node.end)
    if start is None or end is None or end < start + 2:
        return None
    middle = min(max(edges.get(node.middle, start + 1), start + 1), end - 1)
    return replace(node, start=start, middle=middle, end=end)


def _piece_ranges(item: GoldItem, starts: Sequence[int] | NDArray[np.integer]) -> IntArray:
    words = item.layout.word_pieces
    lasts = np.append(np.asarray(starts)[1:], len(words)) - 1
    return np.stack([words[np.asarray(starts), 0], words[lasts, 1]], axis=1).astype(np.int32)
