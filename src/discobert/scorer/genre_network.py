"""Is a text news? If not, its sentences are scored by heads for all other genres, in numpy.

The networks learned what matters from news, where it stands at the start. Above the same states of
the sentence network, these heads learned from editors' extracts and human summaries of papers,
biographies, interviews, guides, minutes, policies and the like.

N sentences, H width of their vectors, I width of what the heads of the sentence network read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from discobert.data.summary import SentenceSalience
from discobert.runtime.tensors import Array
from discobert.scorer.genre_features import genre_features
from discobert.scorer.graph_layers import Linear, Tensors, relu
from discobert.scorer.sentence_network import SentenceOutputs, sigmoid

N_OUTPUTS = 3
"""Logits of the editor's choice, of furniture, and of the gain in ROUGE."""


@dataclass(frozen=True, slots=True)
class NewsDetector:
    """A logistic regression over the mean vector of a text's sentences."""

    mean: Array
    scale: Array
    linear: Linear

    @classmethod
    def of(cls, tensors: Tensors) -> "NewsDetector":
        """Find the regression among the weights."""
        return cls(tensors["news.mean"], tensors["news.scale"], Linear.of(tensors, "news"))

    def __call__(self, means: Array) -> bool:
        """Tell from the means of the pieces of its sentences (N, H) whether a text is news."""
        row = (means.mean(0) - self.mean) * self.scale
        return bool(self.linear(row[None])[0, 0] > 0)


@dataclass(frozen=True)
class GenreNetwork:
    """Scores the sentences of texts that are no news."""

    is_news: NewsDetector
    mean: Array = field(repr=False)
    scale: Array = field(repr=False)
    inner: Linear = field(repr=False)
    out: Linear = field(repr=False)
    skip: Linear = field(repr=False)

    @classmethod
    def of(cls, tensors: Tensors) -> "GenreNetwork":
        """Find the heads among the weights."""
        return cls(
            NewsDetector.of(tensors),
            tensors["heads.mean"],
            tensors["heads.scale"],
            Linear.of(tensors, "heads.inner"),
            Linear.of(tensors, "heads.out"),
            Linear.of(tensors, "heads.skip"),
        )

    def __call__(
        self, outputs: SentenceOutputs, means: Array, texts: Sequence[str]
    ) -> SentenceSalience:
        """Score sentences from what the sentence network says of them, means and texts."""
        best, never, gain = self.logits(genre_inputs(outputs.inputs, means, texts)).T
        return SentenceOutputs(
            outputs.salience, gain, best, sigmoid(never), outputs.inputs
        ).values()

    def logits(self, inputs: Array) -> Array:
        """Return best, never and gain of sentences, (N, 3)."""
        rows = (inputs - self.mean) * self.scale
        logits: Array = self.out(relu(self.inner(rows))) + self.skip(rows)
        return logits


def genre_inputs(inputs: Array, means: Array, texts: Sequence[str]) -> Array:
    """Join what the sentence network's heads read with features and means, (N, I + F + H)."""
    return np.concatenate([inputs, genre_features(texts), means], 1).astype(np.float32)
