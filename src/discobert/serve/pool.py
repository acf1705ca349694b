"""Worker processes behind an event loop: a bounded queue, deadlines, cancellation, replacement.

Workers are spawned, as those of ``batch`` are. A thread for each does the blocking exchange with
its process. A request that nobody waits for any more leaves the queue; if a worker is busy with it,
the worker has a moment to finish and is then killed and replaced.
"""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from discobert.errors import DiscobertError
from discobert.runtime.worker_errors import WorkerError, raise_error
from discobert.runtime.worker_pool import MAX_STARTS, ReportSteps, work, worker_environment
from discobert.serve.logs import log
from discobert.serve.refusals import busy, draining, past_deadline, worker_died

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

T = TypeVar("T")
R = TypeVar("R")

_TRIES = 2
_SECONDS_TO_FINISH = 1.0
"""How long a worker may go on with a request whose client has left."""
_SECONDS_TO_END = 5.0
_SPAWNING = threading.Lock()


class Died(Exception):
    """A worker process has ended."""


class PoolListener(Protocol):
    """Receives the events of a pool, for logs and metrics."""

    def worker_ended(self, pool: str) -> None:
        """Learn that a worker process has ended and is replaced."""
        ...


class Worker:
    """One process; its methods block, so they are called in a thread."""

    def __init__(self, start: Callable[[], Callable[[Any], Any]]) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self.connection: Connection = ours
        self.process: SpawnProcess = context.Process(
            target=_work, args=(theirs, start), daemon=True
        )
        with _SPAWNING, worker_environment():
            self.process.start()
        theirs.close()

    def wait_ready(self) -> None:
        """Return when the worker has loaded what it needs."""
        self._receive()

    def exchange(self, task: object) -> Any:  # noqa: ANN401 - what the task's function returns
        """Hand out a task and return its result."""
        try:
            self.connection.send((task, False))
        except OSError as error:
            raise Died from error
        return self._receive()

    def _receive(self) -> Any:  # noqa: ANN401 - as above
        try:
            message = self.connection.recv()
        except (EOFError, OSError) as error:
            raise Died from error
        if isinstance(message, WorkerError):
            raise_error(message)
        return message

    def kill(self) -> None:
        """End the process and those that it has started."""
        pid = self.process.pid
        if pid is not None and self.process.is_alive():
            with suppress(ProcessLookupError, PermissionError):  # no group of its own yet
                os.killpg(pid, signal.SIGKILL)
            self.process.kill()

    def reap(self) -> str:
        """Release what is left of an ended process and return why it ended."""
        self.kill()
        self.process.join(_SECONDS_TO_END)
        self.connection.close()
        return f"exit code {self.process.exitcode}"


def _work(connection: Connection, start: Callable[[], Callable[[Any], Any]]) -> None:
    """Run in the worker process, in a group of its own, so that it ends with all its children."""
    with suppress(AttributeError, PermissionError):  # Windows; a group leader already
        os.setsid()
    work(connection, _Start(start))


@dataclass(frozen=True, slots=True)
class _Start:
    start: Callable[[], Callable[[Any], Any]]

    def __call__(self, report: ReportSteps) -> Callable[[Any], Any]:
        return self.start()


@dataclass(eq=False, slots=True)
class _Job(Generic[T, R]):
    task: T
    answer: "asyncio.Future[R]"
    created: float = field(default_factory=time.monotonic)
    tries: int = 0
    waited: float = 0.0


@dataclass(eq=False, slots=True)
class _Place(Generic[T, R]):
    """A worker's place: its process comes and goes."""

    worker: Worker | None = None
    job: _Job[T, R] | None = None
    next_job: "asyncio.Future[_Job[T, R] | None] | None" = None


