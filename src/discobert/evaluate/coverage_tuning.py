"""Fitting which words a summary will have, and what they count for, to reference summaries.

The texts are split in two halves. Regressions fitted to one half select in the other, so that what
words and scores count for is chosen on texts that the regressions have not seen; what is kept is
fitted to all texts. N n-grams, F features.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import JsonObject
from discobert.data.summary import Analysis
from discobert.discourse.units import UnitKind
from discobert.errors import InputError
from discobert.metrics.rouge import Reference, reference_of, rouge
from discobert.scorer.load import SECTION
from discobert.selection.build import Salience, selection_problem
from discobert.selection.paper.coverage import CoverageModel
from discobert.selection.paper.ngrams import Gram, GramModel, GramTable, Rows, ScoredText
from discobert.selection.request import PAPER_REQUEST, SummaryRequest
from discobert.selection.select import select
from discobert.selection.write import write

PAIR_WEIGHTS = (1.0, 2.0, 3.0)
SCORE_WEIGHTS = (0.5, 1.0, 2.0)
SENTENCE_WEIGHTS = (0.0, 0.3, 0.6, 1.0)
_HALVES = 2
_RIDGE = 1.0
_STEPS = 25
_CLOSE = 1e-8
_SURE = 30.0
"""Bound of log-odds while a regression is fitted."""


@dataclass(frozen=True, slots=True)
class ScoredArticle:
    """A text with scores of its EDUs and sentences, its n-grams, and its reference."""

    analysis: Analysis
    salience: Salience
    words: GramTable
    pairs: GramTable
    reference: Reference

    @classmethod
    def of(
        cls, analysis: Analysis, salience: Salience, reference: Sequence[str]
    ) -> "ScoredArticle":
        """Find the n-grams of a text with their features."""
        if salience.sentences is None:
            raise InputError("the model has no network for sentences, so nothing can be fitted")
        text = ScoredText.of(analysis.document, salience.scores, salience.sentences)
        return cls(analysis, salience, text.words(), text.pairs(), reference_of(reference))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Mean ROUGE of all texts with some weights, in per cent."""

    unit: UnitKind
    pair_weight: float
    weight: float
    """Of the score of clauses or sentences."""
    rouge: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class CoverageFit:
    """What was fitted, and the trials that chose its weights."""

    model: CoverageModel
    trials: tuple[Trial, ...]
    plain: Mapping[UnitKind, tuple[float, float, float]]
    """ROUGE of selection by scores alone."""


def fit_coverage(articles: Sequence[ScoredArticle]) -> CoverageFit:
    """Fit both regressions, and choose what pairs and scores count for by ROUGE-1, 2 and Lsum."""
    if len(articles) < _HALVES:
        raise InputError(f"at least two texts with summaries are needed, got {len(articles)}")
    halves = [articles[start::_HALVES] for start in range(_HALVES)]
    fitted = [_grams(halves[1 - index]) for index in range(_HALVES)]
    pairs = [
        (article, models) for half, models in zip(halves, fitted, strict=True) for article in half
    ]
    of_edus = [
        _trial(pairs, UnitKind.EDU, pair_weight, weight)
        for pair_weight, weight in product(PAIR_WEIGHTS, SCORE_WEIGHTS)
    ]
    best = max(of_edus, key=lambda trial: sum(trial.rouge))
    of_sentences = [
        _trial(pairs, UnitKind.SENTENCE, best.pair_weight, weight) for weight in SENTENCE_WEIGHTS
    ]
    words, grams = _grams(articles)
    model = CoverageModel(
        words=words,
        pairs=grams,
        pair_weight=best.pair_weight,
        score_weight=best.weight,
        sentence_weight=max(of_sentences, key=lambda trial: sum(trial.rouge)).weight,
    )
    plain = {unit: _mean_rouge([(each, None) for each in articles], unit) for unit in UnitKind}
    return CoverageFit(model, (*of_edus, *of_sentences), plain)


_GramModels = tuple[GramModel, GramModel]


def _grams(articles: Iterable[ScoredArticle]) -> _GramModels:
    """Fit the regressions over words and over pairs of words."""
    known = list(articles)
    words = [(a.words, frozenset[Gram]((word,) for word in a.reference.unigrams)) for a in known]
    pairs = [(a.pairs, frozenset[Gram](a.reference.bigrams)) for a in known]
    return fit_gram_model(words), fit_gram_model(pairs)


def fit_gram_model(tables: Iterable[tuple[GramTable, frozenset[Gram]]]) -> GramModel:
    """Fit the probability that the reference has an n-gram, by Newton's method with a ridge."""
    found = list(tables)
    rows = np.concatenate([table.rows for table, _ in found])
    wanted = np.array([gram in grams for table, grams in found for gram in table.grams])
    mean, scale = rows.mean(0), rows.std(0) + _CLOSE
    inputs = np.concatenate([(rows - mean) / scale, np.ones((len(rows), 1))], 1)
    weights = _logistic(inputs, wanted)
    unscaled = weights[:-1] / scale
    return GramModel(float(weights[-1] - mean @ unscaled), tuple(unscaled.tolist()))


def _logistic(inputs: Rows, wanted: NDArray[np.bool_]) -> Rows:
    weights = np.zeros(inputs.shape[1])
    ridge = _RIDGE * np.eye(inputs.shape[1])
    for _ in range(_STEPS):
        odds = np.clip(inputs @ weights, -_SURE, _SURE)
        probabilities = 1 / (1 + np.exp(-odds))
        slope = inputs.T @ (wanted - probabilities) - ridge @ weights
        curvature = (inputs * (probabilities * (1 - probabilities))[:, None]).T @ inputs + ridge
        step = np.linalg.solve(curvature, slope)
        weights = weights + step
        if float(np.abs(step).max()) < _CLOSE:
            break
    return weights


def _trial(
    articles: Sequence[tuple[ScoredArticle, _GramModels]],
    unit: UnitKind,
    pair_weight: float,
    weight: float,
) -> Trial:
    with_models = [
        (
            article,
            CoverageModel(
                words=words,
                pairs=pairs,
                pair_weight=pair_weight,
                score_weight=weight,
                sentence_weight=weight,
            ),
        )
        for article, (words, pairs) in articles
    ]
    found = _mean_rouge(with_models, unit)
    return Trial(unit=unit, pair_weight=pair_weight, weight=weight, rouge=found)


def _mean_rouge(
    articles: Sequence[tuple[ScoredArticle, CoverageModel | None]], unit: UnitKind
) -> tuple[float, float, float]:
    request = replace(PAPER_REQUEST, unit=unit)
    scores = [_rouge(article, model, request) for article, model in articles]
    one, two, longest = (100 * np.mean(scores, 0)).tolist()
    return one, two, longest


def _rouge(
    article: ScoredArticle, model: CoverageModel | None, request: SummaryRequest
) -> tuple[float, float, float]:
    salience = article.salience
    salience = replace(salience, decoding=replace(salience.decoding, coverage=model))
    lines = write(select(selection_problem(article.analysis, salience, request))).lines
    found = rouge(article.reference, lines)
    return found.rouge1.f1, found.rouge2.f1, found.rouge_l.f1


def with_coverage(settings: JsonObject, model: CoverageModel) -> JsonObject:
    """Return the settings of a bundle with what was fitted."""
    content = {**Field(settings, "settings").member(SECTION).object()}
    content["coverage"] = model.settings()
    return {**settings, SECTION: content}
