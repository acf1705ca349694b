"""Scores of a panel of raters as JSON and as tables."""

from collections.abc import Mapping

from discobert.data.codecs.fields import FORMAT
from discobert.data.codecs.json_text import JsonObject
from discobert.data.rating import HIGHEST, LOWEST, FaultKind, Question
from discobert.evaluate.formats import bounds, rounded
from discobert.evaluate.ratings.score import (
    Difference,
    Grade,
    Preference,
    RatingReport,
    SystemPair,
)
from discobert.metrics.statistics import Agreement, Interval
from discobert.render.tables import Row, Table


def ratings_to_json(report: RatingReport) -> JsonObject:
    """Return the JSON of scored ratings; ``versus`` is there for panels of two systems alone."""
    value: JsonObject = {
        "format": FORMAT,
        "sheet": report.panel,
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
        "comparisons": [_pair(pair) for pair in report.pairs],
        "faults_per_100": {
            system: {kind.value: rounded(share) for kind, share in found.items()}
            for system, found in report.faults.items()
        },
        "misleading": [
            {"system": line.system, "document": line.document, "why": line.reason}
            for line in report.misleading
        ],
        "agreement": {q.value: _agreement(found) for q, found in report.agreement.items()},
    }
    if len(report.pairs) == 1:
        value["versus"] = _differences(report.pairs[0])
    return value


def _grade(grade: Grade) -> JsonObject:
    return {
        "mean": rounded(grade.interval.mean),
        "sd": rounded(grade.deviation),
        "ci95": bounds(grade.interval),
        "documents": grade.n_documents,
        "ratings": grade.n_ratings,
    }


def _pair(pair: SystemPair) -> JsonObject:
    preference = pair.preference
    return {
        **_differences(pair),
        "preference": None if preference is None else _preference(preference),
    }


def _differences(pair: SystemPair) -> JsonObject:
    return {
        "system": pair.system,
        "against": pair.against,
        **{question.value: _difference(found) for question, found in pair.differences.items()},
    }


def _difference(found: Difference) -> JsonObject:
    return {
        "difference": rounded(found.interval.mean),
        "ci95": bounds(found.interval),
        "p": rounded(found.p_value),
        "better": found.better,
        "same": found.same,
        "worse": found.worse,
    }


def _preference(found: Preference) -> JsonObject:
    return {
        "better": found.better,
        "same": found.same,
        "worse": found.worse,
        "share": rounded(found.share.mean),
        "ci95": bounds(found.share),
    }


def _agreement(found: Agreement) -> JsonObject:
    return {
        "alpha": None if found.alpha is None else rounded(found.alpha),
        "same": rounded(found.same),
        "within_one": rounded(found.within_one),
        "pairs": found.n_pairs,
    }


def rating_tables(report: RatingReport) -> Mapping[str, Table]:
    """Return every table that has rows, by its title."""
    raters = f"{len(report.raters)} rater{'s' * (len(report.raters) != 1)}"
    documents = f"{report.documents_rated:,} of {report.documents:,} documents"
    scale = f"Ratings from {LOWEST} to {HIGHEST} by {raters} on {documents}"
    found = {
        f"{scale}: mean ± deviation, 95 % interval": _grade_table(report),
        "Preferred by raters, ties as half": _preference_table(report),
        **{
            f"{pair.system} against {pair.against}, paired by document": _difference_table(pair)
            for pair in report.pairs
        },
        "Faults in 100 summaries": _fault_table(report),
        "Misleading lines": _misleading_table(report),
        "Agreement of raters": _agreement_table(report),
        "Raters": _rater_table(report),
    }
    return {title: table for title, table in found.items() if table[1]}


def _grade_table(report: RatingReport) -> Table:
    rows: list[Row] = [
        (
            system,
            *(_graded(question, grades.get(question)) for question in report.questions),
            f"{max((grade.n_ratings for grade in grades.values()), default=0):,}",
        )
        for system, grades in report.grades.items()
    ]
    return ("system", *(question.value for question in report.questions), "ratings"), rows


def _graded(question: Question, grade: Grade | None) -> str:
    if grade is None:
        return "–"
    interval = grade.interval
    if question is Question.MISLEADING:
        return _percent(interval)
    return f"{interval.mean:.2f} ± {grade.deviation:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def _percent(share: Interval) -> str:
    return f"{100 * share.mean:.0f} % [{100 * share.low:.0f}, {100 * share.high:.0f}]"


def _preference_table(report: RatingReport) -> Table:
    rows: list[Row] = [
        (
            f"{pair.system} over {pair.against}",
            f"{pair.preference.better:,}",
            f"{pair.preference.same:,}",
            f"{pair.preference.worse:,}",
            _percent(pair.preference.share),
        )
        for pair in report.pairs
        if pair.preference is not None
    ]
    return ("systems", "better", "same", "worse", "preferred"), rows


def _difference_table(pair: SystemPair) -> Table:
    rows: list[Row] = [
        (
            question.value,
            f"{found.interval.mean:+.2f} [{found.interval.low:+.2f}, {found.interval.high:+.2f}]",
            f"{found.p_value:.3f}",
            f"{found.better:,}",
            f"{found.same:,}",
            f"{found.worse:,}",
        )
        for question, found in pair.differences.items()
    ]
    return ("question", "difference", "p", "higher", "same", "lower"), rows


def _fault_table(report: RatingReport) -> Table:
    kinds = [kind for kind in FaultKind if any(kind in found for found in report.faults.values())]
    rows: list[Row] = [
        (kind.value, *(f"{found.get(kind, 0.0):.0f}" for found in report.faults.values()))
        for kind in kinds
    ]
    return ("fault", *report.faults), rows


def _misleading_table(report: RatingReport) -> Table:
    rows: list[Row] = [
        (line.system, line.document, " ".join(line.reason.split()).replace("|", "/"))
        for line in sorted(report.misleading, key=lambda line: (line.system, line.document))
    ]
    return ("system", "document", "line"), rows


def _agreement_table(report: RatingReport) -> Table:
    rows: list[Row] = [
        (
            question.value,
            "–" if found.alpha is None else f"{found.alpha:.2f}",
            f"{100 * found.same:.0f} %",
            "–" if question is Question.MISLEADING else f"{100 * found.within_one:.0f} %",
            f"{found.n_pairs:,}",
        )
        for question, found in report.agreement.items()
    ]
    return ("question", "Krippendorff's α", "same", "within one", "pairs"), rows


def _rater_table(report: RatingReport) -> Table:
    rows: list[Row] = [
        (rater.name, f"{rater.n_finished:,}", f"{rater.n_ratings:,}") for rater in report.raters
    ]
    return ("rater", "documents rated in full", "answers"), rows
