"""The weights of the readable style: a ridge regression of ratings on what the search counts.

Readers rated several summaries of each text. What they gave a summary more or less than the others
of its text is explained by the features that the search adds up (``selection.readable.search``), so
that the search then finds the summary of the highest predicted rating. ROUGE can be part of what is
predicted, for texts with a reference.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import JsonObject
from discobert.data.document import Document, Span
from discobert.data.summary import Analysis
from discobert.discourse.units import by_sentence
from discobert.errors import InputError, UsageError
from discobert.metrics.rouge import reference_of, rouge
from discobert.protocols import Scorer
from discobert.runtime.tensors import read_tensors
from discobert.scorer.genre_network import GenreNetwork
from discobert.scorer.load import SENTENCE_SECTION
from discobert.scorer.network import NeuralScorer
from discobert.selection.build import Salience, selection_problem
from discobert.selection.readable.choose import ReadableSearch
from discobert.selection.readable.search import Counts, summary_counts
from discobert.selection.readable.variants import SentenceVariant
from discobert.selection.readable.weights import FEATURES, ReadableWeights
from discobert.store.corpora.extracts import fold_of
from discobert.store.corpora.rated_summaries import RatedText
from discobert.store.text import printable
from discobert.writing.realise import realise

_FOLDS = 10
_TINY = 1e-9
_BELOW_ONE = 0.5
"""Probability of a variant of which something is cut; no feature depends on its value."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CountedText:
    """The features and the rating of each summary of one text."""

    counts: tuple[Counts, ...]
    overall: tuple[float, ...]
    is_news: bool = True
    """Whether the model takes the text for news."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights, and how well such weights predict ratings of texts that they were not fitted to."""

    weights: ReadableWeights
    explained: float
    """Share of the variance of ratings within a text."""
    accuracy: float
    """Share of pairs of summaries of one text, rated differently, that are in the right order."""
    n_texts: int
    n_summaries: int


@dataclass(frozen=True, slots=True)
class HeldOutScorers:
    """A scorer for each text whose heads for other genres did not learn from that text."""

    usual: Scorer
    folds: tuple[Scorer, ...] = ()

    @classmethod
    def of(cls, scorer: Scorer, run: Path | None) -> "HeldOutScorers":
        """Read the heads of all parts from a run of ``train genres``; without one, use as it is."""
        if run is None:
            return cls(scorer)
        files = sorted(run.glob("fold-*.safetensors"))
        if not files or not isinstance(scorer, NeuralScorer):
            raise InputError(f"{printable(run)}: no heads for parts of the texts there")
        networks = [GenreNetwork.of(read_tensors(file.read_bytes())) for file in files]
        return cls(scorer, tuple(replace(scorer, genres=network) for network in networks))

    def scorer(self, name: str) -> Scorer:
        """Return the scorer for the text of a name."""
        return self.folds[fold_of(name, len(self.folds))] if self.folds else self.usual


def counted_text(
    rated: RatedText, analysis: Analysis, salience: Salience, *, rouge_weight: float = 0.0
) -> CountedText:
    """Count the features of rated summaries; those that show captions or headings are left out.

    The search never selects them, so nothing needs to be learned from them. ``rouge_weight`` is
    added to the rating for each point (of 100) of ROUGE-1, if the text has a reference.
    """
    problem = selection_problem(analysis, salience)
    if not isinstance(problem.search, ReadableSearch):
        raise UsageError("only the readable style can be fitted to ratings")
    task = problem.search.task(problem)
    found = []
    for summary in rated.summaries:
        variants = _variants(analysis.document, summary.spans)
        if variants and all(task.eligible[variant.sentence] for variant in variants):
            worth = summary.overall
            if rated.references:
                shown = [edu for variant in variants for edu in variant.edus]
                lines = realise(analysis.document, shown)
                worth += rouge_weight * 100 * _rouge1(lines, rated.references)
            found.append((summary_counts(task, variants), worth))
    return CountedText(
        tuple(counts for counts, _ in found),
        tuple(rating for _, rating in found),
        is_news=salience.other is None,
    )


