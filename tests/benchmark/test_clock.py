"""Time by stage."""

import time
from types import SimpleNamespace

import pytest

from discobert.benchmark.clock import Cost, Watched, least_cost, watching


def spin(seconds: float) -> float:
    """Use CPU time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds


def test_inner_stage_is_not_counted_twice() -> None:
    tools = SimpleNamespace(inner=spin)
    tools.outer = lambda: spin(0.01) + tools.inner(0.03)
    places = [Watched(tools, "outer", "all"), Watched(tools, "inner", lambda *_: "part")]
    with watching(places) as clock:
        assert tools.outer() == pytest.approx(0.04)
    assert 0.01 <= clock.seconds["all"] < 0.03 <= clock.seconds["part"]


def test_functions_come_back_after_an_error() -> None:
    tools = SimpleNamespace(fail=lambda: [].pop())
    original = tools.fail
    with pytest.raises(IndexError), watching([Watched(tools, "fail", "x")]) as clock:
        tools.fail()
    assert tools.fail is original
    assert list(clock.seconds) == ["x"]


def test_cheapest_run_counts() -> None:
    lengths = iter([0.02, 0.001, 0.02])
    assert least_cost(lambda: spin(next(lengths)), runs=3).cpu < 0.02


def test_costs_add_up_and_divide() -> None:
    assert (Cost(1, 2) + Cost(3, 4)) / 2 == Cost(2, 3)
