"""RST parsing: beam search over shift-reduce states, scored by small matrices in numpy.

Several parsers may be trained over one encoder; their scores are averaged state by state.
M parsers, D width of an EDU's vector, K hidden width, F classes of features, I inner width.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from discobert.stages.encoder import Graph
from discobert.stages.onnx_file import GraphNode, Value, onnx_model
from discobert.stages.parser_rows import N_ROLES, EduRows
from discobert.stages.tensors import Array, Stored

_NO_PIECE = (0, 0, 1)
"""Start, end and divisor of an absent span: its mean is zero."""


@dataclass(frozen=True, slots=True)
class StateWeights:
    """The state scorers' matrices."""

    roles: Stored
    """(9, M, D, K), in half precision if they came so: they are most of a parser."""
    features: Array
    """(F, M K)."""
    inner: Array
    """(M, K, I)."""
    inner_bias: Array
    """(M, I)."""
    outputs: Array
    """(M, I, outputs)."""
    outputs_bias: Array
    """(outputs)."""

    @classmethod
    def of(cls, tensors: Mapping[str, Array]) -> "StateWeights":
        """Pick the matrices out of a bundle's tensors; those of a lone parser lack the first axis.

        Its last layer is linear, so the mean of all parsers is there already.
        """
        heads = ("actions", "nuclearities", "relations")
        is_lone = tensors["states.inner.bias"].ndim == 1
        states = {name: values[None] if is_lone else values for name, values in tensors.items()}
        n_parsers = len(states["states.inner.bias"])
        outputs = np.concatenate([states[f"states.{head}.weight"] for head in heads], 1)
        biases = np.concatenate([states[f"states.{head}.bias"] for head in heads], 1)
        return cls(
            roles=_halved(_by_role(states["states.roles.weight"])),
            features=np.concatenate(list(states["states.features.weight"]), 1),
            inner=np.ascontiguousarray(states["states.inner.weight"].transpose(0, 2, 1)),
            inner_bias=states["states.inner.bias"],
            outputs=(outputs.transpose(0, 2, 1) / n_parsers).astype(np.float32, order="C"),
            outputs_bias=biases.mean(0),
        )

    @property
    def n_parsers(self) -> int:
        """How many parsers are averaged."""
        return len(self.inner)


def _by_role(values: Array) -> Array:
    """Lay out (M, 9 K, D) as (9, M, D, K)."""
    split = values.reshape(len(values), N_ROLES, -1, values.shape[2])
    return np.ascontiguousarray(split.transpose(1, 0, 3, 2))


def _halved(values: Array) -> Stored:
    """Keep values in half precision if that loses nothing."""
    halves = values.astype(np.float16)
    return halves if np.array_equal(halves.astype(np.float32), values) else values


def upper_layers(weights: StateWeights) -> bytes:
    """Write all but the first layer as a graph: numpy's BLAS would be no slower, but see dense.

    Each parser adds its part to the scores of those before it.
    """
    nodes: list[GraphNode] = []
    tensors: dict[str, Array] = {"scores0": weights.outputs_bias}
    for m in range(weights.n_parsers):
        tensors |= {f"inner{m}": weights.inner[m], f"inner_bias{m}": weights.inner_bias[m]}
        tensors[f"outputs{m}"] = weights.outputs[m]
        nodes += [
            GraphNode("Relu", [f"hidden{m}"], f"first{m}"),
            GraphNode("Gemm", [f"first{m}", f"inner{m}", f"inner_bias{m}"], f"mapped{m}"),
            GraphNode("Relu", [f"mapped{m}"], f"second{m}"),
            GraphNode("Gemm", [f"second{m}", f"outputs{m}", f"scores{m}"], f"scores{m + 1}"),
        ]
    width = weights.inner.shape[1]
    hidden = [Value(f"hidden{m}", ("states", width)) for m in range(weights.n_parsers)]
    scores = Value(f"scores{weights.n_parsers}", ("states", len(weights.outputs_bias)))
    return onnx_model(nodes, tensors, inputs=hidden, outputs=[scores])


class _Stack(NamedTuple):
    """A persistent stack: beam items share what they have in common."""

    piece: Piece
    tree: RstTree
    rest: "_Stack | None"


class _Item(NamedTuple):
    score: float
    stack: _Stack | None
    queue: int


