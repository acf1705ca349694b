"""A task whose workers die or raise errors on purpose, in a module that processes can import."""

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from discobert.batch.engine.stage import LoadedTask
from discobert.batch.engine.work_folder import FailedDocument
from discobert.data.codecs.json_text import JsonObject
from discobert.errors import BundleError, InputError
from discobert.store.corpora.entries import Entry, Rejected, entry_id


@dataclass(frozen=True)
class DyingTask:
    """Copies ids; in a deadly document, dies once for each file ``death-*`` in a folder."""

    folder: Path
    deadly: tuple[str, ...] = ()
    """The ids of deadly documents."""
    error_at: str = ""
    """When to raise an error instead: ``start`` or ``work``."""
    suffix: str = ".jsonl"

    def describe(self) -> JsonObject:
        return {"task": "dying"}

    def load(self) -> LoadedTask:
        if self.error_at == "start":
            raise BundleError("no weights today")
        return LoadedDyingTask(self)


@dataclass(frozen=True)
class LoadedDyingTask:
    """The task in a worker."""

    task: DyingTask

    def write(self, entries: Iterator[Entry], file: BinaryIO) -> list[FailedDocument]:
        failures = []
        for entry in entries:
            if isinstance(entry, Rejected):
                failures.append(FailedDocument(entry.id, entry.code, entry.message))
            elif entry_id(entry) in self.task.deadly:
                self._die_or_raise()
            file.write(f"{entry_id(entry)}\n".encode())
        return failures

    def _die_or_raise(self) -> None:
        if self.task.error_at == "work":
            raise InputError("cannot go on")
        for death in sorted(self.task.folder.glob("death-*")):
            death.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
