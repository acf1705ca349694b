"""Shards on worker processes of this machine.

A shard whose worker died is done again, with a report after each document. A document in which
workers die repeatedly becomes an error record, and the run goes on.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from discobert.batch.engine.plan import Shard
from discobert.batch.engine.stage import Job, ShardStage
from discobert.batch.engine.work_folder import ShardReport
from discobert.errors import DiscobertError
from discobert.runtime.worker_pool import Finished, LostTask, ReportSteps, StepsDone, WorkerPool

MAX_DEATHS = 2
"""How many workers may die in a document before it is given up, one of unknown place apart."""
MAX_NEIGHBOURS = 3
"""So many documents in a row that all kill their workers: the machine is at fault, not they."""

Event = StepsDone | ShardReport
"""What an engine yields: numbers of documents done, and the reports of finished shards."""


def run_local(job: Job, shards: Sequence[Shard], *, jobs: int) -> Iterator[Event]:
    """Carry out shards on up to ``jobs`` processes."""
    pool = WorkerPool[Shard, ShardReport](
        partial(_start_stage, job), shards, jobs=min(jobs, len(shards))
    )
    deaths = _Deaths()
    for event in pool.run():
        if isinstance(event, StepsDone):
            yield event
        elif isinstance(event, Finished):
            yield event.result
        else:
            pool.retry(deaths.next_attempt(event))


def _start_stage(job: Job, report: ReportSteps) -> ShardStage:
    return ShardStage(job, report)


class _Deaths:
    """Counts the workers that died in each shard, and in each of its documents."""

    def __init__(self) -> None:
        self._in_shard: Counter[int] = Counter()
        self._at: Counter[tuple[int, int]] = Counter()

    def next_attempt(self, died: LostTask[Shard]) -> Shard:
        """Return the shard to be done again, without a document that killed too many workers."""
        shard, place = died.task, died.steps
        self._in_shard[shard.index] += 1
        if self._in_shard[shard.index] == 1:  # steps are not reported one by one: place unknown
            return shard
        self._at[shard.index, place] += 1
        if self._at[shard.index, place] < MAX_DEATHS:
            return shard
        fatal = {*shard.fatal, place}
        neighbours = set(range(place - MAX_NEIGHBOURS + 1, place + 1))
        if place in shard.fatal or place >= shard.count or neighbours <= fatal:
            raise DiscobertError(
                f"{self._in_shard[shard.index]} workers died in documents {shard.first + 1} to "
                f"{shard.first + shard.count} ({died.cause}); "
                "all finished shards are kept: --resume goes on from there"
            )
        return replace(shard, fatal=tuple(sorted(fatal)))
