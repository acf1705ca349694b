"""The document-level part of the summariser in numpy: SpanExt, graph encoders, head, ranker.

Edge lists, not matrices: a book of thirteen thousand EDUs fits. N units, E edges, H and D widths.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.errors import BundleError
from discobert.runtime.matmul import matmul_transposed
from discobert.runtime.pieces import IntArray
from discobert.runtime.tensors import Array

Tensors = Mapping[str, Array]

EDGES_AT_ONCE = 1 << 14
UNITS_AT_ONCE = 512
PIECES_AT_ONCE = 8192
NORM_EPS = 1e-6


@dataclass(frozen=True, slots=True)
class Linear:
    """An affine map."""

    weight: Array
    bias: Array

    @classmethod
    def of(cls, tensors: Tensors, name: str) -> "Linear":
        """Find a map among the weights."""
        return cls(_tensor(tensors, f"{name}.weight"), _tensor(tensors, f"{name}.bias"))

    def __call__(self, rows: Array) -> Array:
        """Map rows."""
        flat = rows.reshape(-1, rows.shape[-1])
        mapped = matmul_transposed(flat, self.weight)
        mapped += self.bias
        return mapped.reshape(*rows.shape[:-1], -1)


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation."""

    weight: Array
    bias: Array

    @classmethod
    def of(cls, tensors: Tensors, name: str) -> "Norm":
        """Find a norm among the weights."""
        return cls(_tensor(tensors, f"{name}.weight"), _tensor(tensors, f"{name}.bias"))

    def __call__(self, rows: Array) -> Array:
        """Normalise each row."""
        centred = rows - rows.mean(-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(NORM_EPS))
        normed: Array = centred / scale * self.weight + self.bias
        return normed


def _tensor(tensors: Tensors, name: str) -> Array:
    if name not in tensors:
        raise BundleError(f"the summariser's weights lack {name}; export the model again")
    return tensors[name]


def relu(rows: Array) -> Array:
    """Cut negative values off."""
    return np.maximum(rows, 0)


