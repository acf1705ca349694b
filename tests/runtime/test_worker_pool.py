"""Worker processes: order, progress, errors, deaths, and what they inherit."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from discobert.errors import BundleError, DiscobertError, InputError
from discobert.runtime import worker_pool
from discobert.runtime.worker_errors import WorkerError
from discobert.runtime.worker_pool import (
    MAX_STARTS,
    Finished,
    LostTask,
    ReportSteps,
    StepReporter,
    StepsDone,
    WorkerPool,
    map_in_order,
)


def squares() -> Callable[[int], int]:
    return lambda number: number * number


def test_results_keep_the_order_of_the_tasks_which_are_streamed() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(50):
            taken.append(number)
            yield number

    results = map_in_order(squares, tasks(), jobs=2)
    assert next(results) == 0
    assert len(taken) < 10
    assert list(results) == [number * number for number in range(1, 50)]


def refusing() -> Callable[[int], int]:
    def refuse(number: int) -> int:
        raise InputError(f"cannot use {number}")

    return refuse


def without_weights() -> Callable[[int], int]:
    raise BundleError("no weights")


def dying() -> Callable[[int], int]:
    def die(number: int) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return number

    return die


def dead() -> Callable[[int], int]:
    sys.exit(3)


@pytest.mark.parametrize(
    ("start", "kind", "message"),
    [
        (refusing, InputError, "cannot use 7"),
        (without_weights, BundleError, "no weights"),
        (dying, DiscobertError, r"a worker process died \(signal 9, often because memory"),
        (dead, DiscobertError, rf"{MAX_STARTS} workers died while they started \(exit code 3\)"),
    ],
)
def test_errors_of_workers_are_raised_in_the_parent(
    start: Callable[[], Callable[[int], int]], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        list(map_in_order(start, [7], jobs=1))


def counting(mark: Path, report: ReportSteps) -> Callable[[int], str]:
    """Report a step for each number below the task; the first process dies after two of them."""

    def count(number: int) -> str:
        for step in range(number):
            if step == 2 and not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            report(1)
        return "done"

    return count


def test_steps_of_a_dead_worker_are_taken_back_and_its_task_may_be_retried(
    tmp_path: Path,
) -> None:
    pool = WorkerPool[int, str](partial(counting, tmp_path / "mark"), [], jobs=1)
    pool.retry(5)
    events = []
    for event in pool.run():
        events.append(event)
        if isinstance(event, LostTask):
            assert (event.task, event.steps) == (5, 2)
            pool.retry(event.task)
    steps = [event.count for event in events if isinstance(event, StepsDone)]
    assert steps == [1, 1, -2, 1, 1, 1, 1, 1]
    assert events[-1] == Finished(5, "done")


def test_a_worker_does_tasks_until_the_connection_ends() -> None:
    """The function that processes run, in this one."""
    ours, theirs = multiprocessing.Pipe()
    received: list[object] = []

    def parent() -> None:
        received.append(ours.recv())
        for task in (2, 3):
            ours.send((task, False))
            received.extend((ours.recv(), ours.recv()))
        ours.close()

    def start(report: ReportSteps) -> Callable[[int], int]:
        def double(number: int) -> int:
            report(number)
            return 2 * number

        return double

    before = signal.getsignal(signal.SIGINT)
    listener = threading.Thread(target=parent)
    listener.start()
    try:
        worker_pool.work(theirs, start)
    finally:
        signal.signal(signal.SIGINT, before)
        listener.join()
        theirs.close()
    assert received == [None, StepsDone(2), 4, StepsDone(3), 6]


def test_a_worker_that_cannot_start_sends_its_error() -> None:
    ours, theirs = multiprocessing.Pipe()
    before = signal.getsignal(signal.SIGINT)
    try:
        worker_pool.work(theirs, lambda report: without_weights())
    finally:
        signal.signal(signal.SIGINT, before)
    assert ours.recv() == WorkerError("BundleError", "no weights")
    ours.close()
    theirs.close()


def greedy() -> Callable[[int], int]:
    raise MemoryError


def test_a_worker_without_memory_says_so_instead_of_dying() -> None:
    with pytest.raises(InputError, match="not enough memory for a worker; try fewer --jobs"):
        list(map_in_order(greedy, [1], jobs=1))


@pytest.mark.parametrize(("every_step", "sent"), [(False, [2]), (True, [1, 1, 1])])
def test_steps_are_sent_a_few_times_a_second_or_each(every_step: bool, sent: list[int]) -> None:
    ours, theirs = multiprocessing.Pipe()
    times = iter([0.0, 0.1, 0.3, 0.3, 0.4])
    reporter = StepReporter(theirs, lambda: next(times))
    reporter.every_step = every_step
    for _ in range(3):
        reporter.report(1)
    for count in sent:
        assert ours.recv() == StepsDone(count)
    assert not ours.poll()
    ours.close()
    theirs.close()


def environment() -> Callable[[str], str | None]:
    return os.environ.get


def test_workers_have_one_thread_and_the_environment_is_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    names = ["OMP_NUM_THREADS", "MKL_NUM_THREADS"]
    assert list(map_in_order(environment, names, jobs=1)) == ["1", "1"]
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ


def blocked() -> Callable[[int], bool]:
    return lambda number: number in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform == "win32", reason="no masks of signals")
def test_ctrl_c_does_not_reach_a_worker_that_still_starts() -> None:
    """Which imports for a second before it can say what an interrupt means."""
    assert list(map_in_order(blocked, [signal.SIGINT, signal.SIGTERM], jobs=1)) == [True, False]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
