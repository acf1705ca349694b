"""Prepared documents: all that training reads, so that it needs no analysis of text."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.data.summary import Analysis
from discobert.runtime.pieces import PieceLayout
from discobert.store.corpora.articles import Article

Targets = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Labels:
    """Training labels of the units of one kind, EDUs or sentences, from the reference."""

    oracle: tuple[int, ...]
    """The units nearest to the reference, in reading order."""
    score: float
    """The score of the oracle, by the objective of its search."""
    targets: Targets
    """The gain of each unit alone, with all it depends on, as a share of the greatest gain."""
    words: int
    """White-space words of the oracle's units."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Sizes for statistics; tokens are words and punctuation marks."""

    tokens: int
    reference_tokens: int
    rst_edges: int
    coref_edges: int
    """Unordered pairs of EDUs that mention the same thing."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document with its structure, its labels and its word pieces."""

    article: Article
    analysis: Analysis
    edus: Labels
    sentences: Labels
    counts: Counts
    layout: PieceLayout | None
    """Word pieces, if the model that analysed the text has any."""
