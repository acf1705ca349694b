"""Prepared documents: all that training needs, so that it never touches text again."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.data.summary import Analysis
from discobert.runtime.pieces import PieceLayout
from discobert.store.corpora.articles import Article

Targets = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Labels:
    """What the reference says about the units of one kind, EDUs or sentences."""

    oracle: tuple[int, ...]
    """The units nearest to the reference, in reading order."""
    score: float
    """What the oracle reaches, by the objective it climbed."""
    targets: Targets
    """What each unit alone gains, with all it needs, as a share of the greatest gain."""
    words: int
    """White-space words of the oracle's units."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Sizes for statistics; tokens are words and marks, each mark alone."""

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
