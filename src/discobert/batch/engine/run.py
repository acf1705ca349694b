"""A whole run: plan the shards, resume an earlier run, carry out the rest, publish the output."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from discobert import __version__
from discobert.batch.engine.local import Event, run_local
from discobert.batch.engine.options import DEFAULT_RUN, BatchEngine, RunOptions
from discobert.batch.engine.outputs import ExistingOutput, Output
from discobert.batch.engine.plan import WHOLE_CORPUS, Plan, Shard, Sharding, make_plan
from discobert.batch.engine.ray_engine import run_ray
from discobert.batch.engine.stage import Job, Task
from discobert.batch.engine.work_folder import (
    ShardReport,
    WorkFolder,
    create_folders,
    exclusive_run,
    read_finished,
    read_job,
    remove_work,
    work_folder_of,
)
from discobert.data.codecs.json_text import Json, JsonObject
from discobert.errors import InputError, UsageError
from discobert.runtime.worker_pool import StepsDone
from discobert.store.corpora.sources import Source
from discobert.store.text import printable

MAX_ROUNDS = 3
"""How often a shard that is damaged on disk is written before the run stops."""


class ProgressListener(Protocol):
    """What is called while a run makes progress."""

    def scanned(self, documents: int) -> None:
        """Count documents that were read while the run is planned."""
        ...

    def begun(self, total: int, done: int) -> None:
        """Take the number of documents, and how many of them an earlier run has done."""
        ...

    def advanced(self, documents: int) -> None:
        """Count documents that were done; a negative number if a worker died."""
        ...


class SilentListener:
    """Ignores all progress."""

    def scanned(self, documents: int) -> None:
        """Do nothing."""

    def begun(self, total: int, done: int) -> None:
        """Do nothing."""

    def advanced(self, documents: int) -> None:
        """Do nothing."""


NO_LISTENER = SilentListener()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The numbers of a finished run."""

    documents: int
    failures: int
    seconds: float
    done_before: int
    """Documents that an earlier run had finished."""
    missing: int
    """Documents that a list names and the corpus does not have."""
    damaged: int = 0
    """Finished shards that were not intact on disk, and were done again."""


def run(
    source: Source,
    task: Task,
    output: Output,
    *,
    sharding: Sharding = WHOLE_CORPUS,
    options: RunOptions = DEFAULT_RUN,
    listener: ProgressListener = NO_LISTENER,
) -> Outcome:
    """Carry out a task on a corpus; with ``resume``, finish what an earlier run began."""
    begun = time.monotonic()
    here = _absolute(source)
    work = work_folder_of(output.path.absolute(), task.suffix)
    with exclusive_run(work):
        plan = make_plan(here, sharding, scanned=listener.scanned)
        description = describe_run(source, task, plan, sharding)
        earlier = _complete_output(output, description, options)
        if earlier is not None:
            _remove_leftovers(work, description)
            failures, done_before, damaged = earlier.failures, plan.documents, 0
        else:
            _begin(work, description, options)
            job = Job(here, work, task)
            shards, done_before, damaged = _carry_out(job, plan, options, listener)
            output.publish(work, description, shards.reports)
            failures = sum(len(report.failures) for report in shards.reports)
    seconds = time.monotonic() - begun
    return Outcome(plan.documents, failures, seconds, done_before, plan.missing, damaged)


def _absolute(source: Source) -> Source:
    """Make paths absolute, for workers with other working directories."""
    listing = source.listing and source.listing.absolute()
    return replace(source, path=source.path.absolute(), listing=listing)


def describe_run(source: Source, task: Task, plan: Plan, sharding: Sharding) -> JsonObject:
    """Return a description of all that the results of a run depend on."""
    return {
        "discobert": __version__,
        "source": {
            "kind": source.kind.value,
            "name": source.path.name,
            "fingerprint": plan.fingerprint,
            "documents": plan.documents,
        },
        "shard_size": sharding.shard_size,
        **task.describe(),
    }


