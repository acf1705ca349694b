"""Shards on processes of this machine, each spawned, with its own weights and one thread.

The parent hands out one shard at a time. A worker that dies is replaced and its shard handed out
again; if the parent dies, its workers notice and leave.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from discobert.batch.engine.environment import worker_environment
from discobert.batch.engine.errors import Fault, fault_of, raise_fault
from discobert.batch.engine.parts import ShardReport
from discobert.batch.engine.plan import Shard
from discobert.batch.engine.stage import Job, ShardStage
from discobert.errors import DiscobertError
from discobert.runtime.memory import set_large_apart, share_heap

MAX_ATTEMPTS = 3
"""How often a shard may take its worker with it before the run stops."""
_SECONDS_BETWEEN_TICKS = 0.25
_SECONDS_TO_LEAVE = 5.0
_STARTING = -1
"""Stands for a shard where a worker died before it had one."""


@dataclass(frozen=True, slots=True)
class Ticks:
    """Documents done since the last news."""

    documents: int


Event = Ticks | ShardReport
"""What an engine tells while it works; documents of a finished shard were told by ticks before."""


def run_local(job: Job, shards: Sequence[Shard], *, jobs: int) -> Iterator[Event]:
    """Carry out shards on up to ``jobs`` processes and tell how it goes."""
    pool = _Pool(job, deque(shards))
    try:
        pool.hire(min(jobs, len(shards)))
        while pool.workers:
            for worker in pool.ready():
                yield from pool.hear(worker)
    finally:
        pool.dismiss()


@dataclass(slots=True)
class _Worker:
    """A process, the line to it, and the shard it is at."""

    process: SpawnProcess
    line: Connection
    shard: Shard | None = None
    unfinished: int = 0
    """Documents told of the shard it is at; taken back if it dies."""


class _Pool:
    """Who is at work, and on what."""

    def __init__(self, job: Job, todo: deque[Shard]) -> None:
        self.workers: list[_Worker] = []
        self._job = job
        self._todo = todo
        self._deaths: dict[int, int] = {}

    def hire(self, number: int) -> None:
        """Start processes; each asks for work once its weights are loaded."""
        context = multiprocessing.get_context("spawn")
        for _ in range(number):
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(theirs, self._job), daemon=True)
            with worker_environment():
                process.start()
            theirs.close()
            self.workers.append(_Worker(process, ours))

    def ready(self) -> list[_Worker]:
        """Wait until somebody has something to say, or has left."""
        heard = wait([worker.line for worker in self.workers])
        return [worker for worker in self.workers if worker.line in heard]

    def hear(self, worker: _Worker) -> Iterator[Event]:
        """Take one message; the end of the line means that the worker is gone."""
        try:
            message = worker.line.recv()
        except (EOFError, ConnectionResetError):
            yield Ticks(-worker.unfinished)
            self._replace(worker)
            return
        if isinstance(message, Fault):
            raise_fault(message)
        if isinstance(message, Ticks):
            worker.unfinished += message.documents
            yield message
            return
        if isinstance(message, ShardReport):
            yield Ticks(message.documents - worker.unfinished)
            yield message
        self._deaths.pop(_STARTING, None)
        self._hand_out(worker)

    def _hand_out(self, worker: _Worker) -> None:
        worker.shard, worker.unfinished = None, 0
        if not self._todo:
            worker.line.close()
            self.workers.remove(worker)
            worker.process.join(_SECONDS_TO_LEAVE)
            return
        worker.shard = self._todo.popleft()
        try:
            worker.line.send(worker.shard)
        except (BrokenPipeError, ConnectionResetError):
            self._replace(worker)

    def _replace(self, worker: _Worker) -> None:
        worker.line.close()
        self.workers.remove(worker)
        worker.process.join(_SECONDS_TO_LEAVE)
        key = _STARTING if worker.shard is None else worker.shard.index
        self._deaths[key] = self._deaths.get(key, 0) + 1
        if self._deaths[key] >= MAX_ATTEMPTS:
            raise DiscobertError(_explain_death(worker))
        if worker.shard is not None:
            self._todo.appendleft(worker.shard)
        self.hire(1)

    def dismiss(self) -> None:
        """End all processes that are left."""
        for worker in self.workers:
            worker.process.terminate()
        for worker in self.workers:
            worker.process.join(_SECONDS_TO_LEAVE)
            worker.line.close()
        self.workers.clear()


def _explain_death(worker: _Worker) -> str:
    code = worker.process.exitcode
    how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    if worker.shard is None:
        where = "while it started"
    else:
        first = worker.shard.first
        where = f"in documents {first + 1} to {first + worker.shard.count}"
    memory = "; signal 9 often means that memory ran out: try fewer --jobs" if code == -9 else ""
    return (
        f"a worker died {MAX_ATTEMPTS} times {where} ({how}){memory}; "
        "all finished shards are kept: --resume goes on from there"
    )


def work(line: Connection, job: Job) -> None:
    """Run in a worker: carry out shards until the line ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    set_large_apart()
    share_heap()
    try:
        ticker = Ticker(line)
        stage = ShardStage(job, ticker.tick)
        line.send(None)
        while True:
            report = stage(line.recv())
            ticker.forget()
            line.send(report)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except DiscobertError as error:
        line.send(fault_of(error))


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class Ticker:
    """Tells of documents now and then, not of each."""

    def __init__(self, line: Connection, clock: Callable[[], float] = time.monotonic) -> None:
        self._line = line
        self._clock = clock
        self._documents = 0
        self._told = clock()

    def tick(self, documents: int) -> None:
        """Count documents, and tell if it is time."""
        self._documents += documents
        if self._clock() - self._told >= _SECONDS_BETWEEN_TICKS:
            self._line.send(Ticks(self._documents))
            self.forget()

    def forget(self) -> None:
        """Start to count anew: a report tells the rest."""
        self._documents = 0
        self._told = self._clock()
