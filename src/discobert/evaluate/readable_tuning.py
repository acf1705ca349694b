"""The weights of the readable style, chosen on editors' extracts and on articles with references.

Trials are drawn at random from a fixed seed. A trial is worth the F1 against the extracts of news
and of other texts, less captions and headings beyond one per cent, plus what ROUGE-1 gains over the
first three sentences, up to a bound: beyond it, readers come first.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import JsonObject
from discobert.data.summary import Analysis
from discobert.errors import UsageError
from discobert.evaluate.extracts import (
    NEWS,
    OTHER,
    ExtractReport,
    report_on,
    score_extract,
)
from discobert.metrics.rouge import Reference, rouge
from discobert.scorer.load import SENTENCE_SECTION
from discobert.selection.build import Salience, selection_problem
from discobert.selection.problem import SelectionProblem
from discobert.selection.readable.weights import ReadableWeights
from discobert.selection.request import DEFAULT_REQUEST, SummaryRequest
from discobert.selection.select import select
from discobert.selection.write import write
from discobert.store.corpora.extracts import Extract

_LEAD = 3
_ROUGE_WEIGHT, _ENOUGH_ROUGE = 3.0, 2.0
_OTHER_WEIGHT = 0.5
_FEW_NEVER = 1.0
CHOICES: dict[str, tuple[float, ...]] = {
    "best": (0.35, 0.5, 0.7),
    "bias": (0.25, 0.5, 0.75),
    "threshold": (0.2, 0.25, 0.3),
    "first": (2.0, 3.0, 4.0),
    "next": (0.3, 0.4, 0.6),
    "jump": (0.03, 0.05),
    "repeat": (1.0, 1.5, 2.0),
    "skip": (0.2, 0.25, 0.3),
}
"""The values that trials draw from: blind readers want the lead, and few jumps."""


@dataclass(frozen=True, slots=True)
class ScoredExtract:
    """An extract with the analysis and the scores of its text."""

    extract: Extract
    analysis: Analysis
    salience: Salience


@dataclass(frozen=True, slots=True)
class ScoredArticle:
    """An article with its reference, its analysis and its scores."""

    analysis: Analysis
    salience: Salience
    reference: Reference

    def lead_rouge(self) -> float:
        """ROUGE-1 of the first three sentences."""
        document = self.analysis.document
        lines = [" ".join(span.of(document.text).split()) for span in document.sentences[:_LEAD]]
        return 100 * rouge(self.reference, lines).rouge1.f1


@dataclass(frozen=True, slots=True)
class Trial:
    """Weights and what they gave."""

    weights: ReadableWeights
    extracts: dict[str, ExtractReport]
    rouge_gain: float
    """ROUGE-1 over the first three sentences."""

    @property
    def worth(self) -> float:
        """What tuning maximises."""
        never = max((found.never.mean for found in self.extracts.values()), default=0.0)
        total = _ROUGE_WEIGHT * min(self.rouge_gain, _ENOUGH_ROUGE) - max(never - _FEW_NEVER, 0.0)
        for source, weight in ((NEWS, 1.0), (OTHER, _OTHER_WEIGHT)):
            if source in self.extracts:
                total += weight * self.extracts[source].f1.mean
        return total


def drawn_weights(start: ReadableWeights, *, trials: int, seed: int) -> Iterator[ReadableWeights]:
    """Yield the weights to try, those to start from first."""
    rng = random.Random(seed)
    yield start
    for _ in range(trials - 1):
        values = {name: rng.choice(choices) for name, choices in CHOICES.items()}
        yield replace(start, **values)  # type: ignore[arg-type] # all of these are floats


@dataclass(frozen=True, slots=True)
class TuningTexts:
    """Texts to tune on, analysed and scored once."""

    extracts: tuple[ScoredExtract, ...]
    articles: tuple[ScoredArticle, ...]

    def try_weights(self, weights: ReadableWeights, request: SummaryRequest) -> Trial:
        """Summarise all texts with some weights."""
        scores = []
        for each in self.extracts:
            document = each.analysis.document
            problem = _problem(each.analysis, each.salience, weights, request)
            spans = [document.edus[edu].span for edu in select(problem).selection.edus]
            scores.append(score_extract(document.text, each.extract, spans))
        gains = [_rouge1(each, weights, request) - each.lead_rouge() for each in self.articles]
        return Trial(weights, report_on(scores), sum(gains) / max(len(gains), 1))


def tune_weights(
    texts: TuningTexts,
    trials: Iterable[ReadableWeights],
    *,
    on_trial: Callable[[Trial], None] = lambda trial: None,
) -> Trial:
    """Try weights one after the other and return the best trial."""
    best: Trial | None = None
    for weights in trials:
        trial = texts.try_weights(weights, DEFAULT_REQUEST)
        on_trial(trial)
        if best is None or trial.worth > best.worth:
            best = trial
    if best is None:
        raise UsageError("tuning needs at least one trial")
    return best


def tuned_settings(settings: JsonObject, weights: ReadableWeights) -> JsonObject:
    """Return the settings of a bundle with the weights of the readable style in them."""
    section = {**Field(settings, "settings").member(SENTENCE_SECTION).object()}
    section["readable"] = {**weights.settings()}
    return {**settings, SENTENCE_SECTION: section}


def _problem(
    analysis: Analysis, salience: Salience, weights: ReadableWeights, request: SummaryRequest
) -> SelectionProblem:
    decoding = replace(salience.decoding, readable=weights)
    return selection_problem(analysis, replace(salience, decoding=decoding), request)


def _rouge1(article: ScoredArticle, weights: ReadableWeights, request: SummaryRequest) -> float:
    problem = _problem(article.analysis, article.salience, weights, request)
    return 100 * rouge(article.reference, write(select(problem)).lines).rouge1.f1