def _differences(ours: JsonObject, theirs: JsonObject) -> list[str]:
    """Return the keys in which two descriptions differ, the names of the corpora apart."""
    return [key for key in ours if _content(key, ours) != _content(key, theirs)]


def _content(key: str, description: JsonObject) -> Json:
    value = description.get(key)
    if key == "source" and isinstance(value, dict):
        return {member: value[member] for member in value if member != "name"}
    return value


def _complete_output(
    output: Output, description: JsonObject, options: RunOptions
) -> ExistingOutput | None:
    """Return the output if the same run has completed it; raise an error if another run has."""
    found = output.existing()
    if found is None or options.force:
        return None
    if found.job is None:
        raise UsageError(
            f"{printable(output.path)}: is there already, and no such command has written it; "
            "name another output, or --force replaces it"
        )
    differences = _differences(description, found.job)
    if differences:
        raise UsageError(
            f"{printable(output.path)}: is there already, from another input or other options "
            f"(differs in {', '.join(differences)}); --force replaces it"
        )
    return found if found.intact else None


def _begin(work: WorkFolder, description: JsonObject, options: RunOptions) -> None:
    """Keep unfinished work of the same run if it is to be resumed, or start anew."""
    unfinished = read_job(work)
    same = unfinished is not None and not _differences(description, unfinished)
    if same and options.resume:
        return
    if unfinished is not None and not options.force:
        why = (
            "--resume finishes it"
            if same
            else f"from another input or other options "
            f"(differs in {', '.join(_differences(description, unfinished))})"
        )
        raise UsageError(
            f"{printable(work.folder)}: holds an unfinished run: {why}; --force starts anew"
        )
    remove_work(work)
    create_folders(work, description)


def _remove_leftovers(work: WorkFolder, description: JsonObject) -> None:
    """Remove the work folder of a run that was killed after it published its output."""
    unfinished = read_job(work)
    if unfinished is not None and not _differences(description, unfinished):
        remove_work(work)


@dataclass(frozen=True, slots=True)
class _Shards:
    """Reports of the finished shards, the shards without one, and how many of those are damaged."""

    reports: list[ShardReport]
    unfinished: list[Shard]
    damaged: int


def _check_shards(work: WorkFolder, plan: Plan) -> _Shards:
    """Compare the checksums of all shards that have a report."""
    found = [(shard, read_finished(work, shard.index)) for shard in plan.shards]
    unfinished = [shard for shard, report in found if report is None]
    damaged = sum(work.report(shard.index).exists() for shard in unfinished)
    return _Shards([report for _, report in found if report is not None], unfinished, damaged)


def _carry_out(
    job: Job, plan: Plan, options: RunOptions, listener: ProgressListener
) -> tuple[_Shards, int, int]:
    """Carry out unfinished shards until all are intact on disk.

    Returns the shards, the documents that an earlier run had done, and the number of damaged
    shards that were done again.
    """
    shards = _check_shards(job.work, plan)
    done_before = plan.documents - _documents(shards.unfinished)
    damaged = shards.damaged
    listener.begun(plan.documents, done_before)
    for _ in range(MAX_ROUNDS):
        for event in _events(job, shards.unfinished, options):
            if isinstance(event, StepsDone):
                listener.advanced(event.count)
        shards = _check_shards(job.work, plan)
        if not shards.unfinished:
            return shards, done_before, damaged
        damaged += shards.damaged
        listener.advanced(-_documents(shards.unfinished))
    path = job.work.shard(shards.unfinished[0].index)
    raise InputError(
        f"{printable(path)}: damaged {MAX_ROUNDS} times between writing and reading; check the disk"
    )


def _documents(shards: Sequence[Shard]) -> int:
    return sum(shard.count for shard in shards)


def _events(job: Job, shards: Sequence[Shard], options: RunOptions) -> Iterator[Event]:
    if not shards:
        return iter(())
    if options.engine is BatchEngine.RAY:
        return run_ray(job, shards, jobs=options.jobs, address=options.ray_address)
    return run_local(job, shards, jobs=options.jobs or _processors())


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
