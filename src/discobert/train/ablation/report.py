"""The ablation's figures: intervals, paired comparisons, tables."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from discobert.data.codecs.fields import FORMAT
from discobert.data.codecs.json_text import JsonObject
from discobert.metrics.statistics import Comparison, Interval, compare, intervals
from discobert.train.ablation.rows import BASELINE, LEAD, WITHOUT_GRAPHS
from discobert.train.ablation.train import AblationPlan, Result

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A row of the report: intervals, and paired comparisons with other rows."""

    name: str
    scores: tuple[Interval, ...]
    versus_sentence: tuple[Comparison, ...]
    versus_edu: tuple[Comparison, ...]
    """Differences from the variant ``edu``, which has no graphs."""
    versus_lead: tuple[Comparison, ...]
    by_seed: tuple[tuple[float, float, float], ...]
    paper: tuple[float, float, float] | None


def report(results: Sequence[Result], *, seed: int = 2020) -> list[ReportRow]:
    """Add intervals and paired comparisons with lead-3, the sentence model and EDUs alone."""
    tables = {result.row.name: result.table for result in results}

    def versus(result: Result, other: str) -> tuple[Comparison, ...]:
        if other not in tables or other == result.row.name:
            return ()
        return compare(result.table, tables[other], seed=seed, resamples=RESAMPLES)

    return [
        ReportRow(
            name=result.row.name,
            scores=intervals(result.table, seed=seed, resamples=RESAMPLES),
            versus_sentence=versus(result, BASELINE),
            versus_edu=versus(result, WITHOUT_GRAPHS),
            versus_lead=versus(result, LEAD),
            by_seed=result.by_seed,
            paper=result.row.paper,
        )
        for result in results
    ]


def to_markdown(rows: Sequence[ReportRow], plan: AblationPlan) -> str:
    """Write our table with the paper's beside it."""
    text = [
        f"{len(plan.test):,} test documents, {len(plan.seeds)} seeds, the same budget for all; "
        "R-1 / R-2 / R-L, 95 % intervals of paired differences over documents.",
        "",
        "| model | R-1 | R-2 | R-L | over sentence (R-1) | over sentence (R-2) | "
        "over edu (R-1) | over edu (R-2) | paper |",
        "|" + " --- |" * 9,
    ]
    for row in rows:
        figures = [f"{interval.mean:.2f}" for interval in row.scores]
        gains = [
            gain
            for versus in (row.versus_sentence, row.versus_edu)
            for gain in ([_gain(comparison) for comparison in versus[:2]] or ["", ""])
        ]
        paper = " / ".join(f"{figure:.2f}" for figure in row.paper) if row.paper else ""
        text.append(f"| {' | '.join([row.name, *figures, *gains, paper])} |")
    return "\n".join(text) + "\n"


def _gain(comparison: Comparison) -> str:
    gap = comparison.difference
    p_value = f"p = {comparison.p_value:.3f}" if comparison.p_value >= 0.001 else "p < 0.001"
    return f"{gap.mean:+.2f} [{gap.low:+.2f}, {gap.high:+.2f}], {p_value}"


def to_json(rows: Sequence[ReportRow], plan: AblationPlan, record: JsonObject) -> str:
    """Write all figures, and ``record``: what made them."""

    def interval(found: Interval) -> list[float]:
        return [round(value, 4) for value in (found.mean, found.low, found.high)]

    def gaps(found: Sequence[Comparison]) -> list[dict[str, object]]:
        return [{"gap": interval(c.difference), "p": round(c.p_value, 5)} for c in found]

    content = {
        "format": FORMAT,
        "run": record,
        "documents": len(plan.test),
        "seeds": list(plan.seeds),
        "training_documents": plan.base.documents,
        "rows": [
            {
                "name": row.name,
                "rouge": [interval(score) for score in row.scores],
                "over_sentence": gaps(row.versus_sentence),
                "over_edu": gaps(row.versus_edu),
                "over_lead": gaps(row.versus_lead),
                "by_seed": [[round(score, 3) for score in scores] for scores in row.by_seed],
                "paper": row.paper,
            }
            for row in rows
        ],
    }
    return json.dumps(content, indent=2) + "\n"
