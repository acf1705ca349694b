"""Ratios of CPU times in one short run: bounds on them hold on slow machines, too.

python -m benchmarks.cost_ratios      prints them as JSON; set OMP_NUM_THREADS=1 and the like
"""

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial

from benchmarks.bare_encoder import bare_encoder, random_weights

from discobert.api import Summarizer
from discobert.benchmark.costs import Clock, cost_of, least_staged_cost
from discobert.benchmark.run import find_tokenizer, piece_layout
from discobert.benchmark.texts import generated
from discobert.data.codecs.json_text import dumps
from discobert.errors import InputError

LEAST_SHARE = 0.02
"""Share of the CPU time of the long text from which on the growth of a stage is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioPlan:
    """Words of the texts, and how often each is summarised."""

    words: int = 600
    short: int = 1_000
    long: int = 16_000
    runs: int = 5


@dataclass(frozen=True, slots=True)
class Ratios:
    """Figures that a change of the code must not worsen by much."""

    passes: float
    """CPU time of a summary divided by that of one bare encoder pass over the text."""
    growth: float
    """CPU time of the long text divided by that of the short one."""
    stages: Mapping[str, float]
    """The same for each stage that takes its share of the long text."""


def measure(
    summarizer: Summarizer,
    encode: Callable[[str], object],
    plan: RatioPlan,
    *,
    cpu_time: Clock = time.process_time,
) -> Ratios:
    """Compare a summary with ``encode``, a bare encoder pass over a text, and long with short."""
    growth, stages = _growth(summarizer, plan, cpu_time)
    return Ratios(_passes(summarizer, encode, plan, cpu_time), growth, stages)


def _growth(
    summarizer: Summarizer, plan: RatioPlan, cpu_time: Clock
) -> tuple[float, dict[str, float]]:
    summarizer.summarize(generated(100).text)  # opens the sessions
    cost = partial(least_staged_cost, summarizer, cpu_time=cpu_time)
    short = cost(generated(plan.short).text, runs=plan.runs)
    long = cost(generated(plan.long).text, runs=min(plan.runs, 2))
    least = LEAST_SHARE * long.total.cpu
    heavy = [stage for stage, cpu in long.stages.items() if cpu > least]
    stages = {stage: long.stages[stage] / max(short.stages[stage], 1e-9) for stage in heavy}
    return long.total.cpu / short.total.cpu, stages


def _passes(
    summarizer: Summarizer, encode: Callable[[str], object], plan: RatioPlan, cpu_time: Clock
) -> float:
    text = generated(plan.words).text
    encode(text)
    # In turns, so that other load on the machine affects both.
    pairs = [
        (
            cost_of(lambda: summarizer.summarize(text), cpu_time=cpu_time).cpu,
            cost_of(lambda: encode(text), cpu_time=cpu_time).cpu,
        )
        for _ in range(plan.runs)
    ]
    return min(ours for ours, _ in pairs) / min(bare for _, bare in pairs)


def main() -> None:
    """Measure the shipped model against a bare pass with random weights."""
    tokenizer = find_tokenizer(None)
    if tokenizer is None:
        raise InputError("no model is shipped with this installation, so there is no tokenizer")
    encoder, plan = bare_encoder(random_weights()), RatioPlan()
    layout = piece_layout(tokenizer, generated(plan.words).text)
    found = measure(Summarizer.load(), lambda _: encoder.encode_text(layout), plan)
    sys.stdout.write(f"{dumps(asdict(found))}\n")


if __name__ == "__main__":
    main()
