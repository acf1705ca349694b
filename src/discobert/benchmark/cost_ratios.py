"""Ratios of CPU times in one short run, for a guard that no slow machine can trip.

python -m discobert.benchmark.cost_ratios      prints them as JSON; start it with one thread of BLAS
"""

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from discobert.api import Summarizer
from discobert.benchmark.clock import cost_of
from discobert.benchmark.encoder_baseline import bare_encoder, pieces_of, random_weights
from discobert.benchmark.run import find_tokenizer
from discobert.benchmark.stages import REST, least_staged_cost
from discobert.benchmark.texts import generated
from discobert.data.json_text import dumps

WORTH_WATCHING = 0.02
"""Share of the longest text's time from which on a stage's growth is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardPlan:
    """How much to measure."""

    words: int = 600
    short: int = 1_000
    long: int = 16_000
    runs: int = 5


@dataclass(frozen=True, slots=True)
class Ratios:
    """What a change must not worsen by much."""

    passes: float
    """A summary divided by one bare encoder pass over its text."""
    growth: float
    """The long text divided by the short one."""
    stages: Mapping[str, float]
    """The same for each stage that takes its share of the long text."""


def measure(plan: GuardPlan, model: str | None = None) -> Ratios:
    """Measure what needs no other process."""
    summarizer = Summarizer.load(model)
    summarizer.summarize(generated(100).text)  # opens the sessions
    short = least_staged_cost(summarizer, generated(plan.short).text, runs=plan.runs)
    long = least_staged_cost(summarizer, generated(plan.long).text, runs=2)
    heavy = [stage for stage, cpu in long.stages.items() if cpu > WORTH_WATCHING * long.total.cpu]
    return Ratios(
        passes=_passes(summarizer, plan, model),
        growth=long.total.cpu / short.total.cpu,
        stages={
            stage: long.stages[stage] / short.stages[stage] for stage in heavy if stage != REST
        },
    )


def _passes(summarizer: Summarizer, plan: GuardPlan, model: str | None) -> float:
    text = generated(plan.words).text
    encoder = bare_encoder(random_weights())
    layout = pieces_of(find_tokenizer(model), text)
    encoder.read(layout)
    # By turns, so that a busy moment hits both.
    pairs = [
        (
            cost_of(lambda: summarizer.summarize(text)).cpu,
            cost_of(lambda: encoder.read(layout)).cpu,
        )
        for _ in range(plan.runs)
    ]
    return min(ours for ours, _ in pairs) / min(limit for _, limit in pairs)


if __name__ == "__main__":
    sys.stdout.write(f"{dumps(asdict(measure(GuardPlan())))}\n")
