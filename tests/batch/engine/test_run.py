"""Whole runs: planned, carried out, resumed, refused, published."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.batch.corpus import TASK, read_json_lines, rows, snapshot, source_of, write_rows
from tests.batch.in_process_engine import InProcessEngine, Stopped

from discobert.batch.engine import run as run_module
from discobert.batch.engine.local import Event
from discobert.batch.engine.options import RunOptions
from discobert.batch.engine.outputs import FileOutput, FolderOutput
from discobert.batch.engine.plan import Shard, Sharding
from discobert.batch.engine.run import Outcome, SilentListener, run
from discobert.batch.engine.stage import Job
from discobert.batch.engine.work_folder import create_folders, exclusive_run, work_folder_of
from discobert.batch.tasks.prepare import PrepareTask
from discobert.data.codecs.json_text import JsonObject
from discobert.errors import InputError, UsageError
from discobert.selection.request import SummaryRequest
from discobert.store.prepared.manifest import open_prepared

SMALL = Sharding(shard_size=2)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> InProcessEngine:
    made = InProcessEngine()
    monkeypatch.setattr(run_module, "run_local", made)
    return made


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "in.jsonl", rows(9, paragraphs=1))


def summarise(
    data: Path, *, resume: bool = False, force: bool = False, words: int = 12, name: str = "out"
) -> Outcome:
    return run(
        source_of(data),
        replace(TASK, request=SummaryRequest.of(words=words)),
        FileOutput(data.with_name(f"{name}.jsonl")),
        sharding=SMALL,
        options=RunOptions(resume=resume, force=force, jobs=1),
    )


def prepare(data: Path, *, resume: bool = False, force: bool = False, beam: int = 1) -> Outcome:
    pytest.importorskip("pyarrow")
    task = PrepareTask(model="rules")
    task = replace(task, oracle=replace(task.oracle, beam=beam))
    return run(
        source_of(data, reference=True),
        task,
        FolderOutput(data.with_name("out")),
        sharding=SMALL,
        options=RunOptions(resume=resume, force=force, jobs=1),
    )


def test_lines_come_in_the_order_of_the_input(data: Path, engine: InProcessEngine) -> None:
    outcome = summarise(data)
    lines = read_json_lines(data.with_name("out.jsonl"))
    assert [line["id"] for line in lines] == [f"doc-{n}" for n in range(9)]
    assert (outcome.documents, outcome.failures, outcome.done_before) == (9, 0, 0)
    assert not data.with_name("out.jsonl.parts").exists()


def test_a_run_goes_on_where_it_was_stopped(data: Path, engine: InProcessEngine) -> None:
    summarise(data, name="undisturbed")
    engine.done.clear()
    engine.allowed = 2
    with pytest.raises(Stopped):
        summarise(data)
    assert not data.with_name("out.jsonl").exists()
    engine.allowed = 1000
    outcome = summarise(data, resume=True)
    assert engine.done == [0, 1, 2, 3, 4]
    assert outcome.done_before == 4
    for name in ("", ".manifest.json"):
        pair = [data.with_name(f"{which}.jsonl{name}") for which in ("undisturbed", "out")]
        assert pair[0].read_bytes() == pair[1].read_bytes()


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def test_a_damaged_shard_is_done_again_on_resume(data: Path, engine: InProcessEngine) -> None:
    summarise(data, name="undisturbed")
    engine.allowed = 3
    with pytest.raises(Stopped):
        summarise(data)
    flip_a_bit(work_folder_of(data.with_name("out.jsonl"), ".jsonl").shard(1))
    engine.allowed = 1000
    engine.done.clear()
    outcome = summarise(data, resume=True)
    assert engine.done == [1, 3, 4]
    assert (outcome.damaged, outcome.done_before) == (1, 4)
    whole = data.with_name("undisturbed.jsonl").read_bytes()
    assert data.with_name("out.jsonl").read_bytes() == whole


class DamagingEngine(InProcessEngine):
    """Damages the first shard once the last one is done, as often as told."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def __call__(self, job: Job, shards: Sequence[Shard], *, jobs: int) -> Iterator[Event]:
        yield from super().__call__(job, shards, jobs=jobs)
        if self.times:
            self.times -= 1
            flip_a_bit(job.work.shard(0))


def test_a_shard_damaged_before_it_is_published_is_done_again(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "run_local", InProcessEngine())
    summarise(data, name="undisturbed")
    engine = DamagingEngine(times=1)
    monkeypatch.setattr(run_module, "run_local", engine)
    assert summarise(data).damaged == 1
    assert engine.done == [0, 1, 2, 3, 4, 0]
    whole = data.with_name("undisturbed.jsonl").read_bytes()
    assert data.with_name("out.jsonl").read_bytes() == whole


