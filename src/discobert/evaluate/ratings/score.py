"""Ratings of a panel to figures: means, comparisons, preferences, faults, agreement."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray

from discobert.data.rating import (
    FaultKind,
    PanelKey,
    Question,
    RatedQuestion,
    Ratings,
    ShownSummary,
)
from discobert.errors import InputError
from discobert.metrics.statistics import (
    RESAMPLES,
    SEED,
    Agreement,
    Interval,
    agreement,
    intervals,
    sign_flip_p,
)


@dataclass(frozen=True, slots=True)
class Grade:
    """One system on one question: the mean over documents of the mean over their raters.

    For ``misleading`` it is the share of summaries that were called misleading.
    """

    interval: Interval
    """Resampled over documents; with one document alone, all its bounds are the mean."""
    deviation: float
    """Standard deviation of single ratings, as the paper gives it."""
    n_documents: int
    n_ratings: int


@dataclass(frozen=True, slots=True)
class Difference:
    """One system less another on one question, over documents where a rater has rated both."""

    interval: Interval
    p_value: float
    better: int
    """Documents on which the system has the higher mean; of misleading ones, more such."""
    same: int
    worse: int


@dataclass(frozen=True, slots=True)
class Preference:
    """How often raters put one system before another; each rater and document counts once."""

    better: int
    same: int
    worse: int
    share: Interval
    """Share of ratings that prefer the system, ties as half; documents are resampled."""


@dataclass(frozen=True, slots=True)
class SystemPair:
    """A system against another that was named before it."""

    system: str
    against: str
    differences: Mapping[Question, Difference]
    preference: Preference | None
    """None if no rater has compared the two."""


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater and how much was rated."""

    name: str
    n_documents: int
    """Documents on the rater's sheet."""
    n_finished: int
    n_ratings: int


@dataclass(frozen=True, slots=True)
class MisleadingLine:
    """What a rater found misleading."""

    system: str
    document: str
    reason: str


@dataclass(frozen=True, slots=True)
class RatingReport:
    """All figures of one panel; a question without answers is missing."""

    panel: str
    systems: tuple[str, ...]
    questions: tuple[Question, ...]
    documents: int
    documents_rated: int
    raters: tuple[Rater, ...]
    grades: Mapping[str, Mapping[Question, Grade]]
    pairs: tuple[SystemPair, ...]
    faults: Mapping[str, Mapping[FaultKind, float]]
    """Faults by system and kind in 100 rated summaries."""
    misleading: tuple[MisleadingLine, ...]
    agreement: Mapping[Question, Agreement]

    @property
    def unfinished(self) -> tuple[Rater, ...]:
        """Raters who have left something out."""
        return tuple(rater for rater in self.raters if rater.n_finished < rater.n_documents)


def score_ratings(ratings: Sequence[Ratings], *, seed: int = SEED) -> RatingReport:
    """Score the ratings of one panel; the seed fixes every digit."""
    if not any(one.values for one in ratings):
        raise InputError("nothing to score: no question has been answered")
    panel = ratings[0].panel
    by_summary = _by_summary(ratings)
    return RatingReport(
        panel=panel.panel,
        systems=panel.systems,
        questions=panel.questions,
        documents=len(panel.documents),
        documents_rated=len({answer.summary.document for one in ratings for answer in one.values}),
        raters=tuple(_rater(one) for one in ratings),
        grades={system: _grades(by_summary, panel, system, seed) for system in panel.systems},
        pairs=tuple(
            _pair(ratings, system, against, seed)
            for against, system in combinations(panel.systems, 2)
        ),
        faults={system: _faults(ratings, system) for system in panel.systems},
        misleading=tuple(_misleading(ratings)),
        agreement=_agreements(by_summary, panel),
    )


def _rater(ratings: Ratings) -> Rater:
    return Rater(
        ratings.name or ratings.rater,
        len(ratings.sheet.shown),
        ratings.n_finished,
        len(ratings.values),
    )


def _by_summary(ratings: Iterable[Ratings]) -> dict[RatedQuestion, list[int]]:
    """Gather what all raters answered to the same question about the same summary."""
    found: dict[RatedQuestion, list[int]] = defaultdict(list)
    for one in ratings:
        for answer, value in one.values.items():
            found[answer].append(value)
    return found


def _grades(
    by_summary: Mapping[RatedQuestion, Sequence[int]], panel: PanelKey, system: str, seed: int
) -> dict[Question, Grade]:
    found: dict[Question, list[Sequence[int]]] = defaultdict(list)
    for answer, values in by_summary.items():
        if panel.system_at(answer.summary.document, answer.summary.place) == system:
            found[answer.question].append(values)
    return {
        question: _grade(found[question], seed) for question in panel.questions if question in found
    }


