"""Figures of a cut head, with intervals by resampling documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.evaluate.cuts.evaluate import ScoredCut
from discobert.metrics.ranking import (
    Flags,
    Floats,
    Tenth,
    area_under_curve,
    brier_score,
    calibration,
    recall_at,
)
from discobert.metrics.statistics import RESAMPLES, SEED, Interval
from discobert.store.corpora.judged_cuts import GUM, NEWS

PRECISIONS = (0.80, 0.85, 0.90)
QUESTIONS = ("grammatical", "faithful", "complete")
_MAJORITY = 0.5


@dataclass(frozen=True, slots=True)
class CutGroup:
    """Figures of some cuts."""

    n_cuts: int
    n_documents: int
    harmless: float
    """Share of cuts judged harmless: the precision of leaving out everything."""
    area: Interval
    recalls: Mapping[float, Interval]
    """Share of harmless cuts that is found at each precision."""


@dataclass(frozen=True, slots=True)
class CutReport:
    """All figures; shares between 0 and 1."""

    groups: Mapping[str, CutGroup]
    """All cuts, those of news, those of GUM."""
    questions: Mapping[str, Interval]
    """Area under the curve of each single question."""
    tenths: Sequence[Tenth]
    brier: float
    model: ModelId | None = None


def report_on(
    scored: Sequence[ScoredCut], *, model: ModelId | None = None, resamples: int = RESAMPLES
) -> CutReport:
    """Aggregate the scores of cuts; intervals are the same in every run."""
    if not scored:
        raise InputError("no cut to evaluate")
    groups = {"all": scored, "news": _of(scored, NEWS), "gum": _of(scored, GUM)}
    truths, probabilities = _truths(scored), _probabilities(scored)
    return CutReport(
        groups={name: _group(found, resamples) for name, found in groups.items() if found},
        questions={
            name: _question(scored, number, resamples) for number, name in enumerate(QUESTIONS)
        },
        tenths=calibration(truths, probabilities),
        brier=brier_score(truths, probabilities),
        model=model,
    )


def _of(scored: Sequence[ScoredCut], source: str) -> list[ScoredCut]:
    return [cut for cut in scored if cut.judged.source == source]


def _truths(scored: Sequence[ScoredCut]) -> Flags:
    return np.array([cut.judged.harmless for cut in scored], dtype=np.bool_)


def _probabilities(scored: Sequence[ScoredCut]) -> Floats:
    return np.array([cut.probability for cut in scored])


def _group(scored: Sequence[ScoredCut], resamples: int) -> CutGroup:
    truths, probabilities = _truths(scored), _probabilities(scored)

    def figures(chosen: Sequence[int]) -> list[float]:
        right, scores = truths[chosen], probabilities[chosen]
        recalls = [recall_at(right, scores, precision) for precision in PRECISIONS]
        return [area_under_curve(right, scores), *recalls]

    area, *recalls = _intervals(scored, figures, resamples)
    return CutGroup(
        n_cuts=len(scored),
        n_documents=len({cut.judged.document for cut in scored}),
        harmless=float(truths.mean()),
        area=area,
        recalls=dict(zip(PRECISIONS, recalls, strict=True)),
    )


def _question(scored: Sequence[ScoredCut], number: int, resamples: int) -> Interval:
    truths = np.array([cut.judged.answers[number] >= _MAJORITY for cut in scored])
    logits = np.array([cut.answers[number] for cut in scored])
    return _intervals(
        scored, lambda chosen: [area_under_curve(truths[chosen], logits[chosen])], resamples
    )[0]


def _intervals(
    scored: Sequence[ScoredCut], figures: Callable[[Sequence[int]], list[float]], resamples: int
) -> list[Interval]:
    """Compute figures and their percentile intervals; a document is drawn with all its cuts."""
    places: dict[str, list[int]] = {}
    for place, cut in enumerate(scored):
        places.setdefault(cut.judged.document, []).append(place)
    documents = [np.array(found) for found in places.values()]
    rng = np.random.default_rng(SEED)
    drawn = [
        figures(np.concatenate([documents[number] for number in numbers]).tolist())
        for numbers in rng.integers(0, len(documents), size=(resamples, len(documents)))
    ]
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0).tolist()
    means = figures(range(len(scored)))
    return [Interval(*bounds) for bounds in zip(means, low, high, strict=True)]
