"""Scoring the states of a shift-reduce parser.

Several parsers may be trained over one encoder; their scores are averaged state by state.
M parsers, D width of an EDU's vector, K hidden width, F classes of features, I inner width.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from discobert.analyser.parser_rows import EduRows, PlacedSpan
from discobert.discourse.transitions import (
    BELOW_SLOTS,
    FEATURE_VALUES,
    LONE_SLOT,
    MEETING_SLOTS,
    NEXT_SLOTS,
    TOP_SLOTS,
    Outline,
    TreeSpan,
    below_classes,
    meeting_classes,
    next_classes,
    span_classes,
)
from discobert.runtime.casts import singles
from discobert.runtime.onnx_file import GraphNode, Value, onnx_model
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.tensors import Array, Stored, single

MOST_PARTS = 1024
"""Parts of states that are kept, some megabytes: more than an article has."""
MOST_SUMS = 2048
"""Sums of features that are kept, some megabytes."""
_LOWER, _UPPER = 0, 1
_UPPER_SLOTS = (*TOP_SLOTS, LONE_SLOT)
N_PARTS = 4
"""Parts of a state."""

State = tuple[TreeSpan, TreeSpan, int]
"""What the network sees: the two upper spans of the stack, and the next EDU."""


@dataclass(frozen=True, slots=True)
class StateWeights:
    """The state scorers' matrices."""

    roles: Array
    """(M, 9 K, D)."""
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
    def of(cls, tensors: Mapping[str, Stored]) -> "StateWeights":
        """Pick the matrices out of a bundle's tensors; those of a lone parser lack the first axis.

        Its last layer is linear, so the mean of all parsers is there already.
        """
        heads = ("actions", "nuclearities", "relations")
        is_lone = tensors["states.inner.bias"].ndim == 1
        states = {
            name.removeprefix("states."): values[None] if is_lone else values
            for name, values in tensors.items()
            if name.startswith("states.")
        }
        roles = states.pop("roles.weight")
        others = {name: single(values) for name, values in states.items()}
        n_parsers = len(others["inner.bias"])
        outputs = np.concatenate([others[f"{head}.weight"] for head in heads], 1)
        biases = np.concatenate([others[f"{head}.bias"] for head in heads], 1)
        return cls(
            roles=singles(roles),
            features=np.concatenate(list(others["features.weight"]), 1),
            inner=np.ascontiguousarray(others["inner.weight"].transpose(0, 2, 1)),
            inner_bias=others["inner.bias"],
            outputs=(outputs.transpose(0, 2, 1) / n_parsers).astype(np.float32, order="C"),
            outputs_bias=biases.mean(0),
        )

    @property
    def n_parsers(self) -> int:
        """How many parsers are averaged."""
        return len(self.inner)


def upper_layers(weights: StateWeights) -> bytes:
    """Write all but the first layer as a graph; why not numpy's BLAS: see ``runtime.matmul``.

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


class StateLayers:
    """The layers for all documents: the upper ones, and sums of features for the first one."""

    def __init__(self, weights: StateWeights) -> None:
        self.weights = weights
        self.upper = OnnxModel(upper_layers(weights))
        # Most of those that one document has are met again in the next one.
        self.described = lru_cache(MOST_SUMS)(partial(_sum_of_features, weights.features))


def _sum_of_features(features: Array, slots: tuple[int, ...], classes: tuple[int, ...]) -> Array:
    """Sum the features of some slots."""
    pairs = zip(slots, classes, strict=True)
    found: Array = features[[s * FEATURE_VALUES + c for s, c in pairs]].sum(0)
    return found


class StateScorer:
    """Scores the states of one document.

    The first layer of a state is the sum of four parts: lower span, upper span, next EDU, and how
    these meet, each with its features. States share most of them, so parts are kept.
    """

    def __init__(self, layers: StateLayers, edus: Array, shape: Outline) -> None:
        self._session = layers.upper.session
        self._n_parsers = layers.weights.n_parsers
        self._described = layers.described
        self._edus = EduRows(layers.weights.roles, edus)
        self._shape = shape
        self._parts = np.empty((MOST_PARTS, self._edus.width), dtype=np.float32)
        self._begun: list[PlacedSpan] = []
        """Parts of spans that lack all but their features."""
        self._forget()

    def _forget(self) -> None:
        self._known: tuple[dict[TreeSpan, int], dict[TreeSpan, int]] = {}, {}
        """Parts of lower and of upper spans."""
        self._nexts: dict[int, int] = {}
        self._meetings: dict[tuple[int, int, int], int] = {}
        self._used = 0

    @property
    def end(self) -> int:
        """States whose next EDU is before this index can be scored."""
        return self._edus.end

    def load(self, in_play: Iterable[int], reached: int) -> None:
        """Load the EDUs ``in_play`` and those from ``end`` on."""
        self._edus.load(in_play, reached)
        self._forget()

    def score(self, states: Sequence[State]) -> Array:
        """Return action, nuclearity and relation outputs of each state."""
        most = MOST_PARTS // N_PARTS
        if len(states) <= most:
            return self._score(states)
        scores = [self._score(states[i : i + most]) for i in range(0, len(states), most)]
        return np.concatenate(scores)

    def _score(self, states: Sequence[State]) -> Array:
        if self._used + N_PARTS * len(states) > MOST_PARTS:
            self._forget()
        rows = [self._rows(*state) for state in states]
        if self._begun:
            self._edus.add_spans(self._parts, self._begun)
            self._begun = []
        hidden = self._parts.take(rows, 0).sum(1).reshape(len(states), self._n_parsers, -1)
        given = {f"hidden{m}": hidden[:, m].copy() for m in range(self._n_parsers)}
        outputs: Array = self._session.run(None, given)[0]
        return outputs

    def _rows(self, below: TreeSpan, top: TreeSpan, queue: int) -> tuple[int, int, int, int]:
        return (
            self._span(_LOWER, below),
            self._span(_UPPER, top),
            self._next(queue),
            self._meeting(meeting_classes(self._shape, below, top, queue)),
        )

    def _span(self, which: int, span: TreeSpan) -> int:
        row = self._known[which].get(span)
        if row is None:
            if which == _LOWER:
                row = self._new(BELOW_SLOTS, below_classes(self._shape, span))
            else:  # where there is an upper span to score, it is no lone one
                row = self._new(_UPPER_SLOTS, (*span_classes(self._shape, span), 0))
            self._begun.append((row, which, span))
            self._known[which][span] = row
        return row

    def _next(self, edu: int) -> int:
        row = self._nexts.get(edu)
        if row is None:
            row = self._nexts[edu] = self._new(NEXT_SLOTS, next_classes(self._shape, edu))
            self._edus.add_next(self._parts[row], edu)
        return row

    def _meeting(self, classes: tuple[int, int, int]) -> int:
        row = self._meetings.get(classes)
        if row is None:
            row = self._meetings[classes] = self._new(MEETING_SLOTS, classes)
        return row

    def _new(self, slots: tuple[int, ...], classes: tuple[int, ...]) -> int:
        """Begin a part with the sum of some features' classes."""
        row = self._used
        self._used += 1
        self._parts[row] = self._described(slots, classes)
        return row
