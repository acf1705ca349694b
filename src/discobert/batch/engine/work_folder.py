"""The work folder ``OUT.parts`` beside ``OUT``, which holds the finished shards of a run.

    OUT.parts/job.json     description of the run; another run does not change the folder
    OUT.parts/shards/      finished shards, under their final names
    OUT.parts/reports/     one for each finished shard, written after it
    OUT.parts/tmp/         files that are being written
    OUT.parts/lock         held while a run uses the folder

A shard is written to ``tmp`` under a unique name, synced and renamed, then its report likewise. A
run that is killed in between leaves no shard, or one that is written again with the same bytes.
"""

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import JsonObject, dumps, loads
from discobert.errors import InputError, UsageError
from discobert.store.files import is_intact, replacing
from discobert.store.text import printable, read_text

LOCK = "lock"


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """A document without a result, and the reason."""

    id: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ShardReport:
    """The record of a finished shard."""

    index: int
    documents: int
    """Entries read, failures included."""
    failures: tuple[FailedDocument, ...]
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """Paths of the unfinished work for one output."""

    folder: Path
    suffix: str
    """The suffix of the names of shards."""

    @property
    def job(self) -> Path:
        """The file with the description of the run."""
        return self.folder / "job.json"

    @property
    def shards(self) -> Path:
        """The folder of finished shards."""
        return self.folder / "shards"

    @property
    def reports(self) -> Path:
        """The folder of reports."""
        return self.folder / "reports"

    @property
    def temporary(self) -> Path:
        """The folder of files that are being written."""
        return self.folder / "tmp"

    @property
    def old(self) -> Path:
        """Where an output that is being replaced is kept until the new one is in place."""
        return self.folder / "old"

    def shard(self, index: int) -> Path:
        """Return the path of a finished shard."""
        return self.shards / f"part-{index:06d}{self.suffix}"

    def report(self, index: int) -> Path:
        """Return the path of a shard's report."""
        return self.reports / f"part-{index:06d}.json"

    def begun(self, index: int) -> Path:
        """Return the path of the file that marks a shard as begun."""
        return self.temporary / f"part-{index:06d}.begun"

    def write(self, path: Path, data: bytes) -> None:
        """Write a file atomically."""
        with replacing(path, temporary=self.temporary) as file:
            file.write(data)


def work_folder_of(out: Path, suffix: str) -> WorkFolder:
    """Return the work folder of an output."""
    return WorkFolder(out.with_name(f"{out.name}.parts"), suffix)


def create_folders(work: WorkFolder, job: JsonObject) -> None:
    """Make the folders; the description comes last, since a run has begun once it is there."""
    with writing(work.folder):
        for folder in (work.shards, work.reports, work.temporary):
            folder.mkdir(parents=True, exist_ok=True)
        work.write(work.job, dumps(job).encode())


def read_job(work: WorkFolder) -> JsonObject | None:
    """Return the description of the unfinished run, or nothing if there is none."""
    if not work.job.is_file():
        return None
    name = printable(work.job)
    return Field(loads(read_text(work.job), name=name), name).object()


def remove_work(work: WorkFolder) -> None:
    """Delete unfinished work, the description first."""
    with writing(work.folder):
        work.job.unlink(missing_ok=True)
        for folder in (work.reports, work.shards, work.temporary, work.old):
            if folder.exists():
                shutil.rmtree(folder)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn errors of the system inside the block into usage errors with a remedy."""
    try:
        yield
    except OSError as error:
        hint = "" if isinstance(error, PermissionError) else "; --resume goes on from here"
        raise UsageError(
            f"{printable(path)}: cannot be written: {error.strerror or error}{hint}"
        ) from error


def write_shard_report(work: WorkFolder, report: ShardReport) -> None:
    """Write the report of a shard whose file is in place, which makes it a finished one."""
    data = f"{dumps(encode_report(report))}\n".encode()
    with writing(work.report(report.index)):
        work.write(work.report(report.index), data)


def read_finished(work: WorkFolder, index: int) -> ShardReport | None:
    """Return the report of a shard if its file has the recorded size and SHA-256."""
    path = work.report(index)
    if not path.exists():
        return None
    try:
        report = decode_report(read_text(path), name=printable(path))
    except InputError:
        return None
    return report if is_intact(work.shard(index), report.bytes, report.sha256) else None


def encode_report(report: ShardReport) -> JsonObject:
    """Return a report as a JSON object."""
    return {
        "index": report.index,
        "documents": report.documents,
        "failures": [[f.id, f.code, f.message] for f in report.failures],
        "bytes": report.bytes,
        "sha256": report.sha256,
    }


def decode_report(text: str, *, name: str) -> ShardReport:
    """Return the report of a JSON text; ``name`` is that of the text in errors."""
    root = Field(loads(text, name=name), name)
    return ShardReport(
        index=root.member("index").integer(),
        documents=root.member("documents").integer(),
        failures=root.member("failures").items(_failure),
        bytes=root.member("bytes").integer(),
        sha256=root.member("sha256").text(),
    )


def _failure(field: Field) -> FailedDocument:
    name, code, message = field.items(Field.text)
    return FailedDocument(name, code, message)


@contextlib.contextmanager
def exclusive_run(work: WorkFolder) -> Iterator[None]:
    """Lock the work folder; an empty one is removed at the end.

    The lock of a run that was killed is released by the system.
    """
    with writing(work.folder):
        work.folder.mkdir(parents=True, exist_ok=True)
        file = (work.folder / LOCK).open("ab")
    locked = False
    try:
        with file:
            _lock(file, work.folder)
            locked = True
            yield
    finally:
        if locked and not work.job.exists():
            with contextlib.suppress(OSError):
                (work.folder / LOCK).unlink()
                work.folder.rmdir()


def _lock(file: BinaryIO, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # not a POSIX system: shards are still written whole
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(f"{printable(folder)}: another run is at work there") from error
    except OSError:  # a file system without locks
        return
