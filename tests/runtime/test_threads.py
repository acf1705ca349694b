"""Runs at the same time, results in order."""

from collections.abc import Iterator
from threading import Barrier, BrokenBarrierError, get_ident

import pytest

from discobert.runtime.threads import ONE_THREAD, Threads

PATIENCE = 10.0
"""Seconds until a run that waits for another one gives up."""


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("n_items", [0, 1, 50])
def test_results_come_in_the_order_of_the_items(count: int, n_items: int) -> None:
    found = list(Threads(count).map(lambda item: item * item, range(n_items)))
    assert found == [item * item for item in range(n_items)]


def test_two_threads_run_at_the_same_time() -> None:
    barrier = Barrier(2)

    def meet(item: int) -> int:
        barrier.wait(PATIENCE)  # the second run must come while the first one waits
        return get_ident()

    idents = list(Threads(2).map(meet, range(6)))
    assert len(set(idents)) == 2
    assert get_ident() not in idents


def test_one_thread_is_the_caller() -> None:
    assert set(ONE_THREAD.map(lambda item: get_ident(), range(3))) == {get_ident()}
    barrier = Barrier(2)
    with pytest.raises(BrokenBarrierError):
        list(ONE_THREAD.map(lambda item: barrier.wait(0.01), range(2)))


@pytest.mark.parametrize("count", [1, 2])
def test_items_are_not_taken_long_before_their_results(count: int) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    results = Threads(count).map(str, items())
    assert next(results) == "0"
    assert len(taken) < 20
    assert len([*results]) == 99


@pytest.mark.parametrize("count", [1, 2])
def test_an_error_reaches_the_caller(count: int) -> None:
    with pytest.raises(ZeroDivisionError):
        list(Threads(count).map(lambda item: 1 // item, [2, 1, 0, 3]))
