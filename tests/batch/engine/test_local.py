"""Shards on worker processes, and documents in which these die."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.batch.corpus import (
    TASK,
    read_json_lines,
    rows,
    snapshot,
    source_of,
    write_rows,
)
from tests.batch.dying_task import DyingTask

from discobert.batch.engine.local import MAX_DEATHS
from discobert.batch.engine.options import RunOptions
from discobert.batch.engine.outputs import FileOutput
from discobert.batch.engine.plan import Sharding, entries_of, make_plan
from discobert.batch.engine.run import Outcome, SilentListener, run
from discobert.errors import BundleError, DiscobertError, InputError
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Rejected

SMALL = Sharding(shard_size=3)


class Count(SilentListener):
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
        run(source_of(data), TASK, output, sharding=SMALL, options=RunOptions(jobs=jobs))
    assert snapshot(data.parent / "1") == snapshot(data.parent / "2")
    assert len(read_json_lines(data.parent / "1" / "out.jsonl")) == 10


def run_dying(
    data: Path,
    *,
    deaths: int = 0,
    deadly: tuple[str, ...] = ("doc-4",),
    error_at: str = "",
    jobs: int = 1,
) -> tuple[list[str], Outcome]:
    for number in range(deaths):
        (data.parent / f"death-{number}").touch()
    count = Count()
    out = data.with_name("out.jsonl")
    outcome = run(
        source_of(data),
        DyingTask(data.parent, deadly, error_at),
        FileOutput(out),
        sharding=SMALL,
        options=RunOptions(jobs=jobs),
        listener=count,
    )
    assert count.documents == 10
    return out.read_text().splitlines(), outcome


IDS = [f"doc-{n}" for n in range(10)]


def test_the_shard_of_a_worker_that_dies_is_done_by_another(data: Path) -> None:
    found, outcome = run_dying(data, deaths=MAX_DEATHS, jobs=2)
    assert found == IDS
    assert outcome.failures == 0


def test_documents_that_kill_their_workers_become_errors(data: Path) -> None:
    found, outcome = run_dying(data, deaths=99, deadly=("doc-1", "doc-3", "doc-5"))
    assert found == IDS
    assert outcome.failures == 3


def test_a_document_that_kills_its_worker_gives_an_error_record(data: Path) -> None:
    shard = make_plan(source_of(data), SMALL).shards[1]
    entries = list(entries_of(source_of(data), replace(shard, fatal=(1,))))
    assert [type(entry) for entry in entries] == [Article, Rejected, Article]
    message = "worker processes died while they worked on this document"
    assert entries[1] == Rejected("doc-4", "worker-died", message)


def test_several_documents_in_a_row_that_kill_their_workers_end_the_run(data: Path) -> None:
    message = r"7 workers died in documents 4 to 6 \(signal 9.*--jobs\); .*--resume"
    with pytest.raises(DiscobertError, match=message):
        run_dying(data, deaths=99, deadly=("doc-3", "doc-4", "doc-5"))
    assert not data.with_name("out.jsonl").exists()
    assert data.with_name("out.jsonl.parts").exists()


@pytest.mark.parametrize(("error_at", "kind"), [("start", BundleError), ("work", InputError)])
def test_errors_keep_their_kind(data: Path, error_at: str, kind: type[Exception]) -> None:
    with pytest.raises(kind, match=r"no weights today|cannot go on"):
        run_dying(data, error_at=error_at)
