"""Ratios tell linear stages from quadratic ones, on a clock that the stages themselves advance."""

from collections.abc import Callable

import pytest
from benchmarks.cost_ratios import RatioPlan, Ratios, measure
from tests.benchmark.test_costs import FakeClock, SlowScorer

from discobert import Summarizer
from discobert.benchmark.costs import SCORE
from discobert.pipeline import Pipeline

PLAN = RatioPlan(words=80, short=100, long=400, runs=2)


def ratios(price: Callable[[int], float], *, encode: float = 1.0) -> Ratios:
    clock = FakeClock()
    rules = Summarizer.load("rules").pipeline
    summarizer = Summarizer(Pipeline(rules.analyser, SlowScorer(rules.scorer, clock, price)))

    def encode_text(text: str) -> None:
        clock.now += encode

    return measure(summarizer, encode_text, PLAN, cpu_time=clock)


def test_linear_stage_grows_with_the_text() -> None:
    found = ratios(lambda words: words)
    assert found.growth == pytest.approx(4.0)
    assert found.stages == {SCORE: pytest.approx(4.0)}


def test_quadratic_stage_grows_with_the_square() -> None:
    found = ratios(lambda words: words**2)
    assert found.growth == pytest.approx(16.0)
    assert found.stages[SCORE] == pytest.approx(16.0)


def test_summary_is_divided_by_the_bare_pass() -> None:
    assert ratios(lambda words: words, encode=40.0).passes == pytest.approx(80 / 40)


def test_stages_that_take_no_time_are_left_out() -> None:
    assert list(ratios(lambda words: words).stages) == [SCORE]
