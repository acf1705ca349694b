"""A component for spaCy, found by its entry point: ``nlp.add_pipe("discobert")``.

It sets ``doc._.summary`` and ``doc._.summary_text``, ``doc.spans["edus"]`` and
``doc.spans["summary"]``. spaCy is imported here alone, and only if it asks for this module.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Unpack

from discobert.api import Summarizer, locate_bundle
from discobert.data.codecs.analysis import decode_document, encode_document
from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import Json, JsonObject, dumps, loads
from discobert.data.codecs.summary import decode_summary, encode_summary
from discobert.data.document import Edu
from discobert.data.graph import Edge
from discobert.data.summary import Analysis, Summary
from discobert.errors import ConfigError, DiscobertError, MissingExtra
from discobert.selection.request import (
    DEFAULT_OPTIONS,
    SummaryOptions,
    SummaryRequest,
    with_option_names,
)

try:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, SpanGroup
    from spacy.util import raise_error
except ImportError as error:
    raise MissingExtra("spacy", "spacy") from error

STORED = "discobert"
"""Where ``doc.user_data`` holds a summary: as JSON, so that spaCy can write it to bytes."""
_AT_ONCE = 32
_REMEMBERED = 64

ErrorHandler = Callable[[str, "DiscobertPipe", list[Doc], Exception], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PipeConfig:
    """What a pipeline's configuration says about the component."""

    model: str | None
    threads: int | None
    request: SummaryRequest
    edus_key: str
    summary_key: str

    def __post_init__(self) -> None:
        locate_bundle(self.model)  # a missing model is an error now, not at the first text
        if self.edus_key == self.summary_key:
            raise ConfigError(f"edus_key and summary_key must differ, both are {self.edus_key!r}")


class DiscobertPipe:
    """Summarises documents; weights are loaded with the first, in the process that needs them."""

    def __init__(self, name: str, config: PipeConfig) -> None:
        self.name = name
        self.config = config
        self._summarizer: Summarizer | None = None
        self._handle: ErrorHandler = raise_error
        extend_docs()

    def __reduce__(self) -> tuple[type["DiscobertPipe"], tuple[str, PipeConfig]]:
        """Pickle the component without the weights, which the other process loads."""
        return type(self), (self.name, self.config)

    def __call__(self, doc: Doc) -> Doc:
        """Summarise one document in place."""
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = _AT_ONCE) -> Iterator[Doc]:
        """Summarise documents some at a time: the same results as one by one."""
        remaining = iter(stream)
        while docs := list(islice(remaining, min(batch_size, _AT_ONCE))):
            try:
                self._annotate(docs)
            except DiscobertError as error:
                self._handle(self.name, self, docs, error)
            else:
                yield from docs

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        """Set the function that is called for documents that cannot be summarised."""
        self._handle = error_handler

    def get_error_handler(self) -> ErrorHandler:
        """Return the function that is called for such documents."""
        return self._handle

    def _annotate(self, docs: Sequence[Doc]) -> None:
        """Summarise what has letters; all else gets no summary, as pipelines meet empty texts."""
        config, summarizer = self.config, self._loaded()
        for doc in docs:
            doc.spans[config.edus_key] = []
            doc.spans[config.summary_key] = []
            doc.user_data.pop(STORED, None)
        with_letters = [doc for doc in docs if any(map(str.isalpha, doc.text))]
        made = [self._made(summarizer, doc.text) for doc in with_letters]
        for doc, (analysis, summary) in zip(with_letters, made, strict=True):
            _write(doc, analysis, summary, config)

    def _made(self, summarizer: Summarizer, text: str) -> tuple[Analysis, Summary]:
        config, analysis = self.config, summarizer.analyze(text)
        return analysis, summarizer.summarize_analysis(analysis, config.request)

    def _loaded(self) -> Summarizer:
        if self._summarizer is None:
            self._summarizer = Summarizer.load(self.config.model, threads=self.config.threads)
        return self._summarizer