@dataclass(frozen=True)
class BeamParser:
    """Finds the best tree for EDU vectors under an outline."""

    weights: StateWeights
    relations: tuple[str, ...]
    beam: int = 4

    @cached_property
    def _upper(self) -> Graph:
        return Graph(upper_layers(self.weights))

    def parse(self, edus: Array, shape: Outline) -> RstTree:
        """Return the best tree found; linear in the number of EDUs."""
        scorer = _Scorer(self.weights, self._upper, edus)
        items = [_Item(0.0, None, 0)]
        for _ in range(2 * shape.size - 1):
            items = self._advance(scorer, shape, items)
        stack = items[0].stack
        if stack is None:
            return Leaf(0)
        return stack.tree

    def _advance(self, scorer: "_Scorer", shape: Outline, items: list[_Item]) -> list[_Item]:
        options = [legal(shape, *_view(item)) for item in items]
        outputs = scorer.score(shape, items)
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
        labels = self._labels(outputs)
        return [
            _reduced(items[number], score, *labels[number])
            if reduces
            else _shifted(items[number], score)
            for score, number, reduces in found[: self.beam]
        ]

    def _labels(self, outputs: Array) -> list[tuple[Nuclearity, str]]:
        """Pick the most probable pair of nuclearity and relation for each state."""
        n_states, n_relations = len(outputs), len(self.relations)
        given = outputs[:, 5:].reshape(n_states, 3, n_relations)
        nuclearities = outputs[:, 2:5] - _logsumexp(outputs[:, 2:5])
        joint = nuclearities[:, :, None] + given - _logsumexp(given)
        best = joint.reshape(n_states, -1).argmax(1).tolist()
        return [(NUCLEARITIES[i // n_relations], self.relations[i % n_relations]) for i in best]


def _reduced(item: _Item, score: float, nuclearity: Nuclearity, relation: str) -> _Item:
    top = item.stack
    below = top.rest if top else None
    if top is None or below is None:
        raise RuntimeError("reduce needs two spans on the stack")
    piece = Piece(below.piece.start, top.piece.end, head_of(below.piece, top.piece, nuclearity))
    tree = Branch(relation, nuclearity, below.tree, top.tree)
    return _Item(score, _Stack(piece, tree, below.rest), item.queue)


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


def _edges(pieces: Sequence[Piece | None]) -> NDArray[np.int64]:
    return np.array([(p.start, p.end, p.end - p.start) if p else _NO_PIECE for p in pieces])


def _in_play(items: Sequence[_Item], end: int) -> set[int]:
    """Return the EDUs before ``end`` that states of these items or of later ones can see."""
    found = set(range(min(item.queue for item in items), end))
    for item in items:
        entry = item.stack
        while entry is not None:
            piece = entry.piece
            found |= {piece.start, piece.end - 1, piece.head}
            entry = entry.rest
    return found


class _Scorer:
    """Scores the states of one document."""

    def __init__(self, weights: StateWeights, upper: Graph, edus: Array) -> None:
        self._upper = upper.session
        self._n_parsers = weights.n_parsers
        self._absent = len(edus)
        self._edus = EduRows(weights.roles, weights.features, edus)
        self._feature_offsets = np.arange(N_FEATURES) * FEATURE_VALUES

    def score(self, shape: Outline, items: Sequence[_Item]) -> Array:
        """Return action, nuclearity and relation outputs of each item's state."""
        reached = max(item.queue for item in items)
        if reached >= self._edus.end:
            self._edus.load(_in_play(items, self._edus.end), reached)
        views = [_view(item) for item in items]
        rows = np.array([self._rows(below, top, queue) for below, top, queue in views])
        classes = np.array([features(shape, *view) for view in views])
        hidden = self._edus.gather(rows, classes + self._feature_offsets)
        hidden += self._edus.means(0, _edges([below for below, _, _ in views]))
        hidden += self._edus.means(1, _edges([top for _, top, _ in views]))
        parts = np.split(hidden, self._n_parsers, 1)
        given = {f"hidden{m}": np.ascontiguousarray(part) for m, part in enumerate(parts)}
        outputs: Array = self._upper.run(None, given)[0]
        return outputs

    def _rows(self, below: Piece | None, top: Piece | None, queue: int) -> list[int]:
        absent = self._absent
        lower = [below.start, below.end - 1, below.head] if below else [absent] * 3
        upper = [top.start, top.end - 1, top.head] if top else [absent] * 3
        return [*lower, *upper, min(queue, absent)]
