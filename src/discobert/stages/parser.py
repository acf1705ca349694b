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


_View = tuple[Piece | None, Piece | None, int]
"""What a state is to the network: the two upper spans of the stack, and the next EDU."""


class _Verdict(NamedTuple):
    """What the network says of a state."""

    shift: float | None
    """Minus the log-probability; None if it is not legal."""
    reduce: float | None
    nuclearity: Nuclearity
    relation: str


_Judged = dict[int, dict[_View, _Verdict]]
"""Verdicts by next EDU: those of states that lie behind can be forgotten."""


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
        judged: _Judged = {}
        items = [_Item(0.0, None, 0)]
        for _ in range(2 * shape.size - 1):
            self._judge(scorer, shape, items, judged)
            items = self._advance(items, judged)
        stack = items[0].stack
        if stack is None:
            return Leaf(0)
        return stack.tree

    def _judge(
        self, scorer: "_Scorer", shape: Outline, items: list[_Item], judged: "_Judged"
    ) -> None:
        """Score the states that are new: most come again, above another stack."""
        lowest = min(item.queue for item in items)
        for queue in [queue for queue in judged if queue < lowest]:
            del judged[queue]
        views = dict.fromkeys(_view(item) for item in items)
        fresh = [view for view in views if view not in judged.setdefault(view[2], {})]
        if not fresh:
            return
        scorer.load(items)
        outputs = scorer.score(shape, fresh)
        labels = self._labels(outputs)
        gaps = (outputs[:, 1] - outputs[:, 0]).tolist()
        for view, gap, (nuclearity, relation) in zip(fresh, gaps, labels, strict=True):
            costs = _costs(gap, *legal(shape, *view))
            judged[view[2]][view] = _Verdict(*costs, nuclearity, relation)

    def _advance(self, items: list[_Item], judged: "_Judged") -> list[_Item]:
        verdicts = [judged[item.queue][_view(item)] for item in items]
        found: list[tuple[float, int, bool]] = []
        for number, (item, verdict) in enumerate(zip(items, verdicts, strict=True)):
            if verdict.shift is not None:
                found.append((item.score - verdict.shift, number, False))
            if verdict.reduce is not None:
                found.append((item.score - verdict.reduce, number, True))
        found.sort(key=lambda entry: (-entry[0], entry[1], entry[2]))
        return [
            _reduced(items[number], score, verdicts[number])
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


def _costs(gap: float, may_shift: bool, may_reduce: bool) -> "tuple[float | None, float | None]":
    """Return minus the log-probability of shifting and of reducing; None for what is not legal."""
    if may_shift and may_reduce:
        return float(np.logaddexp(0.0, gap)), float(np.logaddexp(0.0, -gap))
    return 0.0 if may_shift else None, 0.0 if may_reduce else None


def _reduced(item: _Item, score: float, verdict: _Verdict) -> _Item:
    top = item.stack
    below = top.rest if top else None
    if top is None or below is None:
        raise RuntimeError("reduce needs two spans on the stack")
    head = head_of(below.piece, top.piece, verdict.nuclearity)
    piece = Piece(below.piece.start, top.piece.end, head)
    tree = Branch(verdict.relation, verdict.nuclearity, below.tree, top.tree)
    return _Item(score, _Stack(piece, tree, below.rest), item.queue)


def _logsumexp(rows: Array) -> Array:
    highest = rows.max(-1, keepdims=True)
    summed: Array = highest + np.log(np.exp(rows - highest).sum(-1, keepdims=True))
    return summed


def _view(item: _Item) -> _View:
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

    def load(self, items: Sequence[_Item]) -> None:
        """Get ready for the states of all items in the beam."""
        reached = max(item.queue for item in items)
        if reached >= self._edus.end:
            self._edus.load(_in_play(items, self._edus.end), reached)

    def score(self, shape: Outline, views: Sequence[_View]) -> Array:
        """Return action, nuclearity and relation outputs of each state."""
        rows = np.array([self._rows(below, top, queue) for below, top, queue in views])
        classes = np.array([features(shape, *view) for view in views])
        hidden = self._edus.gather(rows, classes + self._feature_offsets)
        hidden += self._edus.means(0, _edges([below for below, _, _ in views]))
        hidden += self._edus.means(1, _edges([top for _, top, _ in views]))
        by_parser = hidden.reshape(len(views), self._n_parsers, -1)
        given = {f"hidden{m}": by_parser[:, m].copy() for m in range(self._n_parsers)}
        outputs: Array = self._upper.run(None, given)[0]
        return outputs

    def _rows(self, below: Piece | None, top: Piece | None, queue: int) -> list[int]:
        absent = self._absent
        lower = [below.start, below.end - 1, below.head] if below else [absent] * 3
        upper = [top.start, top.end - 1, top.head] if top else [absent] * 3
        return [*lower, *upper, min(queue, absent)]
