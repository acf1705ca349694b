"""Outputs of a finished run: a folder of shards with a manifest, or one file with one beside it.

Either appears complete. The manifest holds the description of the run, by which a later run of
the same job is recognised.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from discobert.batch.engine.work_folder import (
    FailedDocument,
    ShardReport,
    WorkFolder,
    writing,
)
from discobert.batch.tasks.summaries import error_line
from discobert.data.codecs.fields import FORMAT, Field
from discobert.data.codecs.json_text import Json, JsonObject, dumps, loads
from discobert.errors import InputError, UsageError
from discobert.store.files import checksum, is_intact, replacing
from discobert.store.prepared.manifest import ERRORS, MANIFEST
from discobert.store.prepared.shards import SCHEMA_VERSION
from discobert.store.text import printable, read_text

_COPIED_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class ExistingOutput:
    """An output that exists already; one that discobert has not written has no job."""

    job: JsonObject | None
    intact: bool
    failures: int = 0


class Output(Protocol):
    """A place for the results of a run."""

    @property
    def path(self) -> Path:
        """Where the results will be."""
        ...

    def existing(self) -> ExistingOutput | None:
        """Return what is known of an output that exists already."""
        ...

    def publish(self, work: WorkFolder, job: JsonObject, reports: Sequence[ShardReport]) -> None:
        """Put the finished shards in place, all at once."""
        ...


@dataclass(frozen=True, slots=True)
class FolderOutput:
    """A folder of the shards, a manifest and a file of errors."""

    path: Path

    def existing(self) -> ExistingOutput | None:
        """Read the manifest of the folder; raise an error for a folder of something else."""
        if not self.path.exists():
            return None
        if (self.path / MANIFEST).is_file():
            return _read_manifest(self.path / MANIFEST, None)
        if not self.path.is_dir() or any(self.path.iterdir()):
            raise UsageError(
                f"{printable(self.path)}: is there and no prepared corpus; remove it yourself "
                "or name another output"
            )
        return None

    def publish(self, work: WorkFolder, job: JsonObject, reports: Sequence[ShardReport]) -> None:
        """Add manifest and errors to the folder of shards, and rename it."""
        with writing(self.path):
            with replacing(work.shards / ERRORS, temporary=work.temporary) as file:
                file.writelines(error_line(failure) for failure in _failures(reports))
            manifest = f"{dumps(_folder_manifest(work, job, reports))}\n".encode()
            work.write(work.shards / MANIFEST, manifest)
            if self.path.exists():
                shutil.rmtree(work.old, ignore_errors=True)
                self.path.rename(work.old)
            work.shards.rename(self.path)
            shutil.rmtree(work.folder)


def _folder_manifest(
    work: WorkFolder, job: JsonObject, reports: Sequence[ShardReport]
) -> JsonObject:
    shards: list[Json] = [
        {
            "name": work.shard(report.index).name,
            "documents": report.documents - len(report.failures),
            "bytes": report.bytes,
            "sha256": report.sha256,
        }
        for report in reports
    ]
    return {
        "format": FORMAT,
        "schema": SCHEMA_VERSION,
        "job": job,
        "documents": sum(r.documents - len(r.failures) for r in reports),
        "failures": sum(len(r.failures) for r in reports),
        "shards": shards,
    }


def _failures(reports: Sequence[ShardReport]) -> Iterator[FailedDocument]:
    for report in reports:
        yield from report.failures


@dataclass(frozen=True, slots=True)
class FileOutput:
    """One file of all shards, and its manifest beside it."""

    path: Path

    @property
    def manifest(self) -> Path:
        """The path of the manifest."""
        return self.path.with_name(f"{self.path.name}.{MANIFEST}")

    def existing(self) -> ExistingOutput | None:
        """Read the manifest beside the file, and compare its checksum with that of the file."""
        if self.path.is_dir():
            raise UsageError(f"{printable(self.path)}: is a directory; name a file")
        if not self.path.exists():
            return None
        if not self.manifest.is_file():
            return ExistingOutput(None, intact=False)
        return _read_manifest(self.manifest, self.path)

    def publish(self, work: WorkFolder, job: JsonObject, reports: Sequence[ShardReport]) -> None:
        """Join the shards, write the manifest, then rename the joined file."""
        joined = work.temporary / "joined"
        with writing(self.path):
            with replacing(joined, temporary=work.temporary) as file:
                _join(work, reports, file)
            manifest: JsonObject = {
                "format": FORMAT,
                "job": job,
                "documents": sum(r.documents for r in reports),
                "failures": sum(len(r.failures) for r in reports),
                "bytes": joined.stat().st_size,
                "sha256": checksum(joined),
            }
            work.write(self.manifest, f"{dumps(manifest)}\n".encode())
            joined.replace(self.path)
            shutil.rmtree(work.folder)


def _join(work: WorkFolder, reports: Sequence[ShardReport], file: BinaryIO) -> None:
    for report in reports:
        with work.shard(report.index).open("rb") as shard:
            shutil.copyfileobj(shard, file, _COPIED_AT_ONCE)


def _read_manifest(manifest: Path, described: Path | None) -> ExistingOutput:
    """Read a manifest, and compare the checksum of the file it describes, if it is for one."""
    name = printable(manifest)
    try:
        root = Field(loads(read_text(manifest), name=name), name)
        job = root.member("job").object()
        intact = described is None or is_intact(
            described, root.member("bytes").integer(), root.member("sha256").text()
        )
        return ExistingOutput(job, intact, root.member("failures").integer())
    except InputError:
        return ExistingOutput(None, intact=False)
