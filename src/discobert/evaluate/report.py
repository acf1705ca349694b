"""Results of systems over a corpus: means with intervals, by source, and paired comparisons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.evaluate.grammar import GrammarErrors, total_errors
from discobert.evaluate.readability import per_summary
from discobert.evaluate.runner import ArticleResult, SystemResult
from discobert.language.tokens import tokenise
from discobert.metrics.statistics import SEED, Comparison, Interval, compare, intervals

METRICS = ("rouge1", "rouge2", "rougeL")
BASELINES = ("lead3", "sentence", "discobert-bare")
"""Systems that all others are compared with, if they take part."""


@dataclass(frozen=True, slots=True)
class SourceReport:
    """The articles of one source: how many, and the mean of each metric."""

    documents: int
    rouge: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SystemReport:
    """One system over the whole corpus; ``versus`` holds a comparison per baseline and metric."""

    rouge: tuple[Interval, ...]
    by_source: Mapping[str, SourceReport]
    words: float
    tokens: float
    """Runs of letters and digits, which tokenised and running text have alike."""
    lines: float
    violations: int
    dependencies_per_edu: float
    seconds_per_document: float
    versus: Mapping[str, tuple[Comparison, ...]]
    model: ModelId | None = None
    grammar_errors: Mapping[str, GrammarErrors] = field(default_factory=dict)
    """By checker; empty if errors were not counted."""
    readability_faults: Mapping[str, float] = field(default_factory=dict)
    """Mean number of each kind of readability fault in a summary."""


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """All systems over the same articles."""

    documents: int
    systems: Mapping[str, SystemReport]


def require_articles(found: Sequence[object]) -> None:
    """Refuse to evaluate nothing."""
    if not found:
        raise InputError("no article to evaluate: the file is empty, or --skip leaves none")


def report_on(results: Sequence[ArticleResult], *, seed: int = SEED) -> EvaluationReport:
    """Aggregate results; with the same seed, everything but the seconds is reproducible."""
    require_articles(results)
    names = list(results[0].systems)
    columns = {name: [result.systems[name] for result in results] for name in names}
    tables = {name: np.array([r.rouge for r in column]) for name, column in columns.items()}
    sources = np.array([result.source for result in results])
    return EvaluationReport(
        documents=len(results),
        systems={
            name: _system_report(column, tables[name], sources, _versus(name, tables, seed), seed)
            for name, column in columns.items()
        },
    )


def _versus(
    name: str, tables: Mapping[str, NDArray[np.float64]], seed: int
) -> dict[str, tuple[Comparison, ...]]:
    return {
        baseline: compare(tables[name], tables[baseline], seed=seed)
        for baseline in BASELINES
        if baseline in tables and baseline != name
    }


def _system_report(
    column: Sequence[SystemResult],
    table: NDArray[np.float64],
    sources: NDArray[np.str_],
    versus: Mapping[str, tuple[Comparison, ...]],
    seed: int,
) -> SystemReport:
    n_edus = sum(result.n_edus for result in column)
    return SystemReport(
        rouge=intervals(table, seed=seed),
        by_source={
            str(source): _source_report(table[sources == source]) for source in np.unique(sources)
        },
        words=sum(result.words for result in column) / len(column),
        tokens=sum(len(tokenise(" ".join(result.lines))) for result in column) / len(column),
        lines=sum(len(result.lines) for result in column) / len(column),
        violations=sum(result.n_violations for result in column),
        dependencies_per_edu=sum(result.n_dependencies for result in column) / max(n_edus, 1),
        seconds_per_document=sum(result.seconds for result in column) / len(column),
        versus=versus,
        model=column[0].model,
        grammar_errors=total_errors([result.faults for result in column]),
        readability_faults=per_summary([result.reading for result in column]),
    )


def _source_report(table: NDArray[np.float64]) -> SourceReport:
    return SourceReport(len(table), tuple(table.mean(axis=0).tolist()))
