"""A prepared corpus: a folder of shards with a manifest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import JsonObject, loads
from discobert.errors import FormatError, InputError
from discobert.store.files import is_intact
from discobert.store.prepared.documents import Prepared
from discobert.store.prepared.shards import SCHEMA_VERSION, read_rows_of, read_shard
from discobert.store.text import printable, read_text

MANIFEST, ERRORS = "manifest.json", "errors.jsonl"


@dataclass(frozen=True, slots=True)
class ShardFile:
    """A shard as the manifest lists it."""

    name: str
    documents: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PreparedCorpus:
    """A folder of shards with its manifest."""

    path: Path
    manifest: JsonObject
    shards: tuple[ShardFile, ...]

    @property
    def documents(self) -> int:
        """How many documents the shards hold together."""
        return sum(shard.documents for shard in self.shards)

    @property
    def model(self) -> JsonObject:
        """Name, version and digest of the model that made the analyses."""
        return Field(self.manifest, MANIFEST).member("job").member("model").object()

    def read(self) -> Iterator[Prepared]:
        """Stream all documents in the order of the source."""
        for shard in self.shards:
            yield from read_shard(self.path / shard.name)

    def rows(self, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Stream some columns of all documents."""
        for shard in self.shards:
            yield from read_rows_of(self.path / shard.name, columns)

    def verify(self) -> None:
        """Read every shard and compare its checksum."""
        for shard in self.shards:
            path = self.path / shard.name
            if not path.is_file():
                raise InputError(f"{printable(path)}: the shard is missing; prepare it again")
            if not is_intact(path, shard.bytes, shard.sha256):
                raise InputError(f"{printable(path)}: damaged: not what was written")


def open_prepared(path: Path) -> PreparedCorpus:
    """Read the manifest of a prepared corpus; shards are opened when they are read."""
    if not (path / MANIFEST).is_file():
        raise InputError(
            f"{printable(path)}: no prepared corpus there ({MANIFEST} is missing); "
            "name a folder that discobert prepare has written"
        )
    root = Field(loads(read_text(path / MANIFEST), name=MANIFEST), MANIFEST)
    version = root.member("schema").integer()
    if version != SCHEMA_VERSION:
        raise FormatError(
            f"{printable(path)}: schema version {version}, this discobert reads {SCHEMA_VERSION}; "
            "prepare the corpus again"
        )
    return PreparedCorpus(path, root.object(), root.member("shards").items(_shard))


def _shard(field: Field) -> ShardFile:
    return ShardFile(
        name=field.member("name").text(),
        documents=field.member("documents").integer(),
        bytes=field.member("bytes").integer(),
        sha256=field.member("sha256").text(),
    )