@dataclass(frozen=True, slots=True)
class SpanExtractor:
    """The vector of a unit: a mean of its pieces, weighted by two layers and a softmax."""

    inner: Linear
    score: Linear

    @classmethod
    def of(cls, tensors: Tensors) -> "SpanExtractor":
        """Find the extractor among the weights."""
        return cls(Linear.of(tensors, "spans.inner"), Linear.of(tensors, "spans.score"))

    def __call__(self, pieces: Array, ranges: IntArray) -> Array:
        """Extract units (N, H) from pieces (P, H); one without pieces is all zeros."""
        return self.scored(pieces).units(ranges)

    def scored(self, pieces: Array) -> "ScoredPieces":
        """Score pieces once for all units that have them: EDUs, and the sentences around these."""
        # Some pieces at a time: the inner layer is as large as all of them.
        parts = np.array_split(pieces, 1 + (len(pieces) - 1) // PIECES_AT_ONCE)
        scores = [self.score(relu(self.inner(part)))[:, 0] for part in parts]
        return ScoredPieces(pieces, np.concatenate(scores))


@dataclass(frozen=True, slots=True)
class ScoredPieces:
    """Pieces of a text (P, H), each with a score among those of its unit (P)."""

    pieces: Array
    scores: Array

    def units(self, ranges: IntArray) -> Array:
        """Return the means of ranges of pieces (N, H); one without pieces is all zeros."""
        units = np.zeros((len(ranges), self.pieces.shape[1]), dtype=np.float32)
        filled = np.flatnonzero(ranges[:, 1] > ranges[:, 0])
        # Some units at a time: what lies between pieces and units is as large as all the pieces.
        for low in range(0, len(filled), UNITS_AT_ONCE):
            some = filled[low : low + UNITS_AT_ONCE]
            units[some] = self._means(ranges[some, 0], ranges[some, 1])
        return units

    def _means(self, starts: IntArray, ends: IntArray) -> Array:
        lengths = ends - starts
        bounds = np.cumsum(lengths) - lengths
        members = np.arange(lengths.sum()) + np.repeat(starts - bounds, lengths)
        scores = self.scores[members]
        powers = np.exp(scores - np.repeat(np.maximum.reduceat(scores, bounds), lengths))
        weights = powers / np.repeat(np.add.reduceat(powers, bounds), lengths)
        weighted = self.pieces.take(members, 0)
        weighted *= weights[:, None]
        means: Array = np.add.reduceat(weighted, bounds)
        return means


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Edges sorted by who listens, to be averaged over again and again."""

    targets: NDArray[np.intp]
    """Units with any neighbour, each once."""
    starts: NDArray[np.intp]
    """Where the edges of each start, then the number of edges."""
    sources: NDArray[np.intp]

    @classmethod
    def of(cls, targets: IntArray, sources: IntArray) -> "Neighbourhood":
        """Sort the edges."""
        order = np.argsort(targets, kind="stable")
        listening = targets[order].astype(np.intp)
        starts = np.flatnonzero(np.diff(listening, prepend=-1))
        ends = np.append(starts, len(order))
        return cls(listening[starts], ends, sources[order].astype(np.intp))

    def mean(self, rows: Array) -> Array:
        """Average (N, D) over neighbours; a unit without neighbours gets zeros."""
        means = np.zeros_like(rows)
        first = 0
        while first < len(self.targets):
            # At least one listener at a time, and as many as keep the edges few.
            limit = self.starts[first] + EDGES_AT_ONCE
            end = max(first + 1, int(np.searchsorted(self.starts, limit, side="right")) - 1)
            low, high = self.starts[first], self.starts[end]
            heard = rows.take(self.sources[low:high], 0)
            sums = np.add.reduceat(heard, self.starts[first:end] - low)
            counts = np.diff(self.starts[first : end + 1]).astype(np.float32)
            means[self.targets[first:end]] = sums / counts[:, None]
            first = end
        return means


@dataclass(frozen=True, slots=True)
class GraphLayer:
    """One layer: a feed-forward block, then a mean over neighbours, each with its residual."""

    widen: Linear
    narrow: Linear
    inner_norm: Norm
    ways: tuple[Linear, ...]
    output_norm: Norm

    @classmethod
    def of(cls, tensors: Tensors, name: str, *, n_ways: int) -> "GraphLayer":
        """Find a layer among the weights."""
        ways = (Linear.of(tensors, f"{name}.neighbours.{way}.linear") for way in range(n_ways))
        return cls(
            Linear.of(tensors, f"{name}.widen"),
            Linear.of(tensors, f"{name}.narrow"),
            Norm.of(tensors, f"{name}.inner_norm"),
            tuple(ways),
            Norm.of(tensors, f"{name}.output_norm"),
        )

    def __call__(self, rows: Array, neighbourhoods: Sequence[Neighbourhood]) -> Array:
        """Update (N, D), one neighbourhood a direction."""
        inner = self.inner_norm(rows + self.narrow(relu(self.widen(rows))))
        messages = np.zeros_like(inner)
        for way, neighbours in zip(self.ways, neighbourhoods, strict=True):
            messages += relu(way(neighbours.mean(inner)))
        return self.output_norm(messages + inner)


@dataclass(frozen=True, slots=True)
class GraphEncoder:
    """Stacked layers over one graph."""

    layers: tuple[GraphLayer, ...]
    n_ways: int

    @classmethod
    def of(cls, tensors: Tensors, name: str, *, n_layers: int, n_ways: int) -> "GraphEncoder":
        """Find an encoder among the weights."""
        layers = (
            GraphLayer.of(tensors, f"{name}.layers.{index}", n_ways=n_ways)
            for index in range(n_layers)
        )
        return cls(tuple(layers), n_ways)

    def __call__(self, rows: Array, edges: IntArray) -> Array:
        """Encode (N, D) along edges (E, 2) of dependents and heads."""
        dependents, heads = edges[:, 0], edges[:, 1]
        directions = ((dependents, heads), (heads, dependents))
        ways = [Neighbourhood.of(*ends) for ends in directions[: self.n_ways]]
        for layer in self.layers:
            rows = layer(rows, ways)
        return rows


@dataclass(frozen=True, slots=True)
class SummaryRanker:
    """Scores whole candidate summaries of one document."""

    candidate: Linear
    document: Linear
    facts: Linear
    inner: Linear
    score: Linear

    @classmethod
    def of(cls, tensors: Tensors) -> "SummaryRanker":
        """Find the ranker among the weights."""
        names = ("candidate", "document", "facts", "inner", "score")
        return cls(*(Linear.of(tensors, f"ranker.{name}") for name in names))

    def __call__(
        self,
        states: Array,
        chances: Array,
        words: NDArray[np.integer],
        candidates: Sequence[Sequence[int]],
    ) -> list[float]:
        """Score candidates given states (N, D), probabilities (N) and words (N) of units."""
        chosen = np.stack([states[list(units)].mean(0) for units in candidates])
        described = np.array([_facts(chances[list(u)], words[list(u)]) for u in candidates])
        left, right = self.candidate(chosen), self.document(states.mean(0))
        joined = np.concatenate([left * right, left + right + self.facts(described)], -1)
        scores: list[float] = self.score(relu(self.inner(joined)))[:, 0].tolist()
        return scores


def _facts(chances: Array, words: NDArray[np.integer]) -> tuple[float, ...]:
    total = float(chances.sum())
    return (
        float(np.log1p(words.sum())) / 4,
        len(chances) / 10,
        total / len(chances),
        total / 4,
    )
