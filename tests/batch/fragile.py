"""Workers that die or complain on purpose; they are sent to other processes, so they live here."""

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from discobert.batch.engine.stage import LoadedTask
from discobert.batch.engine.work_folder import Failure
from discobert.data.json_text import JsonObject
from discobert.errors import BundleError, InputError
from discobert.store.corpora.entries import Entry, Rejected, entry_id


@dataclass(frozen=True)
class FragileTask:
    """Copies ids; dies in the middle of a document as often as there are files to be taken."""

    lives: Path
    deadly: tuple[str, ...] = ()
    """The ids of documents that kill."""
    complaint: str = ""
    """When to complain: ``start`` or ``work``."""
    suffix: str = ".jsonl"

    def describe(self) -> JsonObject:
        return {"task": "fragile"}

    def load(self) -> LoadedTask:
        if self.complaint == "start":
            raise BundleError("no weights today")
        return Fragile(self)


@dataclass(frozen=True)
class Fragile:
    """The worker of the task."""

    task: FragileTask

    def write(self, entries: Iterator[Entry], file: BinaryIO) -> list[Failure]:
        failures = []
        for entry in entries:
            if isinstance(entry, Rejected):
                failures.append(Failure(entry.id, entry.code, entry.message))
            elif entry_id(entry) in self.task.deadly:
                self._meet_fate()
            file.write(f"{entry_id(entry)}\n".encode())
        return failures

    def _meet_fate(self) -> None:
        if self.task.complaint == "work":
            raise InputError("cannot go on")
        for life in sorted(self.task.lives.glob("life-*")):
            life.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
