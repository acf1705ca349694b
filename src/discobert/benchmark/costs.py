"""CPU and wall time of a summary, in total and by stage.

Stages are timed from outside: a pipeline takes any analyser and any scorer, so both are wrapped in
objects that measure their calls. Production code is neither changed nor slowed down.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from discobert.api import Summarizer
from discobert.data.document import SourceText
from discobert.data.summary import Analysis, ModelId
from discobert.discourse.units import UnitKind
from discobert.evaluate.analyses.evaluate import GuidedAnalyser
from discobert.pipeline import Pipeline
from discobert.protocols import Analyser, Scorer
from discobert.selection.build import Salience

ENCODE, ANALYSE, SCORE, SELECT = "encode", "analyse", "score", "select and write"
Clock = Callable[[], float]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of one run; CPU time is that of all threads of the process."""

    cpu: float
    wall: float

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.cpu + other.cpu, self.wall + other.wall)

    def __truediv__(self, count: float) -> "Cost":
        return Cost(self.cpu / count, self.wall / count)


NO_COST = Cost(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class StagedCost:
    """What one summary cost, and the CPU seconds of each stage."""

    total: Cost
    stages: Mapping[str, float]


def cost_of(work: Callable[[], object], *, cpu_time: Clock = time.process_time) -> Cost:
    """Run something once."""
    cpu, wall = cpu_time(), time.perf_counter()
    work()
    return Cost(cpu_time() - cpu, time.perf_counter() - wall)


def mean_cost(by_text: Sequence[Sequence[Cost]]) -> Cost:
    """Average over texts the cheapest run of each, which was disturbed least."""
    cheapest = (min(costs, key=lambda cost: cost.cpu) for costs in by_text)
    return sum(cheapest, NO_COST) / len(by_text)


def staged_cost(
    summarizer: Summarizer, text: str, *, cpu_time: Clock = time.process_time
) -> StagedCost:
    """Summarise a text once and divide the time among the stages.

    The encoder runs inside the analyser, so it is timed in a further run of its own and taken off
    the analyser's time. Models without an encoder have no such stage.
    """
    clock = _StageClock(cpu_time)
    pipeline = summarizer.pipeline
    timed = Pipeline(_TimedAnalyser(pipeline.analyser, clock), _TimedScorer(pipeline.scorer, clock))
    work = partial(replace(summarizer, pipeline=timed).summarize, text)
    total = cost_of(work, cpu_time=cpu_time)
    analysis, scores = clock.seconds[ANALYSE], clock.seconds[SCORE]
    stages = {ANALYSE: analysis, SCORE: scores, SELECT: max(total.cpu - analysis - scores, 0.0)}
    if isinstance(pipeline.analyser, GuidedAnalyser):
        work = partial(pipeline.analyser.encode, SourceText("text", text))
        encode = cost_of(work, cpu_time=cpu_time).cpu
        encode = min(encode, analysis)
        stages = {ENCODE: encode, **stages, ANALYSE: analysis - encode}
    return StagedCost(total, stages)


def least_staged_cost(
    summarizer: Summarizer, text: str, *, runs: int, cpu_time: Clock = time.process_time
) -> StagedCost:
    """Summarise a text several times and keep the cheapest run."""
    costs = (staged_cost(summarizer, text, cpu_time=cpu_time) for _ in range(runs))
    return min(costs, key=lambda cost: cost.total.cpu)


@dataclass(frozen=True, slots=True)
class _StageClock:
    """CPU seconds by stage of one summary."""

    cpu_time: Clock
    seconds: dict[str, float] = field(default_factory=dict)

    def time(self, stage: str, work: Callable[[], T]) -> T:
        """Do the work of a stage."""
        begun = self.cpu_time()
        result = work()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + self.cpu_time() - begun
        return result


@dataclass(frozen=True, slots=True)
class _TimedAnalyser:
    """An analyser whose calls are measured."""

    analyser: Analyser
    clock: _StageClock

    def analyse(self, source: SourceText) -> Analysis:
        """Analyse one text."""
        return self.clock.time(ANALYSE, partial(self.analyser.analyse, source))


@dataclass(frozen=True, slots=True)
class _TimedScorer:
    """A scorer whose calls are measured."""

    scorer: Scorer
    clock: _StageClock

    @property
    def model(self) -> ModelId:
        """The model behind the scores."""
        return self.scorer.model

    @property
    def unit(self) -> UnitKind:
        """What a summary is made of by default."""
        return self.scorer.unit

    def score(self, analysis: Analysis) -> Salience:
        """Score one text."""
        return self.clock.time(SCORE, partial(self.scorer.score, analysis))
