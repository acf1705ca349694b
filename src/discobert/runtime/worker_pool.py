"""A pool of worker processes on this machine: each loads its weights once, then does tasks.

Workers are spawned, never forked: libraries that compute with threads do not survive a fork. Each
has one thread, since the processes share the cores, and imports nothing from the working
directory. A worker gets one task at a time. One that dies is replaced; what happens to its task is
for the caller to decide. If the parent dies, its workers end.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, TypeVar

from discobert.errors import DiscobertError, InputError
from discobert.runtime.memory import set_large_apart, share_heap
from discobert.runtime.worker_errors import WorkerError, raise_error, worker_error

T = TypeVar("T")
R = TypeVar("R")

ReportSteps = Callable[[int], None]
"""What a worker calls with the number of steps, such as documents, that it has just finished."""
Start = Callable[[ReportSteps], Callable[[T], R]]
"""Loads the weights in the worker process and returns the function of tasks; must be picklable."""

MAX_STARTS = 3
"""How many workers in a row may die before they are ready."""
_SECONDS_BETWEEN_REPORTS = 0.25
_SECONDS_TO_END = 5.0
_KILLED = -9
_NO_MEMORY = "not enough memory for a worker; try fewer --jobs, or free some memory"
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "RAYON_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # Python would search the working directory for the modules of multiprocessing itself.
    "PYTHONSAFEPATH": "1",
}


@dataclass(frozen=True, slots=True)
class StepsDone:
    """Steps finished since the last such event; negative if those of a dead worker are lost."""

    count: int


@dataclass(frozen=True, slots=True)
class Finished(Generic[T, R]):
    """A task and its result."""

    task: T
    result: R


@dataclass(frozen=True, slots=True)
class LostTask(Generic[T]):
    """A task whose worker died; it is not done again unless ``retry`` is called."""

    task: T
    steps: int
    """Steps of the task that were reported; all that were finished if each one is reported."""
    cause: str


@dataclass(slots=True)
class _Worker(Generic[T]):
    """A process, the connection to it, its task, and the steps of it reported so far."""

    process: SpawnProcess
    connection: Connection
    task: T | None = None
    steps: int = 0


class WorkerPool(Generic[T, R]):
    """Processes at work on a stream of tasks, none of which may be None."""

    def __init__(self, start: Start[T, R], tasks: Iterable[T], *, jobs: int) -> None:
        self._start = start
        self._tasks = iter(tasks)
        self._jobs = jobs
        self._retries: deque[T] = deque()
        self._workers: list[_Worker[T]] = []
        self._failed_starts = 0

    def run(self) -> Iterator[StepsDone | Finished[T, R] | LostTask[T]]:
        """Carry out all tasks and yield what happens, in the order in which it happens."""
        try:
            self._hire(self._jobs)
            while self._workers:
                ready = wait([worker.connection for worker in self._workers])
                for worker in [one for one in self._workers if one.connection in ready]:
                    yield from self._receive(worker)
        finally:
            self._end_all()

    def retry(self, task: T) -> None:
        """Do a task before all others; each step of it is reported as soon as it is finished."""
        self._retries.append(task)

    def _hire(self, number: int) -> None:
        context = multiprocessing.get_context("spawn")
        for _ in range(number):
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(theirs, self._start), daemon=True)
            with worker_environment():
                process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours))

    def _receive(self, worker: _Worker[T]) -> Iterator[StepsDone | Finished[T, R] | LostTask[T]]:
        """Handle one message; the end of the connection means that the worker is dead."""
        try:
            message = worker.connection.recv()
        except (EOFError, ConnectionResetError):
            yield from self._replace(worker)
            return
        if isinstance(message, WorkerError):
            raise_error(message)
        if isinstance(message, StepsDone):
            worker.steps += message.count
            yield message
            return
        if worker.task is not None:
            yield Finished(worker.task, message)
        self._failed_starts = 0
        yield from self._hand_out(worker)

    def _hand_out(self, worker: _Worker[T]) -> Iterator[StepsDone | Finished[T, R] | LostTask[T]]:
        every_step = bool(self._retries)
        worker.task = self._retries.popleft() if every_step else next(self._tasks, None)
        worker.steps = 0
        if worker.task is None:
            worker.connection.close()
            self._workers.remove(worker)
            worker.process.join(_SECONDS_TO_END)
            return
        try:
            worker.connection.send((worker.task, every_step))
        except (BrokenPipeError, ConnectionResetError):
            yield from self._replace(worker)

    def _replace(self, worker: _Worker[T]) -> Iterator[StepsDone | Finished[T, R] | LostTask[T]]:
        worker.connection.close()
        self._workers.remove(worker)
        worker.process.join(_SECONDS_TO_END)
        cause = _cause_of_death(worker.process.exitcode)
        if worker.task is not None:
            yield StepsDone(-worker.steps)
            yield LostTask(worker.task, worker.steps, cause)
        else:
            self._failed_starts += 1
        if self._failed_starts >= MAX_STARTS:
            raise DiscobertError(f"{MAX_STARTS} workers died while they started ({cause})")
        self._hire(1)

    def _end_all(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(_SECONDS_TO_END)
            worker.connection.close()
        self._workers.clear()


@contextmanager
def worker_environment() -> Iterator[None]:
    """Set the variables for processes started inside the block, which read them as they start.

    They inherit a blocked interrupt, too: Ctrl-C reaches all processes, also one that still starts.
    """
    before = {name: os.environ.get(name) for name in _ENVIRONMENT}
    os.environ.update(_ENVIRONMENT)
    try:
        with _interrupt_blocked():
            yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Let interrupts of this thread wait until the end of the block."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # as it starts, it would allow them again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _cause_of_death(code: int | None) -> str:
    if code == _KILLED:
        return "signal 9, often because memory ran out: try fewer --jobs"
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def work(connection: Connection, start: Start[Any, Any]) -> None:
    """Run in the worker process: do tasks until the connection ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    threading.Thread(target=_end_with_parent, daemon=True).start()
    set_large_apart()
    share_heap()
    try:
        reporter = StepReporter(connection)
        carry_out = _started(start, reporter.report)
        connection.send(None)
        while True:
            task, every_step = connection.recv()
            reporter.every_step = every_step
            result = carry_out(task)
            reporter.flush()
            connection.send(result)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except DiscobertError as error:
        connection.send(worker_error(error))