def _write(doc: Doc, analysis: Analysis, summary: Summary, config: PipeConfig) -> None:
    doc.user_data[STORED] = _packed(summary)
    edus, units = analysis.document.edus, summary.document.edus
    doc.spans[config.edus_key] = _group(doc, config.edus_key, enumerate(edus))
    chosen = ((unit, units[unit]) for unit in summary.selection.edus)
    doc.spans[config.summary_key] = _group(doc, config.summary_key, chosen)


def _group(doc: Doc, name: str, units: Iterable[tuple[int, Edu]]) -> SpanGroup:
    spans = [_span(doc, index, unit, name) for index, unit in units]
    return SpanGroup(doc, name=name, spans=spans)


def _span(doc: Doc, index: int, unit: Edu, label: str) -> Span:
    """Cover a unit with tokens; one that reaches beyond it is taken in whole."""
    place = unit.span
    span = doc.char_span(
        place.start, place.end, label=label, alignment_mode="expand", span_id=str(index)
    )
    if span is None:
        raise ConfigError(f"no token lies at characters [{place.start}, {place.end}) of the doc")
    return span


def _packed(summary: Summary) -> str:
    """Write a summary as JSON with what its usual form leaves out, but for the document's text."""
    document: JsonObject = {**encode_document(summary.document), "text": ""}
    edges: list[Json] = [[edge.dependent, edge.head, edge.label] for edge in summary.dependencies]
    return dumps(
        {
            "document": document,
            "summary": encode_summary(summary),
            "edges": edges,
            "left": list(summary.left),
        }
    )


@lru_cache(maxsize=_REMEMBERED)
def _unpacked(packed: str, text: str) -> Summary:
    root = Field(loads(packed, name=STORED), STORED)
    known = {**root.member("document").object(), "text": text}
    document = decode_document(Field(known, f"{STORED}.document"))
    summary = decode_summary(root.member("summary").value, document)
    edges = root.member("edges").items(_edge)
    return replace(summary, dependencies=edges, left=root.member("left").items(Field.text))


def _edge(field: Field) -> Edge:
    dependent, head, label = field.items(lambda item: item)
    return Edge(dependent.integer(), head.integer(), label.text())


def summary_of(doc: Doc) -> Summary | None:
    """Return the summary that a component has left in a document, if there is one."""
    packed = doc.user_data.get(STORED)
    return None if packed is None else _unpacked(packed, doc.text)


def summary_text_of(doc: Doc) -> str:
    """Return the summary as one string, empty if there is none."""
    summary = summary_of(doc)
    return "" if summary is None else summary.text


def extend_docs() -> None:
    """Give documents their attributes; attributes of the same name stay as they are."""
    for name, getter in (("summary", summary_of), ("summary_text", summary_text_of)):
        if not Doc.has_extension(name):
            Doc.set_extension(name, getter=getter)
        elif Doc.get_extension(name)[2] is not getter:
            raise ConfigError(
                f"doc._.{name} is taken by another extension; remove it first: "
                f"Doc.remove_extension({name!r})"
            )


def make_pipe(
    nlp: Language,
    name: str,
    *,
    model: str | None,
    threads: int | None,
    edus_key: str,
    summary_key: str,
    **options: Unpack[SummaryOptions],
) -> DiscobertPipe:
    """Build the component from a pipeline's configuration; options are those of ``summarize``."""
    config = PipeConfig(
        model=model,
        threads=threads,
        request=SummaryRequest.of(**options),
        edus_key=edus_key,
        summary_key=summary_key,
    )
    return DiscobertPipe(name, config)


make_pipe.__signature__ = with_option_names(make_pipe)  # type: ignore[attr-defined]
make_pipe.__annotations__ = {
    name: parameter.annotation
    for name, parameter in inspect.signature(make_pipe).parameters.items()
}

Language.factory(
    "discobert",
    assigns=["doc._.summary", "doc._.summary_text", "doc.spans"],
    default_config={
        "model": None,
        "threads": None,
        **DEFAULT_OPTIONS,
        "edus_key": "edus",
        "summary_key": "summary",
    },
    func=make_pipe,
)
