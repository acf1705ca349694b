"""The network that scores whole sentences, in numpy: what a summary should hold, and what never.

N sentences, H width of their vectors, D width of the network, K heads.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from discobert.data.summary import SentenceSalience
from discobert.runtime.casts import halves, singles
from discobert.runtime.matmul import matmul_stacked, matmul_transposed
from discobert.runtime.pieces import IntArray
from discobert.runtime.tensors import Array
from discobert.scorer.features import unit_windows
from discobert.scorer.graph_layers import Linear, Tensors, relu
from discobert.scorer.sentence_features import (
    N_DERIVED,
    N_SURFACE,
    WINDOW,
    derived_features,
    never_inputs,
    surface_features,
)

N_HEADS = 4
REACH = 16
"""Distance of sentences from which on they share a bias of attention."""
INPUT_LIMIT = 6.0
"""Bound of standardised features."""
NORM_EPS = 1e-12
INPUT_NORM_EPS = 1e-5


@dataclass(frozen=True, slots=True)
class SentenceOutputs:
    """Logits of salience, gain and the editor's choice, and the probability of furniture; (N)."""

    salience: Array
    gain: Array
    best: Array
    never: Array
    inputs: Array
    """What the editors' heads read: states, features and half of both scores, (N, I)."""

    def values(self) -> SentenceSalience:
        """Return the scores as plain numbers."""
        columns = (self.salience, self.gain, self.best, self.never)
        return SentenceSalience(*(tuple(column.tolist()) for column in columns))


@dataclass(frozen=True, slots=True)
class _Norm:
    weight: Array
    bias: Array
    eps: float

    @classmethod
    def of(cls, tensors: Tensors, name: str, eps: float) -> "_Norm":
        return cls(tensors[f"{name}.weight"], tensors[f"{name}.bias"], eps)

    def __call__(self, rows: Array) -> Array:
        centred = rows - rows.mean(-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(self.eps))
        normed: Array = centred / scale * self.weight + self.bias
        return normed


@dataclass(frozen=True, slots=True)
class NeverModel:
    """The probability that a sentence belongs in no summary, from its surface alone."""

    mean: Array
    scale: Array
    inner: Linear
    out: Linear

    @classmethod
    def of(cls, tensors: Tensors) -> "NeverModel":
        """Find the model among the weights."""
        return cls(
            tensors["surface.mean"],
            tensors["surface.scale"],
            Linear.of(tensors, "surface.inner"),
            Linear.of(tensors, "surface.out"),
        )

    def __call__(self, surface: Array) -> Array:
        """Map surface features (N, 42) of one text to probabilities (N)."""
        rows = (never_inputs(surface) - self.mean) * self.scale
        return sigmoid(self.out(relu(self.inner(rows)))[:, 0])


