"""The function that every engine runs on a shard: it writes the file and report of the shard."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol, TypeVar

from discobert.batch.engine.plan import Shard, entries_of
from discobert.batch.engine.work_folder import (
    FailedDocument,
    ShardReport,
    WorkFolder,
    read_finished,
    write_shard_report,
    writing,
)
from discobert.data.codecs.json_text import JsonObject
from discobert.errors import DiscobertError, OutOfMemory
from discobert.runtime.memory import trim
from discobert.runtime.worker_pool import ReportSteps
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Analysed, Entry, Rejected, entry_id
from discobert.store.corpora.sources import Source
from discobert.store.files import checksum, replacing

logger = logging.getLogger(__name__)

T = TypeVar("T")


class LoadedTask(Protocol):
    """A task with its weights in memory, in the process that uses them."""

    def write(self, entries: Iterator[Entry], file: BinaryIO) -> list[FailedDocument]:
        """Write the results of a shard to the file; return the documents without one."""
        ...


class Task(Protocol):
    """What to do with a corpus; plain values, which can be sent to other machines."""

    @property
    def suffix(self) -> str:
        """The suffix of the names of shards."""
        ...

    def describe(self) -> JsonObject:
        """Return a description of all that the results depend on, the corpus apart."""
        ...

    def load(self) -> LoadedTask:
        """Load the weights."""
        ...


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker needs before it gets shards; small and picklable."""

    source: Source
    work: WorkFolder
    task: Task


class ShardStage:
    """Carries out shards one by one; made once in each worker process, where it loads the task."""

    def __init__(self, job: Job, report: ReportSteps = lambda _: None) -> None:
        self._job = job
        self._report = report
        self._loaded = job.task.load()

    def __call__(self, shard: Shard) -> ShardReport:
        """Write the shard and its report, unless they exist; return the report."""
        work = self._job.work
        done = read_finished(work, shard.index)
        if done is not None:
            self._report(done.documents)
            return done
        path = work.shard(shard.index)
        with writing(path):
            with replacing(path, temporary=work.temporary) as file:
                failures = self._loaded.write(self._counted(shard), file)
            report = ShardReport(
                shard.index, shard.count, tuple(failures), path.stat().st_size, checksum(path)
            )
        write_shard_report(work, report)
        return report

    def _counted(self, shard: Shard) -> Iterator[Entry]:
        for entry in entries_of(self._job.source, shard):
            yield entry
            trim()
            self._report(1)


def attempt(entry: Entry, work: Callable[[Article | Analysed], T]) -> T | FailedDocument:
    """Process one document; an error in it becomes a failure and does not end the run."""
    if isinstance(entry, Rejected):
        return FailedDocument(entry.id, entry.code, entry.message)
    try:
        return work(entry)
    except (OutOfMemory, MemoryError):
        message = "not enough memory for this text; split it, or use fewer --jobs"
        return FailedDocument(entry_id(entry), "out-of-memory", message)
    except DiscobertError as error:
        return FailedDocument(entry_id(entry), "unusable", str(error))
    except Exception as error:
        logger.exception("a fault of ours in document %s", entry_id(entry))
        message = f"a fault of ours: {type(error).__name__}: {error}"
        return FailedDocument(entry_id(entry), "fault", message)
