"""An engine in the process of the test, which can be stopped after any shard."""

from collections.abc import Iterator, Sequence

import pytest

from discobert.batch.engine import run as run_module
from discobert.batch.engine.local import Event
from discobert.batch.engine.plan import Shard
from discobert.batch.engine.stage import Job, ShardStage
from discobert.cli import app
from discobert.runtime.worker_pool import StepsDone


class Stopped(Exception):
    """Raised in place of a kill of the run."""


class InProcessEngine:
    """Carries out shards, as many as it is allowed to."""

    def __init__(self) -> None:
        self.allowed = 1000
        self.done: list[int] = []

    def __call__(self, job: Job, shards: Sequence[Shard], *, jobs: int) -> Iterator[Event]:
        stage = ShardStage(job)
        for shard in shards:
            if not self.allowed:
                raise Stopped
            self.allowed -= 1
            self.done.append(shard.index)
            yield StepsDone(shard.count)
            yield stage(shard)


def run_in_process(arguments: Sequence[str]) -> None:
    """Carry out a command without any other process."""
    with pytest.MonkeyPatch.context() as here:
        here.setattr(run_module, "run_local", InProcessEngine())
        assert app.run([*arguments, "--quiet"]) == 0