@dataclass(frozen=True, slots=True)
class _Layer:
    """Attention among sentences with a bias by distance, then a feed-forward part."""

    query_key_value: Linear
    attended: Linear
    attended_norm: _Norm
    widen: Linear
    narrow: Linear
    output_norm: _Norm
    bias: Array

    @classmethod
    def of(cls, tensors: Tensors, name: str) -> "_Layer":
        return cls(
            Linear.of(tensors, f"{name}.query_key_value"),
            Linear.of(tensors, f"{name}.attended"),
            _Norm.of(tensors, f"{name}.attended_norm", NORM_EPS),
            Linear.of(tensors, f"{name}.widen"),
            Linear.of(tensors, f"{name}.narrow"),
            _Norm.of(tensors, f"{name}.output_norm", NORM_EPS),
            tensors[f"{name}.bias"],
        )

    def __call__(self, rows: Array) -> Array:
        rows = self.attended_norm(rows + self.attended(self._attention(rows)))
        return self.output_norm(rows + self.narrow(_gelu(self.widen(rows))))

    def _attention(self, rows: Array) -> Array:
        n, width = rows.shape
        parts = self.query_key_value(rows).reshape(n, 3, N_HEADS, width // N_HEADS)
        places = np.arange(n)
        steps = np.clip(places[None] - places[:, None], -REACH, REACH) + REACH
        query, key, value = (parts[:, part].swapaxes(0, 1) for part in range(3))
        scores = matmul_stacked(query, key.swapaxes(1, 2)) / np.float32(math.sqrt(width // N_HEADS))
        heads = matmul_stacked(_softmax(scores + self.bias[:, steps]), value)
        return heads.swapaxes(0, 1).reshape(n, width)


@dataclass(frozen=True, slots=True)
class _EditorHeads:
    """Heads that were trained on editors' extracts above the finished network."""

    mean: Array
    scale: Array
    inner: Linear
    out: Linear
    skip: Linear

    @classmethod
    def of(cls, tensors: Tensors) -> "_EditorHeads":
        return cls(
            tensors["editors.mean"],
            tensors["editors.scale"],
            Linear.of(tensors, "editors.inner"),
            Linear.of(tensors, "editors.out"),
            Linear.of(tensors, "editors.skip"),
        )

    def __call__(self, rows: Array) -> Array:
        scaled = (rows - self.mean) * self.scale
        logits: Array = self.out(relu(self.inner(scaled))) + self.skip(scaled)
        return logits


@dataclass(frozen=True, slots=True)
class SentenceInputs:
    """What the network reads: vectors and features (N, 2 H + 60), and classes of places (N)."""

    rows: Array
    places: IntArray


def sentence_inputs(attended: Array, mean: Array, surface: Array, never: Array) -> SentenceInputs:
    """Join the vectors of one text with their features."""
    derived = derived_features(attended, mean, never)
    return SentenceInputs(
        np.concatenate([attended, mean, surface, derived.features], 1), derived.places
    )


@dataclass(frozen=True)
class SentenceNetwork:
    """Scores the sentences of one text, in windows, so that the cost is linear for books."""

    never: NeverModel
    tensors: Tensors = field(repr=False)
    layers: tuple[_Layer, ...] = field(repr=False)
    editors: _EditorHeads = field(repr=False)

    @classmethod
    def of(cls, tensors: Tensors) -> "SentenceNetwork":
        """Find the network among the weights."""
        n_layers = sum(name.endswith("query_key_value.bias") for name in tensors)
        return cls(
            NeverModel.of(tensors),
            tensors,
            tuple(_Layer.of(tensors, f"layers.{index}") for index in range(n_layers)),
            _EditorHeads.of(tensors),
        )

    def __call__(
        self,
        attended: Array,
        mean: Array,
        texts: Sequence[str],
        paragraph_starts: Sequence[int],
    ) -> SentenceOutputs:
        """Score sentences by SpanExt vectors, means of pieces (N, H), texts and paragraphs."""
        opens = np.isin(np.arange(len(texts)), paragraph_starts)
        surface = surface_features(texts, opens)
        inputs = sentence_inputs(attended, mean, surface, self.never(surface))
        logits, head_inputs = [], []
        for first, end, low, high in unit_windows(len(texts), size=WINDOW):
            window = SentenceInputs(inputs.rows[first:end], inputs.places[first:end])
            read = slice(low - first, high - first)
            rows, of_editors = self.logits(window)
            logits.append(rows[read])
            head_inputs.append(of_editors[read])
        salience, gain, best, never = np.concatenate(logits).T
        return SentenceOutputs(salience, gain, best, sigmoid(never), np.concatenate(head_inputs))

    def logits(self, inputs: SentenceInputs) -> tuple[Array, Array]:
        """Return salience, gain, best and never of one window, (N, 4), and the heads' inputs."""
        extra = self._standardised(inputs.rows)
        states = self._states(inputs, extra)
        features = extra[:, -(N_SURFACE + N_DERIVED) :]
        scores = self._linear("out", states) + self._linear("skip", features)
        head_inputs = np.concatenate([states, features, scores / 2], 1)
        return np.concatenate([scores, self.editors(head_inputs)], 1), head_inputs

    def _standardised(self, rows: Array) -> Array:
        """Return means of pieces and features, each with mean 0 and deviation 1."""
        width = len(self.tensors["mean"])
        scaled = (rows[:, -width:] - self.tensors["mean"]) * self.tensors["scale"]
        clipped: Array = np.clip(scaled, -INPUT_LIMIT, INPUT_LIMIT).astype(np.float32)
        return clipped

    def _states(self, inputs: SentenceInputs, extra: Array) -> Array:
        tensors = self.tensors
        width = tensors["project.weight"].shape[1]
        states = self._linear("project", inputs.rows[:, :width])
        states = states + tensors["sentences.weight"][inputs.places]
        states += self._linear("features", unit_features(inputs.rows))
        states += matmul_transposed(extra, tensors["extra.weight"])
        states = _Norm.of(tensors, "norm", INPUT_NORM_EPS)(states)
        for layer in self.layers:
            states = layer(states)
        return states

    def _linear(self, name: str, rows: Array) -> Array:
        return Linear.of(self.tensors, name)(rows)


def unit_features(rows: Array) -> Array:
    """Return the features that the summariser's network has for a sentence as a unit, (N, 11)."""
    surface, derived = rows[:, -(N_SURFACE + N_DERIVED) :], rows[:, -N_DERIVED:]
    words, opens = surface[:, 0] / 3, surface[:, 13]
    one = np.ones(len(rows), dtype=np.float32)
    columns = (
        *(words, derived[:, 14], 0 * one, one, one, opens),
        *(words, derived[:, 15], words, derived[:, 16], derived[:, 17]),
    )
    return np.stack(columns, 1)


def rounded(rows: Array) -> Array:
    """Round to half precision, in which vectors are kept for training."""
    return singles(halves(rows))


def sigmoid(logits: Array) -> Array:
    """Turn logits into probabilities."""
    probabilities: Array = (1 / (1 + np.exp(-logits))).astype(np.float32)
    return probabilities


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights: Array = powers / powers.sum(-1, keepdims=True)
    return weights


def _gelu(rows: Array) -> Array:
    half = np.float32(0.5)
    activated: Array = half * rows * (1 + _erf(rows / np.float32(math.sqrt(2))))
    return activated


def _erf(rows: Array) -> Array:
    """Approximate the error function to 1.5e-7 (Abramowitz and Stegun, 7.1.26)."""
    size = np.abs(rows)
    step = 1 / (1 + np.float32(0.3275911) * size)
    factors = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
    series = np.zeros_like(rows)
    for factor in factors:
        series += np.float32(factor)
        series *= step
    bounded: Array = np.sign(rows) * (1 - series * np.exp(-size * size))
    return bounded
