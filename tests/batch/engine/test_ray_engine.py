"""How we talk to Ray, with a stand-in for it; the real one is in test_ray."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.batch.corpus import job_of, rows, source_of, write_rows
from tests.batch.dying_task import DyingTask

from discobert.batch.engine import ray_engine
from discobert.batch.engine.plan import Plan, Sharding, make_plan
from discobert.batch.engine.ray_engine import run_ray
from discobert.batch.engine.stage import Job
from discobert.batch.engine.work_folder import (
    ShardReport,
    WorkFolder,
    create_folders,
    work_folder_of,
)
from discobert.errors import BundleError, DiscobertError, UsageError
from discobert.runtime.worker_pool import StepsDone


class RayError(Exception):
    """As Ray's own."""


class Dataset:
    """Maps in this process."""

    def __init__(self, rows: Iterator[dict[str, Any]]) -> None:
        self._rows = rows

    def map(
        self, stage: Callable[..., Any], *, fn_constructor_args: tuple[Any], **_: object
    ) -> "Dataset":
        work = stage(*fn_constructor_args)
        return Dataset(work(row) for row in self._rows)

    def iter_rows(self) -> Iterator[dict[str, Any]]:
        return self._rows


class FakeRay:
    """What we use of Ray."""

    def __init__(self) -> None:
        self.settings: dict[str, object] = {}
        self.folder: Path | None = None
        self.is_up = False
        self.exceptions = SimpleNamespace(RayError=RayError)
        self.data = SimpleNamespace(
            DataContext=SimpleNamespace(get_current=SimpleNamespace),
            ActorPoolStrategy=lambda size: size,
            from_items=lambda items, override_num_blocks: Dataset(iter(items)),
        )

    def init(self, **settings: object) -> None:
        if settings["address"] == "nowhere":
            raise ConnectionError("nobody there")
        self.settings, self.is_up, self.folder = settings, True, Path.cwd()

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0}

    def shutdown(self) -> None:
        self.is_up = False


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay()
    monkeypatch.setattr(ray_engine, "import_module", lambda _: fake)
    return fake


@pytest.fixture
def work(tmp_path: Path) -> WorkFolder:
    made = work_folder_of(tmp_path / "out.jsonl", ".jsonl")
    create_folders(made, {})
    return made


def planned(path: Path, work: WorkFolder) -> tuple[Job, Plan]:
    job = job_of(write_rows(path / "in.jsonl", rows(5, paragraphs=1)), work)
    return job, make_plan(job.source, Sharding(shard_size=2))


def test_every_shard_is_reported(tmp_path: Path, work: WorkFolder, ray: FakeRay) -> None:
    job, plan = planned(tmp_path, work)
    events = list(run_ray(job, plan.shards, jobs=None, address="auto"))
    assert [event.index for event in events if isinstance(event, ShardReport)] == [0, 1, 2]
    assert sum(event.count for event in events if isinstance(event, StepsDone)) == 5
    assert ray.settings["address"] == "auto"
    assert not ray.is_up


def test_without_an_address_a_ray_is_started_here(
    tmp_path: Path, work: WorkFolder, ray: FakeRay
) -> None:
    job, plan = planned(tmp_path, work)
    list(run_ray(job, plan.shards, jobs=2, address=None))
    assert ray.settings["address"] == "local"
    assert ray.settings["num_cpus"] == 2


def test_workers_are_not_told_to_search_the_working_directory(
    tmp_path: Path, work: WorkFolder, ray: FakeRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "downloads"
    here.mkdir()
    monkeypatch.chdir(here)
    job, plan = planned(tmp_path, work)
    list(run_ray(job, plan.shards, jobs=2, address=None))
    assert ray.folder is not None  # which Ray puts on the path of its workers
    assert ray.folder != here
    assert list(ray.folder.glob("**/*.py")) == []
    assert Path.cwd() == here


def test_a_cluster_that_is_not_there_is_wrong_usage(
    tmp_path: Path, work: WorkFolder, ray: FakeRay
) -> None:
    job, plan = planned(tmp_path, work)
    with pytest.raises(UsageError, match="no Ray cluster at nowhere: nobody there"):
        list(run_ray(job, plan.shards, jobs=2, address="nowhere"))


def test_errors_of_workers_keep_their_kind(tmp_path: Path, work: WorkFolder, ray: FakeRay) -> None:
    job, plan = planned(tmp_path, work)
    broken = Job(source_of(job.source.path), work, DyingTask(tmp_path, error_at="start"))
    with pytest.raises(BundleError, match="no weights today"):
        list(run_ray(broken, plan.shards, jobs=2, address=None))
    assert not ray.is_up


def test_a_document_that_kills_its_worker_becomes_an_error_record(
    tmp_path: Path, work: WorkFolder, ray: FakeRay
) -> None:
    job, plan = planned(tmp_path, work)
    for number in range(9):
        (tmp_path / f"death-{number}").touch()
    deadly = Job(source_of(job.source.path), work, DyingTask(tmp_path, ("doc-1",)))
    work.begun(0).touch()  # by a worker that died, as Ray hands the shard out again
    events = list(run_ray(deadly, plan.shards, jobs=1, address=None))
    reports = [event for event in events if isinstance(event, ShardReport)]
    codes = [[failure.code for failure in report.failures] for report in reports]
    assert codes == [["worker-died"], [], []]
    assert work.shard(0).read_text() == "doc-0\ndoc-1\n"


def test_a_ray_that_gives_up_leaves_the_shards(
    tmp_path: Path, work: WorkFolder, ray: FakeRay
) -> None:
    job, plan = planned(tmp_path, work)

    def lost() -> Iterator[dict[str, Any]]:
        yield from ()
        raise RayError("the cluster is gone\nand more")

    ray.data.from_items = lambda items, override_num_blocks: Dataset(lost())
    with pytest.raises(DiscobertError, match="Ray gave up: RayError: the cluster is gone; all"):
        list(run_ray(job, plan.shards, jobs=2, address=None))
