"""A run from start to end: plan, go on where an earlier run stopped, carry out, publish."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

from discobert import __version__
from discobert.batch.engine.local import Event, run_local
from discobert.batch.engine.lock import only_run
from discobert.batch.engine.outputs import Found, Output
from discobert.batch.engine.parts import (
    Parts,
    ShardReport,
    create,
    finished,
    found_job,
    parts_of,
    remove,
)
from discobert.batch.engine.plan import ALL, Plan, Shard, Slice, make_plan
from discobert.batch.engine.ray_engine import run_ray
from discobert.batch.engine.stage import Job, Task
from discobert.data.json_text import Json, JsonObject
from discobert.errors import InputError, UsageError
from discobert.runtime.worker_pool import Steps
from discobert.store.corpora.sources import Source
from discobert.store.text import printable


class Engine(Enum):
    """Who carries out shards."""

    LOCAL = "local"
    """Processes of this machine."""
    RAY = "ray"
    """A Ray cluster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a run is carried out; nothing here changes its results."""

    engine: Engine = Engine.LOCAL
    jobs: int | None = None
    """Workers; one per processor if not given."""
    ray_address: str | None = None
    resume: bool = False
    force: bool = False

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"jobs must be at least 1, got {self.jobs}")
        if self.ray_address is not None and self.engine is not Engine.RAY:
            raise UsageError("an address of a Ray cluster needs the engine ray")


USUAL = RunOptions()
MAX_ROUNDS = 3
"""How often a shard that is damaged on disk is written before the run stops."""


class Watcher(Protocol):
    """Hears how a run goes."""

    def scanned(self, documents: int) -> None:
        """Hear of documents read while the run is planned."""
        ...

    def begun(self, total: int, done: int) -> None:
        """Hear how much there is to do, and how much of it an earlier run has done."""
        ...

    def advanced(self, documents: int) -> None:
        """Hear of documents done; fewer than none if a worker died."""
        ...


class NoWatcher:
    """Looks away."""

    def scanned(self, documents: int) -> None:
        """Ignore it."""

    def begun(self, total: int, done: int) -> None:
        """Ignore it."""

    def advanced(self, documents: int) -> None:
        """Ignore it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has done."""

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
    part: Slice = ALL,
    options: RunOptions = USUAL,
    watcher: Watcher | None = None,
) -> Outcome:
    """Carry out a task on a corpus; the same call finishes what an earlier one began."""
    watch = watcher or NoWatcher()
    begun = time.monotonic()
    here = _absolute(source)
    parts = parts_of(output.path.absolute(), task.suffix)
    with only_run(parts):
        plan = make_plan(here, part, scanned=watch.scanned)
        description = describe(source, task, plan, part)
        earlier = _earlier(output, description, options)
        if earlier is not None:
            _tidy_up(parts, description)
            failures, done_before, damaged = earlier.failures, plan.documents, 0
        else:
            _begin(parts, description, options)
            job = Job(here, parts, task)
            shards, done_before, damaged = _carry_out(job, plan, options, watch)
            output.publish(parts, description, shards.reports)
            failures = sum(len(report.failures) for report in shards.reports)
    seconds = time.monotonic() - begun
    return Outcome(plan.documents, failures, seconds, done_before, plan.missing, damaged)


def _absolute(source: Source) -> Source:
    """Name files so that workers in other folders find them."""
    listing = source.listing and source.listing.absolute()
    return replace(source, path=source.path.absolute(), listing=listing)


def describe(source: Source, task: Task, plan: Plan, part: Slice) -> JsonObject:
    """Return all that the results of a run depend on."""
    return {
        "discobert": __version__,
        "source": {
            "kind": source.kind.value,
            "name": source.path.name,
            "fingerprint": plan.fingerprint,
            "documents": plan.documents,
        },
        "shard_size": part.shard_size,
        **task.describe(),
    }


def _differences(ours: JsonObject, theirs: JsonObject | None) -> list[str]:
    """Name what two runs do not share; what their corpora are called does not matter."""
    if theirs is None:
        return ["origin unknown"]
    return [key for key in ours if _content(key, ours) != _content(key, theirs)]


def _content(key: str, description: JsonObject) -> Json:
    value = description.get(key)
    if key == "source" and isinstance(value, dict):
        return {member: value[member] for member in value if member != "name"}
    return value


def _earlier(output: Output, description: JsonObject, options: RunOptions) -> Found | None:
    """Return the output of the same run if it is complete; refuse that of another."""
    found = output.found()
    if found is None or options.force:
        return None
    differences = _differences(description, found.job)
    if differences:
        raise UsageError(
            f"{printable(output.path)}: is there already, from another input or other options "
            f"(differs in {', '.join(differences)}); --force replaces it"
        )
    return found if found.whole else None


def _begin(parts: Parts, description: JsonObject, options: RunOptions) -> None:
    """Go on with unfinished work of the same run, or start anew."""
    unfinished = found_job(parts)
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
            f"{printable(parts.folder)}: holds an unfinished run: {why}; --force starts anew"
        )
    remove(parts)
    create(parts, description)


def _tidy_up(parts: Parts, description: JsonObject) -> None:
    """Remove what a run that was killed after its very last step has left."""
    unfinished = found_job(parts)
    if unfinished is not None and not _differences(description, unfinished):
        remove(parts)


@dataclass(frozen=True, slots=True)
class _Shards:
    """Reports of the finished shards, the shards without one, and how many of those are damaged."""

    reports: list[ShardReport]
    unfinished: list[Shard]
    damaged: int


def _check_shards(parts: Parts, plan: Plan) -> _Shards:
    """Compare the checksums of all shards that have a report."""
    found = [(shard, finished(parts, shard.index)) for shard in plan.shards]
    unfinished = [shard for shard, report in found if report is None]
    damaged = sum(parts.report(shard.index).exists() for shard in unfinished)
    return _Shards([report for _, report in found if report is not None], unfinished, damaged)


def _carry_out(
    job: Job, plan: Plan, options: RunOptions, watch: Watcher
) -> tuple[_Shards, int, int]:
    """Carry out unfinished shards until all are intact on disk.

    Returns the shards, the documents that an earlier run had done, and the number of damaged
    shards that were done again.
    """
    shards = _check_shards(job.parts, plan)
    done_before = plan.documents - _documents(shards.unfinished)
    damaged = shards.damaged
    watch.begun(plan.documents, done_before)
    for _ in range(MAX_ROUNDS):
        for event in _events(job, shards.unfinished, options):
            if isinstance(event, Steps):
                watch.advanced(event.count)
        shards = _check_shards(job.parts, plan)
        if not shards.unfinished:
            return shards, done_before, damaged
        damaged += shards.damaged
        watch.advanced(-_documents(shards.unfinished))
    path = job.parts.shard(shards.unfinished[0].index)
    raise InputError(
        f"{printable(path)}: damaged {MAX_ROUNDS} times between writing and reading; check the disk"
    )


def _documents(shards: Sequence[Shard]) -> int:
    return sum(shard.count for shard in shards)


def _events(job: Job, shards: Sequence[Shard], options: RunOptions) -> Iterator[Event]:
    if not shards:
        return iter(())
    if options.engine is Engine.RAY:
        return run_ray(job, shards, jobs=options.jobs, address=options.ray_address)
    return run_local(job, shards, jobs=options.jobs or _processors())


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
