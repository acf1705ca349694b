"""``discobert summarize``: texts in, summaries out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discobert.cli.inputs import read_inputs, refuse_overwriting
from discobert.cli.options import Debug, Encoding, Files, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit, note, progress
from discobert.errors import UsageError
from discobert.logic.units import UnitKind
from discobert.render.json import render_json, render_jsonl
from discobert.render.markdown import render_markdown
from discobert.render.text import render_text

if TYPE_CHECKING:
    from discobert.api import Summarizer
    from discobert.data.summary import Analysis, Summary


class SummaryFormat(Enum):
    """How summaries are written."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    MARKDOWN = "markdown"


_RENDERERS: Mapping[SummaryFormat, Callable[[Sequence["Summary"]], str]] = {
    SummaryFormat.TEXT: render_text,
    SummaryFormat.JSON: render_json,
    SummaryFormat.JSONL: render_jsonl,
    SummaryFormat.MARKDOWN: render_markdown,
}


def _bound(explanation: str, metavar: str = "N") -> Any:  # noqa: ANN401 - as typer.Option
    panel = "Length: one upper bound, never exceeded"
    return typer.Option(
        metavar=metavar, help=explanation, show_default=False, rich_help_panel=panel
    )


def summarize_command(
    files: Files = None,
    *,
    words: Annotated[int | None, _bound("Words.")] = None,
    sentences: Annotated[int | None, _bound("Sentences of the text that are touched.")] = None,
    edus: Annotated[int | None, _bound("Clauses (elementary discourse units).")] = None,
    chars: Annotated[int | None, _bound("Characters.")] = None,
    ratio: Annotated[float | None, _bound("Share of the words, 0 < R <= 1.", "R")] = None,
    form: Annotated[
        SummaryFormat,
        typer.Option("--format", help="Form of the output; html comes with a later version."),
    ] = SummaryFormat.TEXT,
    unit: Annotated[
        UnitKind, typer.Option(help="Choose among clauses or among whole sentences.")
    ] = UnitKind.EDU,
    model: Model = None,
    analysis: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Take the discourse from FILE: JSON of discobert analyze, .rs3, .rs4, .dis or "
            ".rsd. Without a text, the file's own text is summarised.",
            show_default=False,
        ),
    ] = None,
    output: Output = None,
    encoding: Encoding = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Summarise texts by their own clauses, never longer than asked for.

    Several files with --format json give one array.
    """
    from discobert.api import Summarizer
    from discobert.logic.budget import Budget

    named = [*(files or ()), *([str(analysis)] if analysis else ())]
    refuse_overwriting(output, named)
    budget = Budget(words=words, sentences=sentences, edus=edus, chars=chars, ratio=ratio)
    inputs = _inputs(files or [], analysis, encoding)
    summarizer = Summarizer.load(model, threads=threads)
    summaries: list[Summary] = []
    for read in progress(inputs, label="Summarising", quiet=quiet):
        summaries += summarizer.summarize_analyses([read(summarizer)], budget=budget, unit=unit)
    emit(_RENDERERS[form](summaries), output)
    note(_warnings(summaries), quiet=quiet)


def _inputs(
    files: Sequence[str], analysis: Path | None, encoding: str | None
) -> "list[Callable[[Summarizer], Analysis]]":
    """Read all texts before any work is done; each gives its analysis when it is its turn."""
    if analysis is None:
        texts = read_inputs(files, encoding=encoding)
        return [partial(_analyse, name=name, text=text) for name, text in texts]
    if len(files) > 1:
        raise UsageError(f"--analysis goes with one text at most, got {len(files)} files")
    from discobert.store.analyses import read_analysis

    text = read_inputs(files, encoding=encoding)[0][1] if files else None
    found = read_analysis(analysis, text=text)
    return [lambda summarizer: found]


def _analyse(summarizer: "Summarizer", *, name: str, text: str) -> "Analysis":
    return summarizer.analyze(text, name=name)


def _warnings(summaries: Sequence["Summary"]) -> Iterator[str]:
    for summary in summaries:
        for warning in summary.warnings:
            yield f"warning: {summary.document.id}: {warning.message} ({warning.code})"
