"""Scores of an analyser: over all documents with intervals, by licence and by genre."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.evaluate.analyses.evaluate import DocumentScore, Tallies
from discobert.metrics.counts import NOTHING, Tally
from discobert.metrics.statistics import RESAMPLES, SEED, Interval

WORDS = 600
"""The length of the text that times are given for."""

_LABELS = ("span", "nuclearity", "relation", "full")
Figures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class AnalysisReport:
    """All figures by name; percentages, but for ``dependencies.per_edu`` and its gold."""

    documents: int
    figures: Mapping[str, Interval]
    in_licence: "Subset"
    by_genre: Mapping[str, "Subset"]
    cpu_seconds: float
    """CPU time of one analysis of ``WORDS`` words from raw text."""
    model: ModelId | None = None


@dataclass(frozen=True, slots=True)
class Subset:
    """Figures of some of the documents; without documents there are none."""

    documents: int
    figures: Figures


def report_on(
    scores: Sequence[DocumentScore], *, model: ModelId | None = None, seed: int = SEED
) -> AnalysisReport:
    """Aggregate counts; with the same seed, intervals are reproducible."""
    if not scores:
        raise InputError("no document to evaluate")
    genres = sorted({score.genre for score in scores})
    words = sum(score.words for score in scores)
    return AnalysisReport(
        documents=len(scores),
        figures=_intervals(scores, seed),
        in_licence=_subset([score for score in scores if score.in_licence]),
        by_genre={genre: _subset([s for s in scores if s.genre == genre]) for genre in genres},
        cpu_seconds=sum(score.cpu_seconds for score in scores) * WORDS / max(words, 1),
        model=model,
    )


def _subset(scores: Sequence[DocumentScore]) -> Subset:
    if not scores:
        return Subset(0, {})
    summed = {
        name: sum((score.tallies[name] for score in scores), start=NOTHING)
        for name in scores[0].tallies
    }
    return Subset(len(scores), figures(summed))


def figures(tallies: Tallies) -> Figures:
    """Compute every figure from counts, named as in the JSON: ``layer.figure``."""
    coref = {name: tallies[name].f1 for name in ("muc", "b3", "ceafe")}
    shares = {
        "segmentation.f1": tallies["edus"].f1,
        "segmentation.precision": tallies["edus"].precision,
        "segmentation.recall": tallies["edus"].recall,
        "segmentation.intra_f1": tallies["inner"].f1,
        "sentences.f1": tallies["sentences"].f1,
        **{f"parsing.gold_edus.{label}": tallies[f"gold_edus.{label}"].f1 for label in _LABELS},
        **{f"parsing.end_to_end.{label}": tallies[f"end_to_end.{label}"].f1 for label in _LABELS},
        "dependencies.intra_uas": tallies["heads"].recall,
        "coref.conll_f1": sum(coref.values()) / len(coref),
        **{f"coref.{name}": value for name, value in coref.items()},
        "coref.mention_f1": tallies["mentions"].f1,
        "coref.edu_edge_f1": tallies["edu_edges"].f1,
        "subjects.f1": tallies["subjects"].f1,
    }
    return {
        **{name: 100 * share for name, share in shares.items()},
        "dependencies.per_edu": tallies["dependencies"].recall,
        "dependencies.gold_per_edu": tallies["gold_dependencies"].recall,
    }


def _intervals(scores: Sequence[DocumentScore], seed: int) -> dict[str, Interval]:
    """Compute percentile intervals by resampling documents."""
    names = list(scores[0].tallies)
    counts = np.array([[_numbers(score.tallies[name]) for name in names] for score in scores])
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(scores), np.full(len(scores), 1 / len(scores)), size=RESAMPLES)
    sums = np.tensordot(drawn, counts, axes=1)  # (resamples, tallies, 4)
    tables = [_figures_of(names, table) for table in sums]
    means = _figures_of(names, counts.sum(axis=0))
    return {
        name: _interval(mean, [table[name] for table in tables]) for name, mean in means.items()
    }


def _numbers(tally: Tally) -> tuple[float, float, float, float]:
    return tally.found, tally.gold, tally.right, tally.predicted


def _figures_of(names: Sequence[str], table: NDArray[np.float64]) -> Figures:
    return figures({name: Tally(*row) for name, row in zip(names, table.tolist(), strict=True)})


def _interval(mean: float, drawn: Sequence[float]) -> Interval:
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Interval(mean, float(low), float(high))