def test_a_disk_that_damages_every_shard_ends_the_run(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "run_local", DamagingEngine(times=99))
    with pytest.raises(InputError, match=r"part-000000\.jsonl: damaged 3 times .* check the disk"):
        summarise(data)
    assert not data.with_name("out.jsonl").exists()


def test_a_damaged_output_is_made_again(data: Path, engine: InProcessEngine) -> None:
    summarise(data)
    out = data.with_name("out.jsonl")
    whole = out.read_bytes()
    flip_a_bit(out)
    assert summarise(data).done_before == 0
    assert out.read_bytes() == whole


def test_resuming_nothing_starts_anew(data: Path, engine: InProcessEngine) -> None:
    assert summarise(data, resume=True).done_before == 0


def test_unfinished_work_is_not_lost_by_accident(data: Path, engine: InProcessEngine) -> None:
    engine.allowed = 1
    with pytest.raises(Stopped):
        summarise(data)
    engine.allowed = 1000
    with pytest.raises(UsageError, match="unfinished run: --resume finishes it; --force starts"):
        summarise(data)
    with pytest.raises(UsageError, match=r"unfinished run: from another .*differs in request"):
        summarise(data, resume=True, words=30)
    assert summarise(data, resume=True).done_before == 2


def test_force_starts_anew(data: Path, engine: InProcessEngine) -> None:
    engine.allowed = 1
    with pytest.raises(Stopped):
        summarise(data)
    engine.allowed = 1000
    assert summarise(data, force=True).done_before == 0
    assert summarise(data, force=True, words=30).done_before == 0


def test_a_complete_output_is_left_alone(data: Path, engine: InProcessEngine) -> None:
    summarise(data)
    engine.done.clear()
    assert summarise(data).done_before == 9
    assert summarise(data, resume=True).done_before == 9
    assert engine.done == []


def test_an_output_of_another_input_is_refused(data: Path, engine: InProcessEngine) -> None:
    summarise(data)
    write_rows(data, rows(8, paragraphs=1))
    for resume in (False, True):
        with pytest.raises(UsageError, match=r"another input .*differs in source\); --force"):
            summarise(data, resume=resume)
    assert summarise(data, force=True).documents == 8


def test_the_name_of_the_input_does_not_matter(data: Path, engine: InProcessEngine) -> None:
    summarise(data)
    moved = data.rename(data.with_name("moved.jsonl"))
    assert summarise(moved).done_before == 9


def test_a_foreign_file_is_refused(data: Path, engine: InProcessEngine) -> None:
    out = data.with_name("out.jsonl")
    out.write_text("mine")
    with pytest.raises(
        UsageError, match="no such command has written it; name another output, or --force"
    ):
        summarise(data)
    out.with_name("out.jsonl.manifest.json").write_text("{}")
    with pytest.raises(
        UsageError, match="no such command has written it; name another output, or --force"
    ):
        summarise(data)
    assert out.read_text() == "mine"
    summarise(data, force=True)
    assert out.read_text() != "mine"


def test_a_torn_output_is_made_again(data: Path, engine: InProcessEngine) -> None:
    summarise(data)
    out = data.with_name("out.jsonl")
    whole = out.read_bytes()
    out.write_bytes(whole[:-5])
    assert summarise(data).done_before == 0
    assert out.read_bytes() == whole


def test_a_folder_in_the_place_of_a_file_is_refused(data: Path, engine: InProcessEngine) -> None:
    data.with_name("out.jsonl").mkdir()
    with pytest.raises(UsageError, match="is a directory; name a file"):
        summarise(data)


def test_an_output_that_cannot_be_written_is_told_before_any_work(
    data: Path, engine: InProcessEngine
) -> None:
    output = FileOutput(data / "below" / "a-file.jsonl")
    with pytest.raises(UsageError, match="cannot be written: Not a directory"):
        run(source_of(data), TASK, output)
    assert engine.done == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_no_permission_is_told_before_any_work(data: Path, engine: InProcessEngine) -> None:
    data.parent.chmod(0o500)
    try:
        with pytest.raises(UsageError, match="Permission denied"):
            summarise(data)
    finally:
        data.parent.chmod(0o700)


def test_an_input_without_documents_leaves_nothing_behind(
    data: Path, engine: InProcessEngine
) -> None:
    data.write_text("\n")
    with pytest.raises(InputError, match="no documents"):
        summarise(data)
    assert [path.name for path in data.parent.iterdir()] == ["in.jsonl"]


