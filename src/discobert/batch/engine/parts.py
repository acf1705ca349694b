"""Work on its way: ``OUT.parts`` beside ``OUT``, in which every finished shard stays finished.

    OUT.parts/job.json     what the run is about; another run does not touch it
    OUT.parts/shards/      finished shards, named as they will be in the end
    OUT.parts/reports/     one for each finished shard, written last
    OUT.parts/tmp/         what is being written
    OUT.parts/lock         held by the run that is at work

A shard is written to ``tmp`` under a name of its own, synced and renamed, then its report likewise:
whoever dies in between leaves either nothing or a file that is written again, byte for byte.
"""

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from discobert.data.fields import Field
from discobert.data.json_text import JsonObject, dumps, loads
from discobert.errors import InputError, UsageError
from discobert.store.files import is_intact, replacing
from discobert.store.text import printable, read_text

LOCK = "lock"


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that gave no result, and why."""

    id: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ShardReport:
    """What became of a shard."""

    index: int
    documents: int
    """Entries read, failures included."""
    failures: tuple[Failure, ...]
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Parts:
    """The folder of unfinished work of one output."""

    folder: Path
    suffix: str
    """How the names of shards end."""

    @property
    def job(self) -> Path:
        """The file that says what the run is about."""
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
        """The folder of what is being written."""
        return self.folder / "tmp"

    @property
    def old(self) -> Path:
        """Where an output that is being replaced waits for its end."""
        return self.folder / "old"

    def shard(self, index: int) -> Path:
        """Return the place of a finished shard."""
        return self.shards / f"part-{index:06d}{self.suffix}"

    def report(self, index: int) -> Path:
        """Return the place of a shard's report."""
        return self.reports / f"part-{index:06d}.json"

    def write(self, path: Path, data: bytes) -> None:
        """Write a file atomically."""
        with replacing(path, temporary=self.temporary) as file:
            file.write(data)


def parts_of(out: Path, suffix: str) -> Parts:
    """Return where the unfinished work of an output lies."""
    return Parts(out.with_name(f"{out.name}.parts"), suffix)


def create(parts: Parts, job: JsonObject) -> None:
    """Make the folders; the description of the job comes last, so that half a start is no start."""
    with writing(parts.folder):
        for folder in (parts.shards, parts.reports, parts.temporary):
            folder.mkdir(parents=True, exist_ok=True)
        parts.write(parts.job, dumps(job).encode())


def found_job(parts: Parts) -> JsonObject | None:
    """Return what unfinished work is about, or nothing if none was begun."""
    if not parts.job.is_file():
        return None
    name = printable(parts.job)
    return Field(loads(read_text(parts.job), name=name), name).object()


def remove(parts: Parts) -> None:
    """Throw unfinished work away, first the note that it was begun."""
    with writing(parts.folder):
        parts.job.unlink(missing_ok=True)
        for folder in (parts.reports, parts.shards, parts.temporary, parts.old):
            if folder.exists():
                shutil.rmtree(folder)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn a disk that refuses into an error that says what to do."""
    try:
        yield
    except OSError as error:
        hint = "" if isinstance(error, PermissionError) else "; --resume goes on from here"
        raise UsageError(
            f"{printable(path)}: cannot be written: {error.strerror or error}{hint}"
        ) from error


def commit(parts: Parts, report: ShardReport) -> None:
    """Write the report of a shard whose file is in place: from now on it counts as done."""
    data = f"{dumps(encode_report(report))}\n".encode()
    with writing(parts.report(report.index)):
        parts.write(parts.report(report.index), data)


def finished(parts: Parts, index: int) -> ShardReport | None:
    """Return the report of a shard if its file has the recorded size and SHA-256."""
    path = parts.report(index)
    if not path.exists():
        return None
    try:
        report = decode_report(read_text(path), name=printable(path))
    except InputError:
        return None
    return report if is_intact(parts.shard(index), report.bytes, report.sha256) else None


def encode_report(report: ShardReport) -> JsonObject:
    """Write a report as a JSON object."""
    return {
        "index": report.index,
        "documents": report.documents,
        "failures": [[f.id, f.code, f.message] for f in report.failures],
        "bytes": report.bytes,
        "sha256": report.sha256,
    }


def decode_report(text: str, *, name: str) -> ShardReport:
    """Read a report."""
    root = Field(loads(text, name=name), name)
    return ShardReport(
        index=root.member("index").integer(),
        documents=root.member("documents").integer(),
        failures=root.member("failures").items(_failure),
        bytes=root.member("bytes").integer(),
        sha256=root.member("sha256").text(),
    )


def _failure(field: Field) -> Failure:
    name, code, message = field.items(Field.text)
    return Failure(name, code, message)
