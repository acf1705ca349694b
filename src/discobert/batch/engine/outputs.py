"""What a finished run leaves: a folder of shards with a manifest, or one file with one beside it.

Either appears whole. The manifest holds the description of the job, which tells whether a later
run is the same one.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from discobert.batch.engine.parts import (
    Failure,
    Parts,
    ShardReport,
    writing,
)
from discobert.batch.tasks.summaries import error_line
from discobert.data.fields import FORMAT, Field
from discobert.data.json_text import Json, JsonObject, dumps, loads
from discobert.errors import InputError, UsageError
from discobert.store.files import checksum, is_intact, replacing
from discobert.store.prepared.manifest import ERRORS, MANIFEST
from discobert.store.prepared.shards import SCHEMA_VERSION
from discobert.store.text import printable, read_text

_COPIED_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """An output that is there already; a foreign one has no job."""

    job: JsonObject | None
    whole: bool
    failures: int = 0


class Output(Protocol):
    """A place for the results of a run."""

    @property
    def path(self) -> Path:
        """Where the results will be."""
        ...

    def found(self) -> Found | None:
        """Say what is there already."""
        ...

    def publish(self, parts: Parts, job: JsonObject, reports: Sequence[ShardReport]) -> None:
        """Put finished shards in place, all at once."""
        ...


@dataclass(frozen=True, slots=True)
class FolderOutput:
    """Shards as they are, with a manifest and a file of errors."""

    path: Path

    def found(self) -> Found | None:
        """Read the manifest of the folder, if it is one of ours."""
        if not self.path.exists():
            return None
        if (self.path / MANIFEST).is_file():
            return _found(self.path / MANIFEST, None)
        if not self.path.is_dir() or any(self.path.iterdir()):
            raise UsageError(
                f"{printable(self.path)}: is there and no prepared corpus; remove it yourself "
                "or name another output"
            )
        return None

    def publish(self, parts: Parts, job: JsonObject, reports: Sequence[ShardReport]) -> None:
        """Add manifest and errors to the folder of shards, and rename it."""
        with writing(self.path):
            with replacing(parts.shards / ERRORS, temporary=parts.temporary) as file:
                file.writelines(error_line(failure) for failure in _failures(reports))
            manifest = f"{dumps(_folder_manifest(parts, job, reports))}\n".encode()
            parts.write(parts.shards / MANIFEST, manifest)
            if self.path.exists():
                shutil.rmtree(parts.old, ignore_errors=True)
                self.path.rename(parts.old)
            parts.shards.rename(self.path)
            shutil.rmtree(parts.folder)


def _folder_manifest(parts: Parts, job: JsonObject, reports: Sequence[ShardReport]) -> JsonObject:
    shards: list[Json] = [
        {
            "name": parts.shard(report.index).name,
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


def _failures(reports: Sequence[ShardReport]) -> Iterator[Failure]:
    for report in reports:
        yield from report.failures


@dataclass(frozen=True, slots=True)
class FileOutput:
    """All shards in one file, and its manifest beside it."""

    path: Path

    @property
    def manifest(self) -> Path:
        """Where the manifest lies."""
        return self.path.with_name(f"{self.path.name}.{MANIFEST}")

    def found(self) -> Found | None:
        """Read the manifest beside the file and see whether the file is the one it describes."""
        if self.path.is_dir():
            raise UsageError(f"{printable(self.path)}: is a directory; name a file")
        if not self.path.exists():
            return None
        if not self.manifest.is_file():
            return Found(None, whole=False)
        return _found(self.manifest, self.path)

    def publish(self, parts: Parts, job: JsonObject, reports: Sequence[ShardReport]) -> None:
        """Join the shards, write the manifest, then rename the file: it is whole or not there."""
        joined = parts.temporary / "joined"
        with writing(self.path):
            with replacing(joined, temporary=parts.temporary) as file:
                _join(parts, reports, file)
            manifest: JsonObject = {
                "format": FORMAT,
                "job": job,
                "documents": sum(r.documents for r in reports),
                "failures": sum(len(r.failures) for r in reports),
                "bytes": joined.stat().st_size,
                "sha256": checksum(joined),
            }
            parts.write(self.manifest, f"{dumps(manifest)}\n".encode())
            joined.replace(self.path)
            shutil.rmtree(parts.folder)


def _join(parts: Parts, reports: Sequence[ShardReport], file: BinaryIO) -> None:
    for report in reports:
        with parts.shard(report.index).open("rb") as shard:
            shutil.copyfileobj(shard, file, _COPIED_AT_ONCE)


def _found(manifest: Path, described: Path | None) -> Found:
    """Read a manifest, and compare the checksum of the file it describes, if it is for one."""
    name = printable(manifest)
    try:
        root = Field(loads(read_text(manifest), name=name), name)
        job = root.member("job").object()
        whole = described is None or is_intact(
            described, root.member("bytes").integer(), root.member("sha256").text()
        )
        return Found(job, whole, root.member("failures").integer())
    except InputError:
        return Found(None, whole=False)
