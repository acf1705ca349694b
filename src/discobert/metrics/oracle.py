"""Oracle extracts: gold labels for training, and the upper bound of extraction.

Units are EDUs with closures, EDUs alone, or sentences; the search is the same. As in the paper, the
best unit is added until ROUGE-1 drops.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from discobert.errors import ConfigError
from discobert.language.tokens import Tokens
from discobert.metrics.coverage import (
    Coverage,
    Floats,
    PartialExtract,
    coverage_of,
    empty_extract,
    extend,
    steps_from,
)
from discobert.metrics.rouge import Reference

Closures = Sequence[Collection[int]]


class Objective(Enum):
    """What the search maximises: F1 of ROUGE-1 (the paper), or the sum of ROUGE-1 and ROUGE-2."""

    ROUGE1 = "rouge1"
    ROUGE12 = "rouge1+rouge2"

    @classmethod
    def _missing_(cls, value: object) -> "Objective":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown oracle objective {value!r}: use one of {allowed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleConfig:
    """How the oracle searches; the defaults are the paper's greedy."""

    objective: Objective = Objective.ROUGE1
    beam: int = 1
    """Selections kept after each step; 1 is greedy."""
    max_steps: int | None = None
    """Upper bound on units added, not counting their closures."""

    def __post_init__(self) -> None:
        if self.beam < 1:
            raise ConfigError(f"oracle.beam must be at least 1, got {self.beam}")
        if self.max_steps is not None and self.max_steps < 1:
            raise ConfigError(f"oracle.max_steps must be at least 1, got {self.max_steps}")


@dataclass(frozen=True, slots=True)
class Oracle:
    """The chosen units in reading order, the steps that chose them, and the objective reached."""

    units: tuple[int, ...]
    steps: tuple[int, ...]
    score: float


PAPER = OracleConfig()


def find_oracle(
    units: Sequence[Tokens],
    reference: Reference,
    *,
    closures: Closures | None = None,
    config: OracleConfig = PAPER,
) -> Oracle:
    """Search the units with the highest objective; ties go to the earlier unit.

    The result is empty if no unit shares a token with the reference.
    """
    coverage = _coverage(units, reference, closures, config.objective)
    best = _Path(empty_extract(coverage), ())
    frontier = [best]
    for _ in range(len(units) if config.max_steps is None else config.max_steps):
        frontier = _next_frontier(coverage, frontier, config.beam)
        if not frontier:
            break
        best = max(best, frontier[0], key=lambda path: path.extract.score)
    return Oracle(best.extract.units, best.steps, best.extract.score)


def gains(
    units: Sequence[Tokens],
    reference: Reference,
    *,
    closures: Closures | None = None,
    given: Collection[int] = (),
    objective: Objective = Objective.ROUGE12,
) -> Floats:
    """Return what each unit with its closure adds to the objective after ``given``."""
    coverage = _coverage(units, reference, closures, objective)
    extract = empty_extract(coverage)
    for unit in sorted(given):
        extract = extend(coverage, extract, steps_from(coverage, extract), unit)
    return steps_from(coverage, extract).scores - extract.score


def soft_targets(
    units: Sequence[Tokens],
    reference: Reference,
    *,
    closures: Closures | None = None,
    objective: Objective = Objective.ROUGE12,
) -> Floats:
    """Return the gain of each unit over an empty summary, as a share of the greatest."""
    raw = gains(units, reference, closures=closures, objective=objective)
    greatest = float(raw.max(initial=0.0))
    return raw / greatest if greatest > 0 else np.zeros_like(raw)


@dataclass(frozen=True, slots=True)
class _Path:
    """An extract and the steps that led to it."""

    extract: PartialExtract
    steps: tuple[int, ...]


def _coverage(
    units: Sequence[Tokens],
    reference: Reference,
    closures: Closures | None,
    objective: Objective,
) -> Coverage:
    return coverage_of(units, reference, closures=closures, bigrams=objective is Objective.ROUGE12)


def _next_frontier(coverage: Coverage, frontier: Sequence[_Path], beam: int) -> list[_Path]:
    """Take from each path the steps that gain, and keep the best selections, none twice."""
    found: dict[tuple[int, ...], _Path] = {}
    for path in frontier:
        steps = steps_from(coverage, path.extract)
        order = np.argsort(-steps.scores, kind="stable")[:beam]
        for unit in order[steps.scores[order] > path.extract.score].tolist():
            extract = extend(coverage, path.extract, steps, unit)
            found.setdefault(extract.units, _Path(extract, (*path.steps, unit)))
    ranked = sorted(found.values(), key=lambda path: (-path.extract.score, path.extract.units))
    return ranked[:beam]
