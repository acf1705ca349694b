"""RST parsing: beam search over shift-reduce states, scored by small matrices in numpy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree
from discobert.logic.transitions import (
    FEATURE_VALUES,
    N_FEATURES,
    NUCLEARITIES,
    Outline,
    Piece,
    features,
    head_of,
    legal,
)
from discobert.stages.tensors import Array

_N_GATHERED = 7


@dataclass(frozen=True, slots=True)
class StateWeights:
    """The state scorer's matrices."""

    roles: Array
    features: Array
    inner: Array
    inner_bias: Array
    outputs: Array
    outputs_bias: Array

    @classmethod
    def of(cls, tensors: Mapping[str, Array]) -> "StateWeights":
        """Pick the matrices out of a bundle's tensors."""
        heads = ("actions", "nuclearities", "relations")
        return cls(
            roles=tensors["states.roles.weight"].T.copy(),
            features=tensors["states.features.weight"],
            inner=tensors["states.inner.weight"].T.copy(),
            inner_bias=tensors["states.inner.bias"],
            outputs=np.concatenate([tensors[f"states.{head}.weight"] for head in heads]).T.copy(),
            outputs_bias=np.concatenate([tensors[f"states.{head}.bias"] for head in heads]),
        )


class _Stack(NamedTuple):
    """A persistent stack: beam items share what they have in common."""

    piece: Piece
    tree: RstTree
    rest: "_Stack | None"


class _Item(NamedTuple):
    score: float
    stack: _Stack | None
    queue: int


@dataclass(frozen=True, slots=True)
class BeamParser:
    """Finds the best tree for EDU vectors under an outline."""

    weights: StateWeights
    relations: tuple[str, ...]
    beam: int = 4

    def parse(self, edus: Array, shape: Outline) -> RstTree:
        """Return the best tree found; linear in the number of EDUs."""
        scorer = _Scorer(self.weights, edus)
        items = [_Item(0.0, None, 0)]
        for _ in range(2 * shape.size - 1):
            items = self._advance(scorer, shape, items)
        stack = items[0].stack
        if stack is None:
            return Leaf(0)
        return stack.tree

    def _advance(self, scorer: "_Scorer", shape: Outline, items: list[_Item]) -> list[_Item]:
        views = [_view(item) for item in items]
        options = [legal(shape, *view) for view in views]
        outputs = scorer.score(shape, views)
        found: list[tuple[float, int, bool]] = []
        for number, (item, (may_shift, may_reduce)) in enumerate(zip(items, options, strict=True)):
            gap = float(outputs[number, 1] - outputs[number, 0])
            both = may_shift and may_reduce
            if may_shift:
                found.append(
                    (item.score - (np.logaddexp(0.0, gap) if both else 0.0), number, False)
                )
            if may_reduce:
                found.append(
                    (item.score - (np.logaddexp(0.0, -gap) if both else 0.0), number, True)
                )
        found.sort(key=lambda entry: (-entry[0], entry[1], entry[2]))
        return [
            self._reduced(items[number], score, outputs[number])
            if reduces
            else _shifted(items[number], score)
            for score, number, reduces in found[: self.beam]
        ]

    def _reduced(self, item: _Item, score: float, outputs: Array) -> _Item:
        top = item.stack
        below = top.rest if top else None
        if top is None or below is None:
            raise RuntimeError("reduce needs two spans on the stack")
        nuclearity, relation = self._label(outputs)
        piece = Piece(below.piece.start, top.piece.end, head_of(below.piece, top.piece, nuclearity))
        tree = Branch(relation, nuclearity, below.tree, top.tree)
        return _Item(score, _Stack(piece, tree, below.rest), item.queue)

    def _label(self, outputs: Array) -> tuple[Nuclearity, str]:
        """Pick the most probable pair of nuclearity and relation."""
        n_relations = len(self.relations)
        given = outputs[5:].reshape(3, n_relations)
        joint = outputs[2:5, None] - _logsumexp(outputs[None, 2:5]).T + given - _logsumexp(given)
        best = int(joint.argmax())
        return NUCLEARITIES[best // n_relations], self.relations[best % n_relations]


def _logsumexp(rows: Array) -> Array:
    highest = rows.max(-1, keepdims=True)
    summed: Array = highest + np.log(np.exp(rows - highest).sum(-1, keepdims=True))
    return summed


def _view(item: _Item) -> tuple[Piece | None, Piece | None, int]:
    top = item.stack
    below = top.rest if top else None
    return below.piece if below else None, top.piece if top else None, item.queue


def _shifted(item: _Item, score: float) -> _Item:
    edu = item.queue
    return _Item(score, _Stack(Piece(edu, edu + 1, edu), Leaf(edu), item.stack), edu + 1)


class _Scorer:
    """The first layer is a sum over EDUs, so each EDU's part of it is computed once a document."""

    def __init__(self, weights: StateWeights, edus: Array) -> None:
        n = len(edus)
        roles = (edus @ weights.roles).reshape(n, _N_GATHERED + 2, -1)
        absent = np.zeros((1, _N_GATHERED + 2, roles.shape[-1]), dtype=np.float32)
        padded = np.concatenate([roles, absent]).transpose(1, 0, 2)  # (9, N + 1, K)
        gathered = padded[:_N_GATHERED].reshape(_N_GATHERED * (n + 1), -1)
        self._weights = weights
        self._absent = n
        self._table = np.concatenate([gathered, weights.features])
        self._role_offsets = np.arange(_N_GATHERED) * (n + 1)
        self._feature_offsets = np.arange(N_FEATURES) * FEATURE_VALUES + _N_GATHERED * (n + 1)
        # Double precision: the sums of long documents would lose what single spans differ by.
        zero = np.zeros((2, 1, roles.shape[-1]))
        self._sums = np.concatenate(
            [zero, np.cumsum(padded[_N_GATHERED:, :-1], 1, dtype=np.float64)], 1
        )

    def score(self, shape: Outline, views: list[tuple[Piece | None, Piece | None, int]]) -> Array:
        """Return action, nuclearity and relation outputs of each state."""
        rows = np.array([self._rows(below, top, queue) for below, top, queue in views])
        classes = np.array([features(shape, *view) for view in views])
        indices = np.concatenate([rows + self._role_offsets, classes + self._feature_offsets], 1)
        hidden = self._table[indices].sum(1)
        for number, (below, top, _) in enumerate(views):
            for which, piece in enumerate((below, top)):
                if piece:
                    sums = self._sums[which]
                    hidden[number] += (sums[piece.end] - sums[piece.start]) / (
                        piece.end - piece.start
                    )
        weights = self._weights
        inner = np.maximum(np.maximum(hidden, 0) @ weights.inner + weights.inner_bias, 0)
        outputs: Array = inner @ weights.outputs + weights.outputs_bias
        return outputs

    def _rows(self, below: Piece | None, top: Piece | None, queue: int) -> list[int]:
        absent = self._absent
        lower = [below.start, below.end - 1, below.head] if below else [absent] * 3
        upper = [top.start, top.end - 1, top.head] if top else [absent] * 3
        return [*lower, *upper, min(queue, absent)]
