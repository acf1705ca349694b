"""Ratings of two systems to figures: means, a paired comparison, and how far raters agree."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray

from discobert.data.rating import Answer, Place, Question, Ratings
from discobert.errors import InputError
from discobert.metrics.statistics import Agreement, Interval, agreement, intervals, sign_flip_p

SEED = 2020


@dataclass(frozen=True, slots=True)
class Grade:
    """One system on one question: the mean over documents of the mean over their raters."""

    interval: Interval
    """Resampled over documents; with one document alone, all its bounds are the mean."""
    deviation: float
    """Of single ratings, as the paper gives it."""
    n_documents: int
    n_ratings: int


@dataclass(frozen=True, slots=True)
class Preference:
    """The second system against the first, on documents where a rater has rated both."""

    difference: Interval
    p_value: float
    better: int
    same: int
    worse: int

    @property
    def n_documents(self) -> int:
        """Documents compared."""
        return self.better + self.same + self.worse


@dataclass(frozen=True, slots=True)
class Rater:
    """Somebody who has rated, and how many documents to the end."""

    name: str
    n_finished: int
    n_ratings: int


@dataclass(frozen=True, slots=True)
class RatingReport:
    """All that the ratings of one sheet say; a question that nobody answered is missing."""

    sheet: str
    systems: tuple[str, str]
    documents: int
    documents_rated: int
    raters: tuple[Rater, ...]
    grades: Mapping[str, Mapping[Question, Grade]]
    versus: Mapping[Question, Preference]
    agreement: Mapping[Question, Agreement]

    @property
    def unfinished(self) -> tuple[Rater, ...]:
        """Raters who have left something out."""
        return tuple(rater for rater in self.raters if rater.n_finished < self.documents)


def score_ratings(ratings: Sequence[Ratings], *, seed: int = SEED) -> RatingReport:
    """Score what the raters of one sheet have saved; the seed fixes every digit."""
    if not any(one.values for one in ratings):
        raise InputError("nothing to score: no question has been answered")
    key = ratings[0].key
    grades = {system: dict(_grades(ratings, system, seed)) for system in key.systems}
    return RatingReport(
        sheet=key.sheet,
        systems=key.systems,
        documents=len(key.documents),
        documents_rated=len({answer.document for one in ratings for answer in one.values}),
        raters=tuple(
            Rater(one.name or one.rater, one.n_finished, len(one.values)) for one in ratings
        ),
        grades=grades,
        versus=dict(_preferences(ratings, seed)),
        agreement=dict(_agreements(ratings)),
    )


def _grades(ratings: Sequence[Ratings], system: str, seed: int) -> Iterator[tuple[Question, Grade]]:
    for question in Question:
        by_document: dict[int, list[int]] = defaultdict(list)
        for one in ratings:
            for answer, value in one.values.items():
                shown = one.key.system_at(answer.document, answer.place)
                if answer.question is question and shown == system:
                    by_document[answer.document].append(value)
        if by_document:
            yield question, _grade(list(by_document.values()), seed)


def _grade(by_document: Sequence[Sequence[int]], seed: int) -> Grade:
    single = [value for values in by_document for value in values]
    return Grade(
        interval=_interval(np.array([fmean(values) for values in by_document]), seed),
        deviation=stdev(single) if len(single) > 1 else 0.0,
        n_documents=len(by_document),
        n_ratings=len(single),
    )


def _interval(values: NDArray[np.float64], seed: int) -> Interval:
    return intervals(values[:, None], seed=seed)[0]


def _preferences(ratings: Sequence[Ratings], seed: int) -> Iterator[tuple[Question, Preference]]:
    for question in Question:
        found: dict[int, list[int]] = defaultdict(list)
        for one in ratings:
            for document, difference in _differences(one, question):
                found[document].append(difference)
        if found:
            differences = np.array([fmean(values) for values in found.values()])
            yield question, _preference(differences, seed)


def _differences(ratings: Ratings, question: Question) -> Iterator[tuple[int, int]]:
    """Yield by how much a rater prefers the second system, for each document with both."""
    for document, swapped in enumerate(ratings.key.swapped):
        first = ratings.values.get(Answer(document, Place.FIRST, question))
        second = ratings.values.get(Answer(document, Place.SECOND, question))
        if first is not None and second is not None:
            yield document, first - second if swapped else second - first


def _preference(differences: NDArray[np.float64], seed: int) -> Preference:
    return Preference(
        difference=_interval(differences, seed),
        p_value=sign_flip_p(differences, seed=seed),
        better=int((differences > 0).sum()),
        same=int((differences == 0).sum()),
        worse=int((differences < 0).sum()),
    )


def _agreements(ratings: Sequence[Ratings]) -> Iterator[tuple[Question, Agreement]]:
    for question in Question:
        shared: dict[Answer, list[int]] = defaultdict(list)
        for one in ratings:
            for answer, value in one.values.items():
                if answer.question is question:
                    shared[answer].append(value)
        found = agreement(list(shared.values()))
        if found is not None:
            yield question, found
