"""Shards on Ray: Ray Data maps the stage over them, on one machine or a cluster.

Ray keeps neither order nor finished work; the work folder ``OUT.parts`` does. All machines must
reach it under the same path, and the corpus too.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import chdir
from importlib import import_module
from typing import Any

from discobert.batch.engine.local import Event, run_local
from discobert.batch.engine.plan import Shard, decode_shard, encode_shard
from discobert.batch.engine.stage import Job, ShardStage
from discobert.batch.engine.work_folder import (
    ShardReport,
    decode_report,
    encode_report,
    writing,
)
from discobert.data.codecs.json_text import dumps
from discobert.errors import DiscobertError, MissingExtra, UsageError
from discobert.runtime.worker_errors import WorkerError, raise_error, worker_error
from discobert.runtime.worker_pool import StepsDone
from discobert.store.bundle import SHIPPED

_BLOCKS_A_WORKER = 16
_NEW = "local"


def run_ray(
    job: Job, shards: Sequence[Shard], *, jobs: int | None, address: str | None
) -> Iterator[Event]:
    """Carry out shards on the workers of a Ray cluster, or of one started here for the run."""
    ray = _ray()
    _connect(ray, jobs, address)
    try:
        workers = jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
        for report in _reports(ray, job, shards, min(workers, len(shards))):
            yield StepsDone(report.documents)
            yield report
    finally:
        ray.shutdown()


def _ray() -> Any:  # noqa: ANN401 - Ray's types do not survive our strictness
    # No usage statistics are sent, and nothing but our own lines is printed.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    try:
        ray = import_module("ray")
        import_module("ray.data")
    except ImportError as error:
        raise MissingExtra("ray", "batch") from error
    return ray


def _connect(ray: Any, jobs: int | None, address: str | None) -> None:  # noqa: ANN401 - as above
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address is None:
        settings |= {"num_cpus": jobs, "include_dashboard": False}
    try:
        # Ray lets its workers search the working directory first, whatever modules lie there. So
        # it gets to know another one, of our own and without any; all paths of jobs are absolute.
        with chdir(SHIPPED):
            ray.init(address=address or _NEW, **settings)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(f"no Ray cluster at {address or 'this machine'}: {error}") from error
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)


def _reports(
    ray: Any,  # noqa: ANN401 - as above
    job: Job,
    shards: Sequence[Shard],
    workers: int,
) -> Iterator[ShardReport]:
    blocks = min(len(shards), workers * _BLOCKS_A_WORKER)
    items = [{"shard": encode_shard(shard)} for shard in shards]
    rows = ray.data.from_items(items, override_num_blocks=blocks)
    pool = ray.data.ActorPoolStrategy(size=workers)
    done = rows.map(RayStage, fn_constructor_args=(job,), compute=pool, num_cpus=1)
    try:
        for row in done.iter_rows():
            if row["fault"]:
                raise_error(WorkerError(row["kind"], row["fault"]))
            yield decode_report(row["report"], name="a worker's report")
    except ray.exceptions.RayError as error:
        raise DiscobertError(
            f"Ray gave up: {type(error).__name__}: {str(error).splitlines()[0]}; "
            "all finished shards are kept: --resume goes on from there"
        ) from error


class RayStage:
    """The stage as Ray Data calls it: a row with a shard in, a row with a report out.

    Ray starts a worker that died anew and hands it the same shard again, for ever. So a shard that
    was begun before and has no report is done by a process of its own, as on one machine: a
    document in which that dies repeatedly becomes an error record.
    """

    def __init__(self, job: Job) -> None:
        # Ray itself bounds the threads of a worker by the processors it was given: one.
        self._job = job
        self._stage: ShardStage | None = None

    def __call__(self, row: dict[str, Any]) -> dict[str, str]:
        """Carry out a shard; an error that must end the run travels as a row."""
        try:
            report = self._carry_out(decode_shard(row["shard"]))
        except DiscobertError as error:
            fault = worker_error(error)
            return {"report": "", "kind": fault.kind, "fault": fault.message}
        return {"report": dumps(encode_report(report)), "kind": "", "fault": ""}

    def _carry_out(self, shard: Shard) -> ShardReport:
        work = self._job.work
        begun = work.begun(shard.index)
        with writing(begun):
            is_second = begun.exists()
            begun.touch()
        if is_second:
            return next(
                event
                for event in run_local(self._job, [shard], jobs=1)
                if isinstance(event, ShardReport)
            )
        self._stage = self._stage or ShardStage(self._job)
        return self._stage(shard)
