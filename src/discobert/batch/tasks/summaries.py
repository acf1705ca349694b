"""``batch``: articles to summaries, one line of JSON each, errors among them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from discobert.api import Summarizer, locate_bundle
from discobert.batch.engine.stage import LoadedTask, attempt
from discobert.batch.engine.work_folder import FailedDocument
from discobert.batch.tasks.models import limit_of_edus, model_identity
from discobert.data.codecs.json_text import JsonObject, dumps
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.data.summary import Summary
from discobert.render.summaries.json import render_jsonl
from discobert.selection.request import DEFAULT_REQUEST, SummaryRequest
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Analysed, Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class SummariseTask:
    """The options of summaries."""

    model: str | None = None
    request: SummaryRequest = DEFAULT_REQUEST
    limits: TextLimits = DEFAULT_LIMITS
    suffix: str = ".jsonl"

    def describe(self) -> JsonObject:
        """Return a description of all that the results depend on, the corpus apart.

        How long a text may be belongs to the corpus.
        """
        return {
            "task": "batch",
            "model": model_identity(self.model),
            "request": self.request.describe(),
            **limit_of_edus(self.limits),
        }

    def load(self) -> LoadedTask:
        """Load the model."""
        summarizer = Summarizer.load(self.model, threads=1, limits=self.limits)
        if locate_bundle(self.model) is not None:  # rules read nothing, and need no onnxruntime
            _disable_cache(summarizer)
        return ShardSummariser(summarizer, self.request)


def _disable_cache(summarizer: Summarizer) -> None:
    """Save 12 MB a worker: a text is summarised right after its analysis, and never again."""
    from discobert.analyser.shared_encoder import SharedEncoder  # brings onnxruntime

    analyser = summarizer.pipeline.analyser
    if isinstance(analyser, SharedEncoder):
        analyser.disable_cache()


@dataclass(frozen=True, slots=True)
class ShardSummariser:
    """Summarises the documents of shards."""

    summarizer: Summarizer
    request: SummaryRequest = DEFAULT_REQUEST

    def write(self, entries: Iterator[Entry], file: BinaryIO) -> list[FailedDocument]:
        """Write a line for each entry, in their order."""
        failures = []
        for entry in entries:
            result = attempt(entry, self._line)
            if isinstance(result, FailedDocument):
                failures.append(result)
                result = error_line(result)
            file.write(result)
        return failures

    def _line(self, entry: Article | Analysed) -> bytes:
        return render_jsonl([self._summarise(entry)]).encode()

    def _summarise(self, entry: Article | Analysed) -> Summary:
        if isinstance(entry, Analysed):
            analysis = entry.analysis
        else:
            analysis = self.summarizer.analyze(entry.text, name=entry.id)
        return self.summarizer.summarize_analysis(analysis, self.request)


def error_line(failure: FailedDocument) -> bytes:
    """Return the line of a document without a summary."""
    error: JsonObject = {"code": failure.code, "message": failure.message}
    return f"{dumps({'id': failure.id, 'error': error})}\n".encode()
