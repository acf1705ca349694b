"""Reports of an evaluation as JSON and tables, results of single articles as lines of JSON."""

from collections.abc import Iterator, Mapping, Sequence

from discobert.data.codecs.fields import FORMAT
from discobert.data.codecs.json_text import Json, JsonObject, dumps
from discobert.data.summary import ModelId
from discobert.evaluate.grammar import Counts, per_ten_thousand
from discobert.evaluate.report import METRICS, EvaluationReport, SystemReport
from discobert.evaluate.runner import ArticleResult, SystemResult
from discobert.metrics.statistics import Comparison, Interval
from discobert.render.tables import Row, Table

_HEADINGS = ("R-1", "R-2", "R-L")
_DIGITS = 4


def to_json(report: EvaluationReport) -> JsonObject:
    """Return the JSON of an evaluation."""
    return {
        "format": FORMAT,
        "documents": report.documents,
        "systems": {name: _system(system) for name, system in report.systems.items()},
    }


def _system(system: SystemReport) -> JsonObject:
    return {
        **{m: rounded(found.mean) for m, found in _by_metric(system.rouge)},
        "ci95": {m: bounds(found) for m, found in _by_metric(system.rouge)},
        "by_source": {
            source: {
                "documents": found.documents,
                **{m: rounded(mean) for m, mean in zip(METRICS, found.rouge, strict=True)},
            }
            for source, found in system.by_source.items()
        },
        "words": rounded(system.words),
        "tokens": rounded(system.tokens),
        "lines": rounded(system.lines),
        "violations": system.violations,
        "dependencies_per_edu": rounded(system.dependencies_per_edu),
        "seconds_per_document": round(system.seconds_per_document, 6),
        "versus": {
            baseline: {m: _comparison(found) for m, found in zip(METRICS, all_found, strict=True)}
            for baseline, all_found in system.versus.items()
        },
        "model": model_json(system.model),
        "errors_per_10k_characters": _errors(system.grammar_errors),
        "faults_per_summary": {
            kind: rounded(mean) for kind, mean in system.readability_faults.items()
        },
    }


def _errors(counts: Counts) -> JsonObject | None:
    if not counts:
        return None
    return {
        checker: {kind: rounded(rate) for kind, rate in per_ten_thousand(errors).items()}
        for checker, errors in counts.items()
    }


def model_json(model: ModelId | None) -> JsonObject | None:
    """Return the JSON of a model's name and version."""
    return None if model is None else {"name": model.name, "version": model.version}


def _comparison(found: Comparison) -> JsonObject:
    difference = found.difference
    return {
        "difference": rounded(difference.mean),
        "ci95": bounds(difference),
        "p": rounded(found.p_value),
    }


def _by_metric(found: Sequence[Interval]) -> Iterator[tuple[str, Interval]]:
    return zip(METRICS, found, strict=True)


def bounds(interval: Interval) -> list[Json]:
    """Return the bounds of an interval for JSON."""
    return [rounded(interval.low), rounded(interval.high)]


def rounded(value: float) -> float:
    """Round as all figures in JSON are."""
    return round(value, _DIGITS)


def to_lines(results: Sequence[ArticleResult]) -> str:
    """Write one line of JSON per article; each system's part can be read by ``--outputs`` tools."""
    return "".join(f"{dumps(_article(result))}\n" for result in results)


def _article(result: ArticleResult) -> JsonObject:
    return {
        "id": result.id,
        "source": result.source,
        "systems": {name: _result(found) for name, found in result.systems.items()},
    }


def _result(found: SystemResult) -> JsonObject:
    return {
        **{m: rounded(score) for m, score in zip(METRICS, found.rouge, strict=True)},
        "words": found.words,
        "violations": found.n_violations,
        "dependencies": found.n_dependencies,
        "edus": found.n_edus,
        "seconds": round(found.seconds, 6),
        "faults": dict(found.reading),
        "summary": list(found.lines),
    }


def main_rows(report: EvaluationReport) -> Table:
    """Return the heading and the rows of the main table."""
    heading = ("system", *_HEADINGS, "words", "violations", "deps/EDU", "s/document")
    rows = [
        (
            name,
            *(f"{f.mean:.2f} [{f.low:.2f}, {f.high:.2f}]" for f in system.rouge),
            f"{system.words:.1f}",
            f"{system.violations:,}",
            f"{system.dependencies_per_edu:.2f}",
            f"{system.seconds_per_document:.4f}",
        )
        for name, system in report.systems.items()
    ]
    return heading, rows


def source_rows(report: EvaluationReport) -> Table:
    """Return the heading and the rows of the table by source."""
    rows = [
        (name, source or "(none)", f"{found.documents:,}", *(f"{mean:.2f}" for mean in found.rouge))
        for name, system in report.systems.items()
        for source, found in system.by_source.items()
    ]
    return ("system", "source", "documents", *_HEADINGS), rows


def comparison_rows(report: EvaluationReport) -> Table:
    """Return the heading and the rows of the paired comparisons."""
    rows = [
        (name, baseline, *map(_difference, found))
        for name, system in report.systems.items()
        for baseline, found in system.versus.items()
    ]
    return ("system", "against", *_HEADINGS), rows


def _difference(found: Comparison) -> str:
    interval = found.difference
    return f"{interval.mean:+.2f} [{interval.low:+.2f}, {interval.high:+.2f}] p={found.p_value:.3f}"


def model_rows(report: EvaluationReport) -> Table:
    """Return the heading and the rows of the table of models."""
    rows: list[Row] = [
        (name, system.model.name, system.model.version)
        for name, system in report.systems.items()
        if system.model is not None
    ]
    return ("system", "model", "version"), rows


def grammar_rows(report: EvaluationReport) -> Table:
    """Return the heading and the rows of the table of errors."""
    rows: list[Row] = [
        (name, checker, *(f"{rate:.1f}" for rate in per_ten_thousand(errors).values()))
        for name, system in report.systems.items()
        for checker, errors in system.grammar_errors.items()
    ]
    return ("system", "checker", "all", "grammar", "punctuation", "other"), rows


def readability_rows(report: EvaluationReport) -> Table:
    """Return the heading and the rows of the table of readability faults, a row for each kind."""
    means = [system.readability_faults for system in report.systems.values()]
    kinds = dict.fromkeys(kind for of_system in means for kind in of_system)
    rows: list[Row] = [
        (kind.replace("-", " "), *(_per_hundred(of_system.get(kind)) for of_system in means))
        for kind in kinds
    ]
    return ("fault", *report.systems), rows


def _per_hundred(mean: float | None) -> str:
    return "–" if mean is None else f"{100 * mean:.1f}"


def tables(report: EvaluationReport) -> Mapping[str, Table]:
    """Return every table that has rows, by its title."""
    found = {
        f"ROUGE F1 × 100 on {report.documents:,} documents, 95 % intervals": main_rows(report),
        "By source": source_rows(report),
        "Paired bootstrap over documents": comparison_rows(report),
        "Errors per 10,000 characters, spelling left out": grammar_rows(report),
        "Readability faults in 100 summaries": readability_rows(report),
        "Models": model_rows(report),
    }
    return {title: table for title, table in found.items() if table[1]}
