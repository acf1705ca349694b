"""Many clients at once, below and beyond what the queue holds, and the memory that stays.

Capacity is counted in clients: as many as workers and places of the queue are always served,
whatever the speed of the machine. The long forms (slow) are those of docs/serving.md.
"""

import asyncio
from collections.abc import Iterator

import pytest
from benchmarks.load import Load, Outcome, make_calls, memory_of, run_load
from tests.serve.running import LONG, Running, ready

pytest.importorskip("fastapi")

QUEUE = 7
CAPACITY = QUEUE + 1


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with ready(
        *("--workers", "1", "--model", "rules", "--queue", str(QUEUE), "--cache-mb", "0")
    ) as service:
        yield service


def load(service: Running, clients: int, requests: int, words: int = 50) -> Outcome:
    calls = make_calls(min(requests, 200), words, prefix=f"{clients}-")
    given = Load(port=service.port, clients=clients, requests=requests, calls=calls)
    return asyncio.run(asyncio.wait_for(run_load(given), 10 * LONG))


@pytest.mark.parametrize("clients", [CAPACITY // 2, CAPACITY])
def test_no_request_fails_up_to_the_capacity(service: Running, clients: int) -> None:
    assert load(service, clients, 60).statuses == {200: 60}


def test_beyond_the_capacity_requests_are_answered_or_refused(service: Running) -> None:
    outcome = load(service, 4 * CAPACITY, 400)
    assert set(outcome.statuses) == {200, 429}
    assert sum(outcome.statuses.values()) == 400
    assert load(service, CAPACITY, 20).statuses == {200: 20}


def test_memory_stays_as_it_is(service: Running) -> None:
    """The short form: far from the 5 % of the long one, but a leak of whole texts would show."""
    load(service, CAPACITY, 100, words=300)
    before = memory_of(service.process.pid)
    load(service, CAPACITY, 300, words=300)
    assert memory_of(service.process.pid) < 1.15 * before


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_memory_after_thousands_of_mixed_requests() -> None:
    with ready("--queue", "64") as service:
        for words in (60, 700, 200):
            load(service, 8, 170, words=words)
        before = memory_of(service.process.pid)
        for words in (60, 700, 200, 400, 30) * 9:
            assert load(service, 8, 100, words=words).statuses == {200: 100}
        assert memory_of(service.process.pid) < 1.05 * before


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_fifty_clients_for_a_minute() -> None:
    with ready() as service:
        calls = make_calls(3000, 400)
        given = Load(port=service.port, clients=50, seconds=60, calls=calls)
        outcome = asyncio.run(run_load(given))
        assert set(outcome.statuses) == {200}


def test_percentiles_and_rates_are_those_of_the_answers() -> None:
    outcome = Outcome([(200, 0.001 * number) for number in range(1, 101)] + [(429, 0.5)], 10.0)
    assert outcome.percentile(200, 50) == pytest.approx(0.051)
    assert outcome.percentile(503, 50) is None
    figures = outcome.describe()
    assert figures["statuses"] == {"200": 100, "429": 1}
    assert figures["per_second"] == 10.0
    assert figures["latency"] == {
        "200": {"p50_ms": 51.0, "p95_ms": 96.0, "p99_ms": 100.0, "max_ms": 100.0},
        "429": {"p50_ms": 500.0, "p95_ms": 500.0, "p99_ms": 500.0, "max_ms": 500.0},
    }
