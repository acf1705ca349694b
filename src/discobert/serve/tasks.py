"""What worker processes do: summaries, analyses, and the text of files.

A worker gets plain values and returns the finished JSON, so that the front process only passes
bytes on. The analysis and the scores of a text travel as one opaque value (``known``), which the
front keeps: the next request about the same text goes to any worker and costs selection only.
"""

import pickle
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from discobert.api import Summarizer
from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import Json, JsonObject, dumps
from discobert.data.codecs.markup import decode_markup, encode_markup
from discobert.data.codecs.summary import encode_summary
from discobert.data.document import SourceText
from discobert.data.markup import NO_MARKUP, SegmentKind
from discobert.data.summary import Analysis, ModelId, Summary
from discobert.discourse.units import UnitKind
from discobert.errors import InputError
from discobert.pipeline import Pipeline
from discobert.protocols import Scorer
from discobert.render.analysis_json import describe_analysis
from discobert.render.summaries.html import render_summary_html
from discobert.render.summaries.markdown import render_markdown
from discobert.runtime.memory import trim
from discobert.selection.build import Salience
from discobert.selection.request import SummaryRequest
from discobert.serve.refusals import Failure
from discobert.store.inputs import read_documents

PARTS: Mapping[str, Callable[[Analysis, Summary], Json]] = {
    "analysis": lambda analysis, summary: describe_analysis(analysis),
    "html": lambda analysis, summary: render_summary_html([(analysis, summary)]),
    "markdown": lambda analysis, summary: render_markdown([summary]),
}
"""What an answer can hold beside the summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTask:
    """A text to summarise, to analyse, or both."""

    name: str
    text: str
    options: Mapping[str, Any] | None = None
    """Options of the summary; ``None`` if only the analysis is wanted."""
    include: tuple[str, ...] = ()
    """Further parts of the answer, see ``PARTS``."""
    markup: JsonObject | None = None
    """What a file says about the text, as the answer of ``extract`` has it."""
    known: bytes | None = None
    """Analysis and scores, if an earlier request about the same text has left them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTask:
    """A file whose text is wanted."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Finished JSON, what to keep for the next request, and the seconds of every stage."""

    body: bytes
    known: bytes | None = None
    seconds: Mapping[str, float] = dataclass_field(default_factory=dict)


class Stopwatch:
    """Adds up the seconds of stages."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time the block."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class KnownScorer:
    """Gives the scores that one text is known to have."""

    scorer: Scorer
    salience: Salience

    @property
    def model(self) -> ModelId:
        """The name and version of the scorer."""
        return self.scorer.model

    @property
    def unit(self) -> UnitKind:
        """What the scores were trained to select."""
        return self.scorer.unit

    def score(self, analysis: Analysis) -> Salience:
        """Return the scores."""
        return self.salience


class TextWorker:
    """Summarises and analyses texts with a loaded model."""

    def __init__(self, summarizer: Summarizer) -> None:
        self._summarizer = summarizer

    def __call__(self, task: TextTask) -> Answer | Failure:
        """Do one task; an error is a value, so that the worker lives on."""
        try:
            return self._answer(task)
        except Exception as error:  # a fault of ours, too
            return Failure.of(error)

    def _answer(self, task: TextTask) -> Answer:
        watch = Stopwatch()
        analysis, salience = self._read(task, watch)
        summary: Summary | None = None
        if task.options is not None:
            with watch.stage("select"):
                summary = self._with(salience).summarize_analysis(
                    analysis, SummaryRequest.of(**task.options)
                )
        with watch.stage("render"):
            shown = encode_summary(summary) if summary else describe_analysis(analysis)
            if summary is not None:
                shown |= {part: PARTS[part](analysis, summary) for part in task.include}
            body = dumps(shown).encode()
            known = None if task.known else _packed(analysis, salience)
        if known is not None:
            trim()  # as batch does after every document
        return Answer(body=body, known=known, seconds=watch.seconds)

    def _read(self, task: TextTask, watch: Stopwatch) -> tuple[Analysis, Salience]:
        if task.known is not None:
            with watch.stage("recall"):
                return _unpacked(task.known)
        with watch.stage("analyse"):
            analysis = self._summarizer.analyze_source(_source(task))
        with watch.stage("score"):
            return analysis, self._summarizer.pipeline.scorer.score(analysis)

    def _with(self, salience: Salience) -> Summarizer:
        pipeline = self._summarizer.pipeline
        known = Pipeline(pipeline.analyser, KnownScorer(pipeline.scorer, salience))
        return Summarizer(known, self._summarizer.language)


def _source(task: TextTask) -> SourceText:
    markup = decode_markup(Field(task.markup or {}, "markup"))
    if markup.end > len(task.text):
        raise InputError(f"{task.name}: the markup goes on after the text")
    return SourceText(task.name, task.text, markup)


_FAST = 1
"""The level of compression that gains most of the space in least of the time."""


def _packed(analysis: Analysis, salience: Salience) -> bytes | None:
    try:
        return zlib.compress(pickle.dumps((analysis, salience), pickle.HIGHEST_PROTOCOL), _FAST)
    except RecursionError:  # a tree of thousands of levels; the next request reads the text again
        return None


def _unpacked(known: bytes) -> tuple[Analysis, Salience]:
    found: tuple[Analysis, Salience] = pickle.loads(zlib.decompress(known))  # noqa: S301 - ours
    return found


@dataclass(frozen=True, slots=True)
class StartTexts:
    """Loads a model in a worker process."""

    model: str | None = None

    def __call__(self) -> Callable[[TextTask], Answer | Failure]:
        """Load the model; the encoder keeps nothing, as the front keeps what is computed."""
        summarizer = Summarizer.load(self.model, threads=1)
        analyser = summarizer.pipeline.analyser
        disable: Callable[[], None] = getattr(analyser, "disable_cache", lambda: None)
        disable()
        return TextWorker(summarizer)


def start_files() -> Callable[[FileTask], Answer | Failure]:
    """Return the function that takes the text out of files."""
    return extract


def extract(task: FileTask) -> Answer | Failure:
    """Return the text of a file; readers of untrusted formats have a process of their own."""
    watch = Stopwatch()
    if not task.content:
        return Failure(400, "input", f"{task.name}: the file is empty")
    try:
        with watch.stage("extract"):
            documents = read_documents(task.content, name=task.name)
    except Exception as error:  # a fault of ours, too
        return Failure.of(error)
    return Answer(body=dumps(_describe(documents)).encode(), seconds=watch.seconds)


def _describe(documents: Sequence[SourceText]) -> JsonObject:
    """Encode the first text with its title, its markup, and what readers should know."""
    first = documents[0]
    warnings: list[Json] = [
        {"code": note.code, "message": note.message} for note in first.markup.notes
    ]
    if len(documents) > 1:
        message = f"the file holds {len(documents)} texts; this is the first"
        warnings.append({"code": "several-texts", "message": message})
    markup = None if first.markup == NO_MARKUP else encode_markup(first.markup)
    return {"text": first.text, "title": _title(first), "warnings": warnings, "markup": markup}


def _title(source: SourceText) -> str:
    """Return the heading that a text starts with, or the name of its file."""
    for segment in source.markup.segments[:1]:
        before = source.text[: segment.span.start]
        if segment.kind is SegmentKind.HEADING and not before.strip():
            return " ".join(segment.span.of(source.text).split())
    return source.id