class Pool(Generic[T, R]):
    """Processes at work on requests."""

    def __init__(
        self,
        name: str,
        start: Callable[[], Callable[[T], R]],
        *,
        workers: int,
        queue: int,
        listener: PoolListener | None = None,
    ) -> None:
        self.name = name
        self.n_workers = workers
        self._start = start
        self._queue = queue
        self._listener = listener
        self._waiting: deque[_Job[T, R]] = deque()
        self._places: list[_Place[T, R]] = [_Place() for _ in range(workers)]
        self._idle: deque[_Place[T, R]] = deque()
        self._keepers: list[asyncio.Task[None]] = []
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix=f"discobert-{name}")
        self._closed = False
        self._seconds_each = 0.5
        self.n_ready = 0
        self.started = False
        """Whether all workers have been ready at the same time once."""
        self.decided = asyncio.Event()
        """Set when all workers are ready for the first time, or when they cannot be started."""
        self.failed = asyncio.Event()
        self.failure: DiscobertError | None = None
        """Why workers cannot be started."""

    @property
    def n_waiting(self) -> int:
        """How many requests wait for a worker."""
        return len(self._waiting)

    @property
    def n_running(self) -> int:
        """How many requests workers are busy with."""
        return sum(place.job is not None for place in self._places)

    @property
    def is_ready(self) -> bool:
        """Whether every worker is ready."""
        return self.n_ready == self.n_workers

    @property
    def is_full(self) -> bool:
        """Whether a further request would be refused."""
        return not self._idle and len(self._waiting) >= self._queue

    def open(self) -> None:
        """Start the workers; call it in the event loop."""
        self._keepers = [asyncio.create_task(self._keep(place)) for place in self._places]

    async def close(self) -> None:
        """End all workers; what still waits is refused."""
        self._closed = True
        for keeper in self._keepers:
            keeper.cancel()
        for job in (*self._waiting, *(place.job for place in self._places)):
            if job is not None and not job.answer.done():
                job.answer.set_exception(draining())
        self._waiting.clear()
        for worker in self._workers():
            worker.kill()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        self._threads.shutdown(wait=True)
        for worker in self._workers():
            worker.reap()

    def _workers(self) -> list[Worker]:
        return [place.worker for place in self._places if place.worker is not None]

    async def run(self, task: T, *, seconds: float) -> tuple[R, float]:
        """Return a worker's answer and how long the task has waited for the worker.

        Raises a refusal at once if the queue is full, and one after so many seconds. If the caller
        is cancelled, so is the work.
        """
        job = self._accept(task)
        try:
            async with asyncio.timeout(seconds):
                answer = await job.answer
        except TimeoutError as error:
            self._abandon(job, seconds=0.0)
            raise past_deadline(seconds) from error
        except asyncio.CancelledError:
            self._abandon(job, seconds=_SECONDS_TO_FINISH)
            raise
        return answer, job.waited

    def _accept(self, task: T) -> _Job[T, R]:
        if self._closed:
            raise draining()
        if self.is_full:
            raise busy(self._seconds_each * len(self._waiting) / max(1, self.n_workers))
        job: _Job[T, R] = _Job(task, asyncio.get_running_loop().create_future())
        self._hand_out(job)
        return job

    def _hand_out(self, job: _Job[T, R], *, first: bool = False) -> None:
        while self._idle:
            place = self._idle.popleft()
            if place.next_job is not None and not place.next_job.done():
                place.next_job.set_result(job)
                return
        if first:
            self._waiting.appendleft(job)
        else:
            self._waiting.append(job)

    def _abandon(self, job: _Job[T, R], *, seconds: float) -> None:
        with suppress(ValueError):  # not among those that wait
            self._waiting.remove(job)
        for place in self._places:
            if place.job is job:
                loop = asyncio.get_running_loop()
                loop.call_later(seconds, self._kill_if_busy_with, place, job)

    @staticmethod
    def _kill_if_busy_with(place: _Place[T, R], job: _Job[T, R]) -> None:
        if place.job is job and place.worker is not None:
            place.worker.kill()

    async def _keep(self, place: _Place[T, R]) -> None:
        """Keep a worker at its place: start it, let it work, replace it when it dies."""
        failures = 0
        while not self._closed:
            try:
                await self._begin(place)
            except DiscobertError as error:
                self._fail(error)
                return
            except Died:
                failures += 1
                cause = await self._end(place)
                if failures == MAX_STARTS:
                    self._fail(DiscobertError(f"{failures} workers died as they started ({cause})"))
                    return
                continue
            failures = 0
            await self._serve(place)
            await self._end(place)

    async def _begin(self, place: _Place[T, R]) -> None:
        place.worker = worker = await self._in_thread(Worker, self._start)
        await self._in_thread(worker.wait_ready)
        loop = asyncio.get_running_loop()
        loop.add_reader(worker.process.sentinel, self._found_dead, place, worker)
        self.n_ready += 1
        if self.is_ready:
            self.started = True
            self.decided.set()
        log("worker ready", pool=self.name, pid=worker.process.pid)

    async def _end(self, place: _Place[T, R]) -> str:
        worker = place.worker
        if worker is None:
            return "not started"
        asyncio.get_running_loop().remove_reader(worker.process.sentinel)
        cause: str = await self._in_thread(worker.reap)
        place.worker = None
        if not self._closed:
            log("worker ended", level=logging.WARNING, pool=self.name, cause=cause)
            if self._listener is not None:
                self._listener.worker_ended(self.name)
        return cause

    def _found_dead(self, place: _Place[T, R], worker: Worker) -> None:
        """Wake an idle place whose process has ended; a busy one notices by itself."""
        asyncio.get_running_loop().remove_reader(worker.process.sentinel)
        if place.next_job is not None and not place.next_job.done():
            place.next_job.set_result(None)

    async def _serve(self, place: _Place[T, R]) -> None:
        """Hand out requests to a worker until it dies."""
        worker = place.worker
        try:
            while worker is not None and (job := await self._next(place)) is not None:
                job.tries += 1
                place.job = job
                job.waited = time.monotonic() - job.created
                try:
                    answer: R = await self._in_thread(worker.exchange, job.task)
                except (Died, DiscobertError):
                    place.job = None
                    self._try_again(job)
                    return
                place.job = None
                self._learn(time.monotonic() - job.created - job.waited)
                if not job.answer.done():
                    job.answer.set_result(answer)
        finally:
            self.n_ready -= 1

    def _learn(self, seconds: float) -> None:
        """Follow the mean time of a request, for the advice when to try again."""
        self._seconds_each += 0.1 * (seconds - self._seconds_each)

    async def _next(self, place: _Place[T, R]) -> _Job[T, R] | None:
        """Return the next request, or ``None`` if the idle worker has died."""
        while self._waiting:
            job = self._waiting.popleft()
            if not job.answer.done():
                return job
        if place.worker is None or not place.worker.process.is_alive():
            return None
        place.next_job = asyncio.get_running_loop().create_future()
        self._idle.append(place)
        try:
            return await place.next_job
        finally:
            place.next_job = None
            with suppress(ValueError):  # taken from there already
                self._idle.remove(place)

    def _try_again(self, job: _Job[T, R]) -> None:
        if job.answer.done():
            return
        if job.tries < _TRIES:
            self._hand_out(job, first=True)
        else:
            job.answer.set_exception(worker_died())

    def _fail(self, error: DiscobertError) -> None:
        self.failure = error
        self.decided.set()
        self.failed.set()

    async def _in_thread(self, function: Callable[..., Any], *args: object) -> Any:  # noqa: ANN401
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *args)