def test_two_runs_do_not_share_an_output(data: Path, engine: InProcessEngine) -> None:
    pytest.importorskip("fcntl")
    work = work_folder_of(data.with_name("out.jsonl"), ".jsonl")
    with exclusive_run(work):
        for _ in range(2):  # the refused run must leave the lock in place
            with pytest.raises(UsageError, match="another run is at work"):
                summarise(data)


def test_prepared_shards_appear_together(data: Path, engine: InProcessEngine) -> None:
    made = rows(9, paragraphs=1)
    made[4]["article"] = []
    write_rows(data, made)
    outcome = prepare(data)
    out = data.with_name("out")
    corpus = open_prepared(out)
    corpus.verify()
    assert outcome.failures == 1
    assert corpus.documents == 8
    assert [shard.documents for shard in corpus.shards] == [2, 2, 1, 2, 1]
    assert [doc.article.id for doc in corpus.read()] == [f"doc-{n}" for n in range(9) if n != 4]
    (error,) = read_json_lines(out / "errors.jsonl")
    assert error == {"id": "doc-4", "error": {"code": "empty-text", "message": "the text is empty"}}
    assert prepare(data).failures == 1  # remembered


def test_a_stopped_preparation_ends_byte_for_byte_the_same(
    data: Path, engine: InProcessEngine
) -> None:
    prepare(data)
    out = data.with_name("out")
    whole = snapshot(out)
    out.rename(data.with_name("undisturbed"))
    for allowed in (2, 0, 1, 1000):
        engine.allowed = allowed
        try:
            prepare(data, resume=True)
        except Stopped:
            assert not out.exists()
    assert snapshot(out) == whole
    assert not data.with_name("out.parts").exists()


def test_a_prepared_corpus_is_replaced_only_by_force(data: Path, engine: InProcessEngine) -> None:
    prepare(data)
    before = snapshot(data.with_name("out"))
    with pytest.raises(UsageError, match="differs in oracle"):
        prepare(data, beam=3)
    prepare(data, beam=3, force=True)
    assert snapshot(data.with_name("out")) != before
    assert not data.with_name("out.parts").exists()


@pytest.mark.parametrize("force", [False, True])
def test_a_foreign_folder_is_never_replaced(
    data: Path, engine: InProcessEngine, force: bool
) -> None:
    out = data.with_name("out")
    out.mkdir()
    (out / "letter.txt").write_text("mine")
    with pytest.raises(UsageError, match="no prepared corpus; remove it yourself"):
        prepare(data, force=force)
    (out / "letter.txt").unlink()
    assert prepare(data).documents == 9  # an empty folder harms nobody


def test_what_a_run_killed_at_its_very_end_left_is_removed(
    data: Path, engine: InProcessEngine
) -> None:
    summarise(data)
    description = open_description(data.with_name("out.jsonl.manifest.json"))
    work = work_folder_of(data.with_name("out.jsonl"), ".jsonl")
    create_folders(work, description)
    assert summarise(data).done_before == 9
    assert not work.job.exists()


def open_description(path: Path) -> JsonObject:
    job: JsonObject = json.loads(path.read_text())["job"]
    return job


def test_a_killed_replacement_is_finished(data: Path, engine: InProcessEngine) -> None:
    """The old output is out of the way, the new one not yet in place."""
    prepare(data)
    out = data.with_name("out")
    whole = snapshot(out)
    engine.allowed = 0
    with pytest.raises(Stopped):
        prepare(data, force=True)
    work = work_folder_of(out, ".parquet")
    out.rename(work.old)
    engine.allowed = 1000
    prepare(data, resume=True)
    assert snapshot(out) == whole
    assert not work.folder.exists()


def test_every_document_is_reported_to_the_listener(data: Path, engine: InProcessEngine) -> None:
    calls: list[tuple[str, int]] = []

    class Listener(SilentListener):
        def scanned(self, documents: int) -> None:
            calls.append(("scanned", documents))

        def begun(self, total: int, done: int) -> None:
            calls.append(("begun", total - done))

        def advanced(self, documents: int) -> None:
            calls.append(("advanced", documents))

    run(source_of(data), TASK, FileOutput(data.with_name("out.jsonl")), listener=Listener())
    assert calls.count(("scanned", 1)) == 9
    assert ("begun", 9) in calls
    assert sum(n for kind, n in calls if kind == "advanced") == 9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jobs": 0}, "jobs must be at least 1"),
        ({"ray_address": "auto"}, "needs the engine ray"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RunOptions(**options)  # type: ignore[arg-type]
