"""Dependency parser: part of speech, head and relation of every word, from the analyser's vectors.

A small network over frozen word vectors. It gives probabilities and no tree: what uses them asks
how much hangs on what, and sums over doubts instead of deciding them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from discobert.errors import BundleError
from discobert.runtime.casts import singles
from discobert.runtime.matmul import matmul, matmul_transposed
from discobert.runtime.tensors import Array, Stored, single

RELATIONS = (
    "root nsubj obj iobj csubj ccomp xcomp obl obl:agent vocative expl dislocated advcl "
    "advcl:relcl advmod discourse aux cop mark nmod nmod:poss appos nummod acl acl:relcl amod "
    "det case conj cc fixed flat compound compound:prt parataxis reparandum punct dep"
).split()
"""Universal Dependencies, with the subtypes that matter to cuts."""

PARTS_OF_SPEECH = (
    "NOUN PROPN PRON VERB AUX ADJ ADV ADP DET NUM CCONJ SCONJ PART PUNCT SYM INTJ X".split()
)
FARTHEST = 20
"""Distance to a head from which on all count as one."""
WORDS_AT_ONCE = 2048
"""Words in one product of matrices, so that a book's activations are not all in memory."""

_LAYERS = ("inp", "mix", "q", "k", "kb", "root", "upos", "rel")
_NOT_ITSELF = np.float32(-1e4)


@dataclass(frozen=True, slots=True)
class Syntax:
    """Predictions for the W words of one sentence."""

    upos: Array
    """Probability of each part of speech, (W, 17)."""
    relations: Array
    """Probability of each relation to the head, (W, 38)."""
    heads: Array
    """Probability of each word as head, (W, W + 1); the last column is the root."""


@dataclass(frozen=True, slots=True)
class DependencyParser:
    """The weights of the dependency parser."""

    weights: Mapping[str, Stored]
    biases: Mapping[str, Array]
    distance: Array
    """Score of each distance to a head, from ``-FARTHEST`` to ``FARTHEST`` words."""

    @classmethod
    def of(cls, tensors: Mapping[str, Stored], prefix: str = "syntax.") -> "DependencyParser":
        """Take the parser's tensors from those of a file."""
        try:
            return cls(
                {name: tensors[f"{prefix}{name}.weight"] for name in _LAYERS},
                {name: single(tensors[f"{prefix}{name}.bias"]) for name in _LAYERS},
                single(tensors[f"{prefix}dist"]),
            )
        except KeyError as error:
            raise BundleError(f"the weights of the dependency parser lack {error}") from error

    def parse(self, sentences: Sequence[Stored]) -> list[Syntax]:
        """Parse sentences, each given by its word vectors, (W, H)."""
        found: list[Syntax] = []
        for batch in _batches(sentences):
            found += self._read_batch(batch)
        return found

    def _read_batch(self, sentences: Sequence[Stored]) -> list[Syntax]:
        edges = np.cumsum([0, *map(len, sentences)])
        hidden = self._hidden(np.concatenate(list(map(singles, sentences))), edges[:-1])
        dependents, heads = self._linear("q", hidden), self._linear("k", hidden)
        bias, root = self._linear("kb", hidden)[:, 0], self._linear("root", hidden)
        upos = softmax(self._linear("upos", hidden))
        arcs: list[Array] = []
        governors: list[Array] = []
        for start, end in pairwise(edges.tolist()):
            part = slice(start, end)
            scores = self._arc_scores(dependents[part], heads[part], bias[part])
            arcs.append(softmax(np.concatenate([scores, root[part]], 1)))
            governors.append(matmul(arcs[-1][:, :-1], hidden[part]))
        pairs = np.concatenate([hidden, np.concatenate(governors)], 1)
        relations = softmax(self._linear("rel", pairs))
        return [
            Syntax(upos[start:end], relations[start:end], found)
            for (start, end), found in zip(pairwise(edges.tolist()), arcs, strict=True)
        ]

    def _hidden(self, words: Array, starts: NDArray[np.int64]) -> Array:
        """Return one vector a word, from itself and its neighbours in the sentence."""
        hidden = np.maximum(self._linear("inp", words), 0)
        before, after = np.roll(hidden, 1, axis=0), np.roll(hidden, -1, axis=0)
        before[starts] = 0
        after[starts - 1] = 0  # the last word of the sentence before; of the first, the very last
        neighbours = np.concatenate([before, hidden, after], 1)
        mixed: Array = hidden + np.maximum(self._linear("mix", neighbours), 0)
        return mixed

    def _arc_scores(self, dependents: Array, heads: Array, bias: Array) -> Array:
        places = np.arange(len(heads))
        apart = np.clip(places[None] - places[:, None], -FARTHEST, FARTHEST) + FARTHEST
        scale = np.sqrt(np.float32(heads.shape[1]))
        scores: Array = matmul_transposed(dependents, heads) / scale + bias + self.distance[apart]
        scores[places, places] = _NOT_ITSELF
        return scores

    def _linear(self, name: str, inputs: Array) -> Array:
        return matmul_transposed(inputs, self.weights[name]) + self.biases[name]


def _batches(sentences: Sequence[Stored]) -> list[list[Stored]]:
    batches: list[list[Stored]] = []
    size = WORDS_AT_ONCE
    for words in sentences:
        if size + len(words) > WORDS_AT_ONCE:
            batches.append([])
            size = 0
        batches[-1].append(words)
        size += len(words)
    return batches


def softmax(scores: Array) -> Array:
    """Turn the scores of each row into probabilities."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Array = powers / powers.sum(axis=-1, keepdims=True)
    return shares