def _rouge1(lines: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the mean over several references."""
    return float(np.mean([rouge(reference_of(each), lines).rouge1.f1 for each in references]))


def _variants(document: Document, spans: Sequence[Span]) -> list[SentenceVariant]:
    shown = [
        index
        for index, edu in enumerate(document.edus)
        if any(span.start <= edu.span.start and edu.span.end <= span.end for span in spans)
    ]
    everything = document.edus_by_sentence()
    return [
        SentenceVariant(
            sentence,
            tuple(edus),
            1.0 if len(edus) == len(everything[sentence]) else _BELOW_ONE,
        )
        for sentence, edus in by_sentence(document, shown).items()
    ]


def fit_weights(
    texts: Iterable[CountedText],
    *,
    start: ReadableWeights,
    fixed: Mapping[str, float],
    ridge: float,
) -> Fit:
    """Fit the coefficients; ``fixed`` weights are given, all other bounds are ``start``'s."""
    used = [text for text in texts if len(text.overall) > 1]
    if not used:
        raise InputError(
            "no text has two summaries that can be compared; those that show what the model takes "
            "for furniture are left out"
        )
    known = start.settings()
    unknown = sorted(fixed.keys() - known.keys())
    if unknown:
        raise UsageError(f"unknown weight {unknown[0]!r}: use {', '.join(known)}")
    counts = np.concatenate([_centred(np.array(text.counts, dtype=float)) for text in used])
    ratings = np.concatenate([_centred(np.array(text.overall, dtype=float)) for text in used])
    groups = np.repeat(np.arange(len(used)), [len(text.overall) for text in used])
    regression = _Regression(counts, ratings, fixed, ridge)
    predicted = np.zeros(len(ratings))
    for fold in range(_FOLDS):
        held_out = groups % _FOLDS == fold
        predicted[held_out] = counts[held_out] @ regression.coefficients(~held_out)
    everything = np.ones(len(ratings), dtype=bool)
    coefficients = regression.coefficients(everything).tolist()
    bounds = {name: type(known[name])(fixed[name]) for name in fixed.keys() - set(FEATURES)}
    weights = replace(start, **dict(zip(FEATURES, coefficients, strict=True)), **bounds)
    error = float(((ratings - predicted) ** 2).sum())
    return Fit(
        weights=weights,
        explained=1 - error / max(float((ratings**2).sum()), _TINY),
        accuracy=_accuracy(predicted, ratings, groups),
        n_texts=len(used),
        n_summaries=len(ratings),
    )


@dataclass(frozen=True, slots=True)
class _Regression:
    """A ridge regression in which some coefficients are given."""

    counts: Matrix
    ratings: Matrix
    fixed: Mapping[str, float]
    ridge: float

    def coefficients(self, rows: NDArray[np.bool_]) -> Matrix:
        found = np.array([self.fixed.get(name, 0.0) for name in FEATURES])
        free = np.array([name not in self.fixed for name in FEATURES])
        scale = self.counts.std(0)[free] + _TINY
        inputs = self.counts[rows][:, free] / scale
        targets = self.ratings[rows] - self.counts[rows] @ found
        gram = inputs.T @ inputs + self.ridge * np.eye(int(free.sum()))
        found[free] = np.linalg.solve(gram, inputs.T @ targets) / scale
        return found


def _centred(rows: Matrix) -> Matrix:
    centred: Matrix = rows - rows.mean(0)
    return centred


def _accuracy(predicted: Matrix, ratings: Matrix, groups: NDArray[np.int_]) -> float:
    right = total = 0
    for group in range(int(groups.max()) + 1):
        pairs = zip(predicted[groups == group], ratings[groups == group], strict=True)
        for (one, rated), (other, other_rated) in combinations(pairs, 2):
            total += rated != other_rated
            right += (one - other) * (rated - other_rated) > 0
    return right / max(total, 1)


def tuned_settings(
    settings: JsonObject, weights: ReadableWeights, *, section: str = SENTENCE_SECTION
) -> JsonObject:
    """Return the settings of a bundle with the weights of the readable style in a section."""
    content = {**Field(settings, "settings").member(section).object()}
    content["readable"] = {**weights.settings()}
    return {**settings, section: content}
