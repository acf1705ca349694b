"""One shard: its file, its report, and documents that cannot be used."""

import errno
import os
from pathlib import Path

import pytest
from tests.batch.corpus import job_of, read_json_lines, rows, write_rows

from discobert.batch.engine.plan import Plan, make_plan
from discobert.batch.engine.stage import ShardStage, attempt
from discobert.batch.engine.work_folder import (
    FailedDocument,
    WorkFolder,
    create_folders,
    read_finished,
    work_folder_of,
)
from discobert.errors import InputError, UsageError
from discobert.runtime.network_errors import translated
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Analysed, Rejected

ARTICLE = Article("a", "", "It rains.", ())


@pytest.fixture
def work(tmp_path: Path) -> WorkFolder:
    made = work_folder_of(tmp_path / "out.jsonl", ".jsonl")
    create_folders(made, {"job": "test"})
    return made


def plan_and_stage(path: Path, work: WorkFolder, lines: list[str]) -> tuple[Plan, ShardStage]:
    job = job_of(write_rows(path / "x.jsonl", lines), work)
    return make_plan(job.source), ShardStage(job)


LINES = [
    '{"id": "good", "text": "The ferry sank because the storm came."}',
    "{broken",
    '{"id": "empty", "text": ""}',
    '{"id": "silent", "text": "?!"}',
    '{"id": "fieldless"}',
]


def test_every_document_gives_a_line_in_its_order(tmp_path: Path, work: WorkFolder) -> None:
    plan, stage = plan_and_stage(tmp_path, work, LINES)
    report = stage(plan.shards[0])
    found = read_json_lines(work.shard(0))
    assert [line["id"] for line in found] == ["good", "2", "empty", "silent", "fieldless"]
    assert "sentences" in found[0]
    codes = [(failure.id, failure.code) for failure in report.failures]
    assert codes == [
        ("2", "malformed-json"),
        ("empty", "empty-text"),
        ("silent", "unusable"),
        ("fieldless", "missing-field"),
    ]
    assert found[2]["error"] == {"code": "empty-text", "message": "the text is empty"}
    assert report.documents == 5
    assert read_finished(work, 0) == report


def test_a_finished_shard_is_not_done_again(tmp_path: Path, work: WorkFolder) -> None:
    plan, stage = plan_and_stage(tmp_path, work, LINES)
    first = stage(plan.shards[0])
    before = work.shard(0).stat().st_mtime_ns
    assert stage(plan.shards[0]) == first
    assert work.shard(0).stat().st_mtime_ns == before


@pytest.mark.parametrize("damage", ["torn", "gone", "no report", "broken report"])
def test_half_a_shard_is_done_again(tmp_path: Path, work: WorkFolder, damage: str) -> None:
    plan, stage = plan_and_stage(tmp_path, work, LINES)
    first = stage(plan.shards[0])
    content = work.shard(0).read_bytes()
    if damage == "torn":
        work.shard(0).write_bytes(content[:-9])
    elif damage == "gone":
        work.shard(0).unlink()
    elif damage == "no report":
        work.report(0).unlink()
    else:
        work.report(0).write_text("{")
    assert read_finished(work, 0) is None
    assert stage(plan.shards[0]) == first
    assert work.shard(0).read_bytes() == content


def test_a_full_disk_leaves_no_half_file(
    tmp_path: Path, work: WorkFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, stage = plan_and_stage(tmp_path, work, LINES)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="No space left on device; --resume goes on from here"):
        stage(plan.shards[0])
    assert list(work.shards.iterdir()) == list(work.temporary.iterdir()) == []


def test_a_corpus_that_changed_gives_no_shard(tmp_path: Path, work: WorkFolder) -> None:
    plan, stage = plan_and_stage(tmp_path, work, LINES)
    write_rows(tmp_path / "x.jsonl", rows(5))
    with pytest.raises(InputError, match="changed since the run began"):
        stage(plan.shards[0])
    assert list(work.shards.iterdir()) == []


def test_a_fault_in_one_document_is_its_own(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: Article | Analysed) -> str:
        raise ZeroDivisionError("oops")

    failure = attempt(ARTICLE, broken)
    assert failure == FailedDocument("a", "fault", "a fault of ours: ZeroDivisionError: oops")
    assert "document a" in caplog.text


@pytest.mark.parametrize("error", [MemoryError(), translated(MemoryError(), "a")])
def test_a_document_that_needs_too_much_memory_becomes_an_error_record(error: Exception) -> None:
    def greedy(_: Article | Analysed) -> str:
        raise error

    failure = attempt(ARTICLE, greedy)
    message = "not enough memory for this text; split it, or use fewer --jobs"
    assert failure == FailedDocument("a", "out-of-memory", message)


def test_rejected_entries_are_not_worked_on() -> None:
    def never(_: Article | Analysed) -> str:
        raise AssertionError

    assert attempt(Rejected("a", "c", "m"), never) == FailedDocument("a", "c", "m")


def test_memory_is_given_back_after_every_document(
    tmp_path: Path, work: WorkFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_back: list[None] = []
    monkeypatch.setattr("discobert.batch.engine.stage.trim", lambda: given_back.append(None))
    plan, stage = plan_and_stage(tmp_path, work, LINES)
    stage(plan.shards[0])
    assert len(given_back) == len(LINES)
