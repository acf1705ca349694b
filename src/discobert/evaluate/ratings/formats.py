"""Scores of a rating sheet as JSON and as tables."""

from collections.abc import Mapping

from discobert.data.fields import FORMAT
from discobert.data.json_text import Json, JsonObject
from discobert.data.rating import HIGHEST, LOWEST, Question
from discobert.evaluate.ratings.score import Grade, Preference, RatingReport
from discobert.metrics.agreement import Agreement
from discobert.metrics.bootstrap import Interval
from discobert.render.tables import Row, Table

_DIGITS = 4


def ratings_to_json(report: RatingReport) -> JsonObject:
    """Return the JSON of scored ratings."""
    first, second = report.systems
    return {
        "format": FORMAT,
        "sheet": report.sheet,
        "documents": report.documents,
        "documents_rated": report.documents_rated,
        "raters": [
            {"name": rater.name, "documents_finished": rater.n_finished, "ratings": rater.n_ratings}
            for rater in report.raters
        ],
        "systems": {
            system: {question.value: _grade(grade) for question, grade in grades.items()}
            for system, grades in report.grades.items()
        },
        "versus": {
            "system": second,
            "against": first,
            **{question.value: _preference(found) for question, found in report.versus.items()},
        },
        "agreement": {q.value: _agreement(found) for q, found in report.agreement.items()},
    }


def _grade(grade: Grade) -> JsonObject:
    return {
        "mean": _rounded(grade.interval.mean),
        "sd": _rounded(grade.deviation),
        "ci95": _bounds(grade.interval),
        "documents": grade.n_documents,
        "ratings": grade.n_ratings,
    }


def _preference(found: Preference) -> JsonObject:
    return {
        "difference": _rounded(found.difference.mean),
        "ci95": _bounds(found.difference),
        "p": _rounded(found.p_value),
        "better": found.better,
        "same": found.same,
        "worse": found.worse,
    }


def _agreement(found: Agreement) -> JsonObject:
    return {
        "alpha": None if found.alpha is None else _rounded(found.alpha),
        "same": _rounded(found.same),
        "within_one": _rounded(found.within_one),
        "pairs": found.n_pairs,
    }


def _bounds(interval: Interval) -> list[Json]:
    return [_rounded(interval.low), _rounded(interval.high)]


def _rounded(value: float) -> float:
    return round(value, _DIGITS)


def rating_tables(report: RatingReport) -> Mapping[str, Table]:
    """Return every table that has rows, by its title."""
    raters = f"{len(report.raters)} rater{'s' * (len(report.raters) != 1)}"
    documents = f"{report.documents_rated:,} of {report.documents:,} documents"
    scale = f"Ratings from {LOWEST} to {HIGHEST} by {raters} on {documents}"
    first, second = report.systems
    found = {
        f"{scale}: mean ± deviation, 95 % interval": _grade_rows(report),
        f"{second} against {first}, paired by document": _preference_rows(report),
        "Agreement of raters": _agreement_rows(report),
        "Raters": _rater_rows(report),
    }
    return {title: table for title, table in found.items() if table[1]}


def _grade_rows(report: RatingReport) -> Table:
    rows: list[Row] = [
        (
            system,
            *(_graded(grades.get(question)) for question in Question),
            f"{max((grade.n_ratings for grade in grades.values()), default=0):,}",
        )
        for system, grades in report.grades.items()
    ]
    return ("system", *(question.value for question in Question), "ratings"), rows


def _graded(grade: Grade | None) -> str:
    if grade is None:
        return "–"
    interval = grade.interval
    return f"{interval.mean:.2f} ± {grade.deviation:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def _preference_rows(report: RatingReport) -> Table:
    rows: list[Row] = [
        (
            question.value,
            f"{found.difference.mean:+.2f} "
            f"[{found.difference.low:+.2f}, {found.difference.high:+.2f}]",
            f"{found.p_value:.3f}",
            f"{found.better:,}",
            f"{found.same:,}",
            f"{found.worse:,}",
        )
        for question, found in report.versus.items()
    ]
    return ("question", "difference", "p", "better", "same", "worse"), rows


def _agreement_rows(report: RatingReport) -> Table:
    rows: list[Row] = [
        (
            question.value,
            "–" if found.alpha is None else f"{found.alpha:.2f}",
            f"{100 * found.same:.0f} %",
            f"{100 * found.within_one:.0f} %",
            f"{found.n_pairs:,}",
        )
        for question, found in report.agreement.items()
    ]
    return ("question", "Krippendorff's α", "same", "within one", "pairs"), rows


def _rater_rows(report: RatingReport) -> Table:
    rows: list[Row] = [
        (rater.name, f"{rater.n_finished:,}", f"{rater.n_ratings:,}") for rater in report.raters
    ]
    return ("rater", "documents rated in full", "answers"), rows
