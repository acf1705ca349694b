"""The measures that the guard asserts, on texts too short to mean anything."""

from discobert.benchmark.cost_ratios import GuardPlan, measure


def test_guard_tells_passes_growth_and_heavy_stages() -> None:
    found = measure(GuardPlan(words=40, short=40, long=120, runs=1), model="rules")
    assert 0 < found.passes < 1
    assert found.growth > 0
    assert "parser" in found.stages
    assert "rest" not in found.stages
