"""Real processes: they share the work, and may die of it."""

import multiprocessing
import os
import signal
import threading
from pathlib import Path

import pytest
from tests.batch.corpus import (
    TASK,
    job_of,
    read_json_lines,
    rows,
    snapshot,
    source_of,
    write_rows,
)
from tests.batch.fragile import FragileTask

from discobert.batch.engine import local
from discobert.batch.engine.errors import Fault
from discobert.batch.engine.local import MAX_ATTEMPTS, Ticks
from discobert.batch.engine.outputs import FileOutput
from discobert.batch.engine.parts import create, finished, parts_of
from discobert.batch.engine.plan import Slice, make_plan
from discobert.batch.engine.run import NoWatcher, RunOptions, run
from discobert.batch.engine.stage import Job
from discobert.errors import BundleError, DiscobertError, InputError

SMALL = Slice(shard_size=3)


class Count(NoWatcher):
    """Counts documents done."""

    def __init__(self) -> None:
        self.documents = 0

    def advanced(self, documents: int) -> None:
        self.documents += documents


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "in.jsonl", rows(10, paragraphs=1))


def test_one_worker_and_two_give_the_same_bytes(data: Path) -> None:
    for jobs in (1, 2):
        (data.parent / str(jobs)).mkdir()
        output = FileOutput(data.parent / str(jobs) / "out.jsonl")
        run(source_of(data), TASK, output, part=SMALL, options=RunOptions(jobs=jobs))
    assert snapshot(data.parent / "1") == snapshot(data.parent / "2")
    assert len(read_json_lines(data.parent / "1" / "out.jsonl")) == 10


def fragile(
    data: Path, *, lives: int = 0, deadly: str = "doc-4", complaint: str = "", jobs: int = 1
) -> list[str]:
    for life in range(lives):
        (data.parent / f"life-{life}").touch()
    count = Count()
    out = data.with_name("out.jsonl")
    run(
        source_of(data),
        FragileTask(data.parent, deadly, complaint),
        FileOutput(out),
        part=SMALL,
        options=RunOptions(jobs=jobs),
        watcher=count,
    )
    assert count.documents == 10
    return out.read_text().splitlines()


def test_the_shard_of_a_worker_that_dies_is_done_by_another(data: Path) -> None:
    found = fragile(data, lives=MAX_ATTEMPTS - 1, jobs=2)
    assert found == [f"doc-{n}" for n in range(10)]


def test_a_shard_that_kills_every_worker_ends_the_run(data: Path) -> None:
    message = rf"died {MAX_ATTEMPTS} times in documents 4 to 6 \(signal 9\); .*--resume"
    with pytest.raises(DiscobertError, match=message):
        fragile(data, lives=99)
    assert not data.with_name("out.jsonl").exists()
    assert data.with_name("out.jsonl.parts").exists()


@pytest.mark.parametrize(("complaint", "kind"), [("start", BundleError), ("work", InputError)])
def test_errors_keep_their_kind(data: Path, complaint: str, kind: type[Exception]) -> None:
    with pytest.raises(kind, match=r"no weights today|cannot go on"):
        fragile(data, complaint=complaint)


def test_a_worker_serves_until_the_line_ends(data: Path) -> None:
    """The same function that processes run, in this one."""
    parts = parts_of(data.with_name("out.jsonl"), ".jsonl")
    create(parts, {})
    job = job_of(data, parts)
    shards = make_plan(job.source, SMALL).shards
    ours, theirs = multiprocessing.Pipe()
    heard: list[object] = []

    def parent() -> None:
        heard.append(ours.recv())
        for shard in shards[:2]:
            ours.send(shard)
            while isinstance(message := ours.recv(), Ticks):
                pass
            heard.append(message)
        ours.close()

    before = signal.getsignal(signal.SIGINT)
    listener = threading.Thread(target=parent)
    listener.start()
    try:
        local.work(theirs, job)
    finally:
        signal.signal(signal.SIGINT, before)
        listener.join()
        theirs.close()
    assert heard == [None, finished(parts, 0), finished(parts, 1)]


def test_a_worker_that_cannot_start_says_why(data: Path) -> None:
    ours, theirs = multiprocessing.Pipe()
    parts = parts_of(data.with_name("out.jsonl"), ".jsonl")
    before = signal.getsignal(signal.SIGINT)
    try:
        local.work(theirs, Job(source_of(data), parts, FragileTask(data, complaint="start")))
    finally:
        signal.signal(signal.SIGINT, before)
    assert ours.recv() == Fault("BundleError", "no weights today")
    ours.close()
    theirs.close()


def test_news_come_now_and_then() -> None:
    ours, theirs = multiprocessing.Pipe()
    times = iter([0.0, 0.1, 0.3, 0.3, 0.4])
    ticker = local.Ticker(theirs, lambda: next(times))
    for _ in range(3):
        ticker.tick(1)
    assert ours.recv() == Ticks(2)
    assert not ours.poll()
    ours.close()
    theirs.close()


def test_the_environment_is_as_it_was(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    fragile(data)
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ
