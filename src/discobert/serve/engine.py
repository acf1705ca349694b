"""Summaries, analyses and texts of files for many clients: limits, the cache, and the workers."""

import asyncio
import hashlib
from dataclasses import dataclass, replace
from typing import Protocol

from discobert.api import RULES_MODEL, locate_bundle
from discobert.data.codecs.json_text import dumps
from discobert.data.summary import ModelId
from discobert.language.detection import ENGLISH
from discobert.selection.request import SummaryRequest
from discobert.serve.cache import ByteCache
from discobert.serve.pool import Pool
from discobert.serve.refusals import Failure, Refusal, busy, starting, too_large
from discobert.serve.settings import ServiceSettings
from discobert.serve.tasks import Answer, FileTask, StartTexts, TextTask, start_files
from discobert.sources import require_letters
from discobert.store.bundle import open_bundle

MAX_NAME = 200
"""Characters of the name of a text."""
_FILE_WORKERS = 1
_FILE_QUEUE = 8


class Listener(Protocol):
    """Receives events, for logs and metrics."""

    def worker_ended(self, pool: str) -> None:
        """Learn that a worker process has ended and is replaced."""
        ...

    def stage_done(self, stage: str, seconds: float) -> None:
        """Learn how long a stage of a request took."""
        ...

    def looked_up(self, *, found: bool) -> None:
        """Learn whether a text was in the cache."""
        ...


class NoListener:
    """Ignores events."""

    def worker_ended(self, pool: str) -> None:
        """Do nothing."""

    def stage_done(self, stage: str, seconds: float) -> None:
        """Do nothing."""

    def looked_up(self, *, found: bool) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """The model that a service uses."""

    id: str
    """What ``--model`` was given."""
    model: ModelId
    language: str

    @classmethod
    def of(cls, name: str | None) -> "ModelFacts":
        """Open a model's bundle; a missing or damaged one is an error before anything starts."""
        folder = locate_bundle(name)
        if folder is None:
            return cls("rules", RULES_MODEL, ENGLISH)
        bundle = open_bundle(folder)
        return cls(folder.name, bundle.model, str(bundle.settings.get("language", ENGLISH)))


class Engine:
    """Does the work of a service; make one in an event loop, ``open`` it and ``close`` it."""

    def __init__(self, settings: ServiceSettings, listener: Listener | None = None) -> None:
        self.settings = settings
        self.facts = ModelFacts.of(settings.model)
        self._listener = listener or NoListener()
        self.cache = ByteCache(settings.cache_bytes)
        self.texts: Pool[TextTask, Answer | Failure] = Pool(
            "texts",
            StartTexts(settings.model),
            workers=settings.n_workers,
            queue=settings.queue,
            listener=self._listener,
        )
        self.files: Pool[FileTask, Answer | Failure] = Pool(
            "files", start_files, workers=_FILE_WORKERS, queue=_FILE_QUEUE, listener=self._listener
        )

    @property
    def is_ready(self) -> bool:
        """Whether every worker is ready."""
        return self.texts.is_ready and self.files.is_ready

    def open(self, *, files: bool = True) -> None:
        """Start the workers, those that read files on demand only."""
        self.texts.open()
        if files:
            self.files.open()

    async def wait_started(self) -> None:
        """Wait until texts are taken; an error if the workers cannot be started."""
        await self.texts.decided.wait()
        if self.texts.failure is not None:
            raise self.texts.failure

    async def close(self) -> None:
        """End the workers."""
        await asyncio.gather(self.texts.close(), self.files.close())

    async def answer(self, task: TextTask) -> bytes:
        """Return the JSON of a summary or an analysis."""
        if task.options is not None:
            SummaryRequest.of(**task.options)  # refuses what cannot be asked for before it waits
        self._check(task)
        key = _key(task)
        known = self.cache.get(key)
        self._listener.looked_up(found=known is not None)
        if known is not None:
            task = replace(task, text="", markup=None, known=known)
        result, waited = await self.texts.run(task, seconds=self.settings.deadline)
        answer = self._told(result, waited)
        if answer.known is not None:
            self.cache.put(key, answer.known)
        return answer.body

    async def extract(self, content: bytes, *, name: str) -> bytes:
        """Return the JSON of the text of a file."""
        if not self.files.started:
            raise starting()
        task = FileTask(name=name, content=content)
        answer, waited = await self.files.run(task, seconds=self.settings.deadline)
        return self._told(answer, waited).body

    def refuse_if_busy(self) -> None:
        """Raise an error if a further text would be refused, before its request is read."""
        if not self.texts.started:
            raise starting()
        if self.texts.is_full:
            raise busy()

    def _check(self, task: TextTask) -> None:
        if not self.texts.started:
            raise starting()
        size, limit = len(task.text), self.settings.max_chars
        if size > limit:
            raise too_large(size, limit, "characters", "text")
        require_letters(task.name, task.text)

    def _told(self, result: Answer | Failure, waited: float) -> Answer:
        self._listener.stage_done("queue", waited)
        if isinstance(result, Failure):
            raise result.refusal
        for stage, seconds in result.seconds.items():
            self._listener.stage_done(stage, seconds)
        return result


def _key(task: TextTask) -> bytes:
    """Return a digest of a text with its name and markup, which are part of the answer."""
    parts = (task.name, task.text, dumps(task.markup))
    encoded = (part.encode("utf-8", "surrogatepass") for part in parts)
    return b"".join(hashlib.sha256(part).digest() for part in encoded)


def refusal_of(error: Exception) -> Refusal:
    """Return what clients learn of an error."""
    return error if isinstance(error, Refusal) else Failure.of(error).refusal
