"""The one stage that every engine runs: a shard's description in, its file and report out."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol, TypeVar

from discobert.batch.engine.parts import (
    Failure,
    Parts,
    ShardReport,
    commit,
    finished,
    writing,
)
from discobert.batch.engine.plan import Shard, entries_of
from discobert.data.json_text import JsonObject
from discobert.errors import DiscobertError
from discobert.runtime.memory import trim
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Analysed, Entry, Rejected, entry_id
from discobert.store.corpora.sources import Source
from discobert.store.files import checksum, replacing

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Worker(Protocol):
    """Holds the weights, in the process that uses them."""

    def write(self, entries: Iterator[Entry], file: BinaryIO) -> list[Failure]:
        """Write the results of a shard; documents that give none are returned."""
        ...


class Task(Protocol):
    """What to do with a corpus, in plain values that can be sent to other machines."""

    @property
    def suffix(self) -> str:
        """How the names of shards end."""
        ...

    def describe(self) -> JsonObject:
        """Return all that the results depend on, the corpus apart."""
        ...

    def start(self) -> Worker:
        """Load the weights."""
        ...


@dataclass(frozen=True, slots=True)
class Job:
    """All that a worker must know before it gets shards; small and picklable."""

    source: Source
    parts: Parts
    task: Task


class ShardStage:
    """Carries out shards one by one; made once in each process, which then holds the weights."""

    def __init__(self, job: Job, tick: Callable[[int], None] = lambda _: None) -> None:
        self._job = job
        self._tick = tick
        self._worker = job.task.start()

    def __call__(self, shard: Shard) -> ShardReport:
        """Write the shard and its report, unless they are there already."""
        parts = self._job.parts
        done = finished(parts, shard.index)
        if done is not None:
            self._tick(done.documents)
            return done
        path = parts.shard(shard.index)
        with writing(path):
            with replacing(path, temporary=parts.temporary) as file:
                failures = self._worker.write(self._counted(shard), file)
            report = ShardReport(
                shard.index, shard.count, tuple(failures), path.stat().st_size, checksum(path)
            )
        commit(parts, report)
        return report

    def _counted(self, shard: Shard) -> Iterator[Entry]:
        for entry in entries_of(self._job.source, shard):
            yield entry
            trim()
            self._tick(1)


def attempt(entry: Entry, work: Callable[[Article | Analysed], T]) -> T | Failure:
    """Work on one document; whatever is wrong with it must not end a run of millions."""
    if isinstance(entry, Rejected):
        return Failure(entry.id, entry.code, entry.message)
    try:
        return work(entry)
    except DiscobertError as error:
        return Failure(entry_id(entry), "unusable", str(error))
    except MemoryError:
        raise  # the machine is at fault, not the document
    except Exception as error:
        logger.exception("a fault of ours in document %s", entry_id(entry))
        message = f"a fault of ours: {type(error).__name__}: {error}"
        return Failure(entry_id(entry), "fault", message)
