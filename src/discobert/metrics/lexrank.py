"""Continuous LexRank (Erkan and Radev 2004): centrality of sentences by TF-IDF similarity.

The matrix of similarities is never built: cosines are products of sparse TF-IDF rows, so a step of
the power iteration costs as much as reading the text once.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discobert.language.tokens import Tokens

Floats = NDArray[np.float64]

DAMPING = 0.85
TOLERANCE = 1e-6
MAX_ITERATIONS = 100


def lexrank(sentences: Sequence[Tokens]) -> Floats:
    """Return the stationary probability of each sentence in a random walk over similarities."""
    n_sentences = len(sentences)
    if n_sentences == 0:
        return np.zeros(0, dtype=np.float64)
    rows, columns, weights = _unit_rows(sentences)
    n_columns = int(columns.max(initial=-1)) + 1

    def similarity_to(amounts: Floats) -> Floats:
        terms = np.bincount(columns, weights * amounts[rows], minlength=n_columns)
        sums = np.bincount(rows, weights * terms[columns], minlength=n_sentences)
        return np.asarray(sums, dtype=np.float64)

    degrees = similarity_to(np.ones(n_sentences))
    shares = np.full(n_sentences, 1 / n_sentences)
    change = math.inf
    for _ in range(MAX_ITERATIONS):
        if change < TOLERANCE:
            break
        passed_on = similarity_to(np.divide(shares, degrees, where=degrees > 0, out=shares * 0))
        # Sentences without weighted words have no similarity: their mass is spread over all.
        kept = 1 - DAMPING * passed_on.sum()
        updated = DAMPING * passed_on + kept / n_sentences
        change = float(np.abs(updated - shares).sum())
        shares = updated
    return shares


def _unit_rows(
    sentences: Sequence[Tokens],
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Return TF-IDF entries; each row has unit length, an empty row none."""
    frequencies = [Counter(sentence) for sentence in sentences]
    spread = Counter(token for counts in frequencies for token in counts)
    columns_of = {token: column for column, token in enumerate(spread)}
    rarity = {token: math.log(len(sentences) / count) for token, count in spread.items()}
    entries = [
        (row, columns_of[token], count * rarity[token])
        for row, counts in enumerate(frequencies)
        for token, count in counts.items()
        if rarity[token] > 0
    ]
    rows = np.array([entry[0] for entry in entries], dtype=np.int64)
    columns = np.array([entry[1] for entry in entries], dtype=np.int64)
    weights = np.array([entry[2] for entry in entries], dtype=np.float64)
    lengths = np.sqrt(np.bincount(rows, weights**2, minlength=len(sentences)))
    return rows, columns, weights / lengths[rows]
