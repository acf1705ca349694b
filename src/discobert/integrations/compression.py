"""Shorter texts for language models: what the adapters for other libraries have in common.

Every text gets an answer, in order, never longer than itself. What fails, takes too long or gains
nothing is returned as it was.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discobert.api import Summarizer
from discobert.data.summary import Summary
from discobert.errors import UsageError
from discobert.selection.request import SummaryRequest

KEPT_RATIO = 0.5
"""Share of the words that is kept if no length is asked for."""
STYLE = "paper"
"""The style unless another is asked for: its choice of clauses follows a query closely."""
SECONDS = 10.0
MAX_CHARS = 100_000
METADATA = "discobert"
"""Under which name the metadata of a text say what was kept of it."""

_LOGGER = logging.getLogger(__name__)
_LENGTHS = ("words", "sentences", "edus", "chars", "ratio")


@dataclass(frozen=True, slots=True)
class Compressed:
    """A shorter text and the parts of the original that it is made of; none if it is the same."""

    text: str
    spans: tuple[tuple[int, int], ...] | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        """Where the parts lie in the original, for the metadata of a document."""
        if self.spans is None:
            return {}
        return {METADATA: {"spans": [list(span) for span in self.spans]}}


class Compressor:
    """Shortens texts within a time; the model is loaded with the first."""

    def __init__(
        self,
        options: Mapping[str, Any],
        *,
        model: str | None = None,
        seconds: float = SECONDS,
        max_chars: int = MAX_CHARS,
        load: Callable[[str | None], Summarizer] = Summarizer.load,
    ) -> None:
        if seconds <= 0:
            raise UsageError(f"seconds must be more than 0, got {seconds}")
        has_length = any(options.get(name) is not None for name in _LENGTHS)
        length = {} if has_length else {"ratio": KEPT_RATIO}
        self._options = {"style": STYLE, **length, **options}
        SummaryRequest.of(**self._options)  # refuses what cannot be asked for
        self._model = model
        self._seconds = seconds
        self._max_chars = max_chars
        self._load = load
        self._loaded: Summarizer | None = None
        self._lock = threading.Lock()

    def compress(self, texts: Sequence[str], query: str | None = None) -> list[Compressed]:
        """Return a text for each one, in their order."""
        results = [Compressed(text) for text in texts]
        end = time.monotonic() + self._seconds
        # A thread of its own, as a text that takes too long cannot be interrupted; it is a daemon,
        # so that the program need not wait for it.
        worker = threading.Thread(
            target=self._fill, args=(results, query, end), name="discobert", daemon=True
        )
        worker.start()
        worker.join(self._seconds)
        if worker.is_alive():
            _LOGGER.warning("not all texts were compressed within %g s", self._seconds)
        return list(results)

    def _fill(self, results: list[Compressed], query: str | None, end: float) -> None:
        try:
            summarizer, request = self._summarizer(), self._request(query)
        except Exception:  # the originals are the answer
            _LOGGER.warning("texts are not compressed", exc_info=True)
            return
        for index, original in enumerate(results):
            if time.monotonic() >= end:
                return
            results[index] = self._compressed(summarizer, original.text, request)

    def _compressed(self, summarizer: Summarizer, text: str, request: SummaryRequest) -> Compressed:
        if len(text) > self._max_chars or not any(map(str.isalpha, text)):
            return Compressed(text)
        try:
            summary = summarizer.summarize_analysis(summarizer.analyze(text), request)
        except Exception as error:  # whatever it is, the original is there
            _LOGGER.warning("a text is not compressed: %s", type(error).__name__)
            return Compressed(text)
        if len(summary.text) >= len(text) or not summary.text:
            return Compressed(text)
        return Compressed(summary.text, _spans(summary))

    def _request(self, query: str | None) -> SummaryRequest:
        if not query:
            return SummaryRequest.of(**self._options)
        try:
            return SummaryRequest.of(**{**self._options, "focus": query})
        except UsageError:  # a query without words
            return SummaryRequest.of(**self._options)

    def _summarizer(self) -> Summarizer:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load(self._model)
            return self._loaded


def _spans(summary: Summary) -> tuple[tuple[int, int], ...]:
    return tuple((unit.start, unit.end) for unit in summary.units if unit.selected)
