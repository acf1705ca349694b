"""How well the scores of units tell those of the oracle from the others, text by text.

ROUGE of a summary also depends on length, blocking and closures; the area under the curve shows the
scores alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from discobert.data.document import SourceText
from discobert.data.summary import Analysis
from discobert.discourse.dependencies import closures, enforced_dependencies
from discobert.discourse.units import UnitKind
from discobert.errors import InputError
from discobert.language.tokens import tokenise
from discobert.metrics.oracle import PAPER, Closures, find_oracle
from discobert.metrics.ranking import area_under_curve
from discobert.metrics.rouge import reference_of
from discobert.metrics.statistics import Interval, intervals
from discobert.pipeline import Pipeline
from discobert.protocols import Scorer
from discobert.selection.build import Salience
from discobert.store.corpora.articles import Article


@dataclass(frozen=True, slots=True)
class RankedUnits:
    """Areas under the curve of one text, of 0 to 1, for one kind of unit."""

    kind: UnitKind
    scores: float
    """By the scores of the model."""
    position: float
    """By the order of the text: earlier units first."""


@dataclass(frozen=True, slots=True)
class SalienceReport:
    """Mean areas over the texts whose oracle takes some units of a kind and leaves others."""

    documents: int
    scores: Interval
    position: Interval


def ranked_units(scorer: Scorer, article: Article, analysis: Analysis) -> Iterable[RankedUnits]:
    """Rank sentences and EDUs of one text; a kind that the oracle does not split is left out."""
    document, reference = analysis.document, reference_of(article.reference)
    salience = scorer.score(analysis)
    sentences = [span.of(document.text) for span in document.sentences]
    edus = [document.edu_text(edu) for edu in range(len(document.edus))]
    needed = closures(len(edus), enforced_dependencies(document, analysis.rst))
    kinds: tuple[tuple[UnitKind, list[str], Sequence[float], Closures | None], ...] = (
        (UnitKind.SENTENCE, sentences, sentence_scores(analysis, salience), None),
        (UnitKind.EDU, edus, salience.scores.values, needed),
    )
    for kind, texts, scores, brings in kinds:
        tokens = [tokenise(text) for text in texts]
        oracle = find_oracle(tokens, reference, closures=brings, config=PAPER)
        truths = np.zeros(len(texts), dtype=np.bool_)
        truths[list(oracle.units)] = True
        if truths.any() and not truths.all():
            order = -np.arange(len(texts), dtype=np.float64)
            areas = (area_under_curve(truths, each) for each in (np.array(scores), order))
            yield RankedUnits(kind, *areas)


def sentence_scores(analysis: Analysis, salience: Salience) -> Sequence[float]:
    """Return the scores of sentences; without a sentence network, those of their best EDUs."""
    if salience.sentences is not None:
        return salience.sentences.salience
    values = salience.scores.values
    return [max(values[edu] for edu in edus) for edus in analysis.document.edus_by_sentence()]


def ranked_articles(pipeline: Pipeline, articles: Iterable[Article]) -> list[RankedUnits]:
    """Rank the units of all texts but the empty ones, which have none."""
    found = list[RankedUnits]()
    for article in articles:
        if article.text.strip():
            analysis = pipeline.analyser.analyse(SourceText(article.id, article.text))
            found += ranked_units(pipeline.scorer, article, analysis)
    return found


def report_on(found: Sequence[RankedUnits]) -> dict[UnitKind, SalienceReport]:
    """Average by kind of unit, with 95 % intervals over texts."""
    if not found:
        raise InputError("no text to rank units of: each oracle takes all units or none")
    reports = {}
    for kind in (UnitKind.SENTENCE, UnitKind.EDU):
        rows = [(each.scores, each.position) for each in found if each.kind is kind]
        if rows:
            reports[kind] = SalienceReport(len(rows), *intervals(np.array(rows), seed=0))
    return reports