def _grade(by_document: Sequence[Sequence[int]], seed: int) -> Grade:
    single = [value for values in by_document for value in values]
    return Grade(
        interval=_interval([fmean(values) for values in by_document], seed),
        deviation=stdev(single) if len(single) > 1 else 0.0,
        n_documents=len(by_document),
        n_ratings=len(single),
    )


def _interval(values: Sequence[float], seed: int) -> Interval:
    return intervals(np.array(values, dtype=np.float64)[:, None], seed=seed)[0]


def _pair(ratings: Sequence[Ratings], system: str, against: str, seed: int) -> SystemPair:
    differences = {}
    for question in ratings[0].panel.questions:
        by_document = _mean_by_document(
            (summary.document, values[0] - values[1])
            for one in ratings
            for summary, values in _both_values(one, question, system, against)
        )
        if by_document:
            differences[question] = _difference(np.array(by_document), seed)
    signs = [pair for one in ratings for pair in _preferences(one, system, against)]
    return SystemPair(system, against, differences, _preference(signs, seed) if signs else None)


def _both_values(
    ratings: Ratings, question: Question, system: str, against: str
) -> Iterator[tuple[ShownSummary, tuple[int, int]]]:
    """Yield a rater's answers about both systems, for each document that has both."""
    panel = ratings.panel
    for document in ratings.sheet.shown:
        shown = [
            ShownSummary(document, panel.place_of(document, name)) for name in (system, against)
        ]
        first, second = (ratings.values.get(RatedQuestion(summary, question)) for summary in shown)
        if first is not None and second is not None:
            yield shown[0], (first, second)


def _mean_by_document(values: Iterable[tuple[int, float]]) -> list[float]:
    found: dict[int, list[float]] = defaultdict(list)
    for document, value in values:
        found[document].append(value)
    return [fmean(of_document) for of_document in found.values()]


def _difference(differences: NDArray[np.float64], seed: int) -> Difference:
    return Difference(
        interval=_interval(differences.tolist(), seed),
        p_value=sign_flip_p(differences, seed=seed),
        better=int((differences > 0).sum()),
        same=int((differences == 0).sum()),
        worse=int((differences < 0).sum()),
    )


def _preferences(ratings: Ratings, system: str, against: str) -> Iterator[tuple[int, int]]:
    """Yield document and 1, 0 or -1: by rank, or by the overall rating where no rank was given."""
    panel = ratings.panel
    overall = {
        summary.document: first - second
        for summary, (first, second) in _both_values(ratings, Question.OVERALL, system, against)
    }
    for document in ratings.sheet.shown:
        first, second = (
            ratings.ranks.get(ShownSummary(document, panel.place_of(document, name)))
            for name in (system, against)
        )
        if first is not None and second is not None:
            yield document, (second > first) - (second < first)
        elif document in overall:
            yield document, (overall[document] > 0) - (overall[document] < 0)


def _preference(signs: Sequence[tuple[int, int]], seed: int) -> Preference:
    counts = Counter(sign for _, sign in signs)
    return Preference(counts[1], counts[0], counts[-1], _share(signs, seed))


def _share(signs: Sequence[tuple[int, int]], seed: int) -> Interval:
    """Return the mean over ratings; to resample a document is to resample all its ratings."""
    by_document: dict[int, list[float]] = defaultdict(list)
    for document, sign in signs:
        by_document[document].append((sign + 1) / 2)
    sums = np.array([[sum(shares), len(shares)] for shares in by_document.values()])
    drawn = np.random.default_rng(seed).integers(len(sums), size=(RESAMPLES, len(sums)))
    totals = sums[drawn].sum(axis=1)
    low, high = np.quantile(totals[:, 0] / totals[:, 1], [0.025, 0.975])
    return Interval(float(sums[:, 0].sum() / sums[:, 1].sum()), float(low), float(high))


def _faults(ratings: Sequence[Ratings], system: str) -> dict[FaultKind, float]:
    counts = Counter[FaultKind]()
    n_summaries = 0
    for one in ratings:
        rated = {answer.summary for answer in one.values}
        for summary in rated:
            if one.panel.system_at(summary.document, summary.place) == system:
                n_summaries += 1
                counts.update(fault.kind for fault in one.faults.get(summary, ()))
    return {kind: 100 * counts[kind] / n_summaries for kind in FaultKind if counts[kind]}


def _misleading(ratings: Sequence[Ratings]) -> Iterator[MisleadingLine]:
    for one in ratings:
        for summary, reason in one.misleading.items():
            if one.values.get(RatedQuestion(summary, Question.MISLEADING)) == 1:
                system = one.panel.system_at(summary.document, summary.place)
                yield MisleadingLine(system, one.panel.documents[summary.document], reason)


def _agreements(
    by_summary: Mapping[RatedQuestion, Sequence[int]], panel: PanelKey
) -> dict[Question, Agreement]:
    found = {
        question: agreement(
            [values for answer, values in by_summary.items() if answer.question is question]
        )
        for question in panel.questions
    }
    return {question: figures for question, figures in found.items() if figures is not None}
