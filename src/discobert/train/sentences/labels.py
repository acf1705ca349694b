"""Targets of sentences from reference summaries, kept beside their vectors.

For each sentence: ``order`` (place in the greedy extract, from 1; 0 if outside), ``alone`` (its
ROUGE-1 + ROUGE-2), ``feat`` (surface features), ``tlen`` (tokens) and ``counts`` (n-grams of the
reference). For each article: ``shape`` (sentences, n-grams, unigrams, tokens of the reference) and
``wanted`` (counts of these n-grams in the reference).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.language.tokens import tokenise
from discobert.metrics.coverage import Coverage, coverage_of, empty_extract, extend, steps_from
from discobert.metrics.rouge import reference_of
from discobert.runtime.tensors import Array
from discobert.scorer.sentence_features import surface_features
from discobert.store.corpora.articles import Article
from discobert.train.sentences.vectors import Arrays, ArticleFile, write_arrays

logger = logging.getLogger(__name__)

LARGEST = 255


@dataclass(frozen=True, slots=True)
class _Greedy:
    order: NDArray[np.uint8]
    alone: Array


def label_missing(file: ArticleFile) -> None:
    """Label the shards that have vectors but no labels."""
    for start, articles in file.in_shards(lambda start: not file.labels(start).is_file()):
        if file.shard(start).is_file():
            with np.load(file.shard(start)) as vectors:
                write_arrays(file.labels(start), shard_labels(dict(articles), dict(vectors)))
            logger.info("labelled %s", file.shard(start))


def shard_labels(articles: dict[int, Article], vectors: Arrays) -> Arrays:
    """Return the targets of all sentences of a shard."""
    parts: list[Arrays] = []
    place = 0
    for line, n in zip(vectors["line"].tolist(), vectors["n"].tolist(), strict=True):
        article = articles[line]
        spans = vectors["spans"][place : place + n].tolist()
        texts = [article.text[start:end] for start, end in spans]
        parts.append(_labels(texts, vectors["par"][place : place + n], article.reference))
        place += n
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _labels(texts: Sequence[str], opens: NDArray[np.generic], reference: Sequence[str]) -> Arrays:
    tokens = [tokenise(text) for text in texts]
    coverage = coverage_of(tokens, reference_of(reference), closures=None, bigrams=True)
    greedy = _greedy(coverage)
    counts = np.minimum(coverage.counts[:-1], LARGEST).astype(np.uint8)
    n, n_grams = counts.shape
    shape = (n, n_grams, coverage.n_unigrams, coverage.reference_length)
    return {
        "order": greedy.order,
        "alone": greedy.alone,
        "feat": surface_features(texts, opens.astype(np.bool_)).astype(np.float16),
        "tlen": coverage.lengths[:-1].astype(np.int16),
        "counts": counts.ravel(),
        "shape": np.array([shape], dtype=np.int32),
        "wanted": np.minimum(coverage.wanted, LARGEST).astype(np.uint8),
    }


def _greedy(coverage: Coverage) -> _Greedy:
    """Add the best sentence while ROUGE rises."""
    extract = empty_extract(coverage)
    steps = steps_from(coverage, extract)
    alone = steps.scores.astype(np.float32)
    order = np.zeros(coverage.n_units, dtype=np.uint8)
    best = int(np.argmax(steps.scores))
    while steps.scores[best] > extract.score:
        extract = extend(coverage, extract, steps, best)
        order[best] = order.max() + 1
        steps = steps_from(coverage, extract)
        best = int(np.argmax(steps.scores))
    return _Greedy(order, alone)