def _started(start: Start[T, R], report: ReportSteps) -> Callable[[T], R]:
    try:
        return start(report)
    except MemoryError as error:
        raise InputError(_NO_MEMORY) from error


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class StepReporter:
    """Sends counts of steps to the parent, a few times a second unless each step is wanted."""

    def __init__(self, connection: Connection, clock: Callable[[], float] = time.monotonic) -> None:
        self.every_step = False
        self._connection = connection
        self._clock = clock
        self._steps = 0
        self._sent = clock()

    def report(self, steps: int) -> None:
        """Count steps, and send them if it is time."""
        self._steps += steps
        if self.every_step or self._clock() - self._sent >= _SECONDS_BETWEEN_REPORTS:
            self.flush()

    def flush(self) -> None:
        """Send what was counted."""
        if self._steps:
            self._connection.send(StepsDone(self._steps))
        self._steps = 0
        self._sent = self._clock()


def map_in_order(
    start: Callable[[], Callable[[T], R]], tasks: Iterable[T], *, jobs: int
) -> Iterator[R]:
    """Yield the results of tasks in the order of the tasks, which are read as workers get free.

    ``start`` is called once in each worker and must be picklable. A dead worker ends the run.
    """
    pool = WorkerPool[tuple[int, T], R](
        partial(_start_numbered, start), enumerate(tasks), jobs=jobs
    )
    early: dict[int, R] = {}
    number = 0
    for event in pool.run():
        if isinstance(event, LostTask):
            raise DiscobertError(f"a worker process died ({event.cause})")
        if isinstance(event, Finished):
            early[event.task[0]] = event.result
        while number in early:
            yield early.pop(number)
            number += 1


def _start_numbered(
    start: Callable[[], Callable[[T], R]], report: ReportSteps
) -> Callable[[tuple[int, T]], R]:
    carry_out = start()
    return lambda numbered: carry_out(numbered[1])
