"""Time by stage."""

import time
from types import SimpleNamespace

import pytest

from discobert.benchmark.clock import Cost, Watched, least_cost, watching


def test_inner_stage_is_not_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 1.0, 4.0, 6.0])
    monkeypatch.setattr(time, "process_time", lambda: next(ticks))
    tools = SimpleNamespace(inner=lambda: "done")
    tools.outer = lambda: tools.inner()
    places = [Watched(tools, "outer", "all"), Watched(tools, "inner", lambda *_: "part")]
    with watching(places) as clock:
        assert tools.outer() == "done"
    assert clock.seconds == {"part": 3.0, "all": 3.0}


def test_functions_come_back_after_an_error() -> None:
    tools = SimpleNamespace(fail=lambda: [].pop())
    original = tools.fail
    with pytest.raises(IndexError), watching([Watched(tools, "fail", "x")]) as clock:
        tools.fail()
    assert tools.fail is original
    assert list(clock.seconds) == ["x"]


def test_cheapest_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 5.0, 5.0, 7.0, 7.0, 10.0])
    monkeypatch.setattr(time, "process_time", lambda: next(ticks))
    assert least_cost(lambda: None, runs=3).cpu == 2.0


def test_costs_add_up_and_divide() -> None:
    assert (Cost(1, 2) + Cost(3, 4)) / 2 == Cost(2, 3)
