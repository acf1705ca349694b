"""Costs by stage, on a clock that the stages themselves advance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from discobert import Summarizer
from discobert.benchmark import costs
from discobert.benchmark.costs import (
    ANALYSE,
    ENCODE,
    NO_COST,
    SCORE,
    SELECT,
    Cost,
    StagedCost,
    cost_of,
    least_staged_cost,
    mean_cost,
    staged_cost,
)
from discobert.benchmark.texts import generated
from discobert.data.document import SentenceLayout, SourceText, Span
from discobert.data.summary import Analysis, ModelId
from discobert.discourse.units import UnitKind
from discobert.pipeline import Pipeline
from discobert.protocols import Analyser, Scorer
from discobert.selection.build import Salience

TEXT = generated(60).text


@dataclass
class FakeClock:
    """CPU time that passes only when somebody lets it."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class SlowAnalyser:
    """An analyser that takes some time, of which encoding is a part."""

    analyser: Analyser
    clock: FakeClock
    encoding: float = 2.0
    analysis: float = 3.0

    def analyse(self, source: SourceText) -> Analysis:
        self.clock.now += self.encoding + self.analysis
        return self.analyser.analyse(source)

    def encode(self, source: SourceText, sentences: SentenceLayout | None = None) -> None:
        self.clock.now += self.encoding

    def analyse_encoded(self, encoded: None, edus: Sequence[Span] | None = None) -> Analysis:
        raise NotImplementedError


@dataclass(frozen=True)
class SlowScorer:
    """A scorer whose time depends on the number of words."""

    inner: Scorer
    clock: FakeClock
    seconds: Callable[[int], float] = lambda words: 7.0

    @property
    def model(self) -> ModelId:
        return self.inner.model

    @property
    def unit(self) -> UnitKind:
        return self.inner.unit

    def score(self, analysis: Analysis) -> Salience:
        self.clock.now += self.seconds(len(analysis.document.text.split()))
        return self.inner.score(analysis)


def slow(clock: FakeClock) -> Summarizer:
    rules = Summarizer.load("rules").pipeline
    return Summarizer(
        Pipeline(SlowAnalyser(rules.analyser, clock), SlowScorer(rules.scorer, clock))
    )


def test_time_is_divided_among_the_stages() -> None:
    clock = FakeClock()
    found = staged_cost(slow(clock), TEXT, cpu_time=clock)
    assert found.stages == {ENCODE: 2.0, ANALYSE: 3.0, SCORE: 7.0, SELECT: 0.0}
    assert found.total.cpu == 12.0  # the second run of the encoder is not part of the summary


def test_what_no_other_stage_takes_is_selection() -> None:
    ticks = iter(range(100))
    found = staged_cost(Summarizer.load("rules"), TEXT, cpu_time=lambda: float(next(ticks)))
    # The clock is read at the start, around analysis and scoring, at the end; then around encoding.
    assert found.stages == {ENCODE: 1.0, ANALYSE: 0.0, SCORE: 1.0, SELECT: 3.0}
    assert found.total.cpu == 5.0


def test_shipped_model_has_an_encoder_and_keeps_its_summaries() -> None:
    shipped = Summarizer.load()
    before = shipped.summarize(TEXT)
    found = staged_cost(shipped, TEXT)
    assert list(found.stages) == [ENCODE, ANALYSE, SCORE, SELECT]
    assert found.stages[ENCODE] > 0
    assert sum(found.stages.values()) == pytest.approx(found.total.cpu)
    assert shipped.summarize(TEXT) == before


def test_cheapest_run_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter(StagedCost(Cost(cpu, 0.0), {"a": cpu}) for cpu in (3.0, 1.0, 2.0))
    monkeypatch.setattr(costs, "staged_cost", lambda *_, **__: next(runs))
    found = least_staged_cost(Summarizer.load("rules"), TEXT, runs=3)
    assert found.stages == {"a": 1.0}


def test_mean_is_over_the_cheapest_run_of_each_text() -> None:
    runs = [[Cost(1, 10), Cost(2, 1)], [Cost(5, 5), Cost(3, 6)]]
    assert mean_cost(runs) == Cost(2, 8)
    assert Cost(1, 2) + NO_COST == Cost(1, 2)


def test_cost_is_the_time_between_start_and_end() -> None:
    clock = FakeClock(10.0)
    assert cost_of(lambda: setattr(clock, "now", 14.0), cpu_time=clock).cpu == 4.0
