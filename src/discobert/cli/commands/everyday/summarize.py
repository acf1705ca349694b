"""``discobert summarize``: texts in, summaries out."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.declare import Option
from discobert.cli.inputs import FileErrors, read_sources, refuse_overwriting
from discobert.cli.options import (
    Debug,
    Encoding,
    Files,
    IncludeSource,
    Input,
    MaxChars,
    MaxEdus,
    MaxSentencePieces,
    Model,
    Output,
    Quiet,
    Threads,
)
from discobert.cli.outputs import emit, note, progress, spinner
from discobert.cli.request_options import takes_request
from discobert.data.document import SourceText
from discobert.data.explanation import ENDS
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.errors import UsageError
from discobert.formats import SUMMARY_SUFFIXES, SummaryFormat, form_of, format_summaries
from discobert.render.screen import Screen
from discobert.selection.budget import NO_BUDGET, Limit, length_in
from discobert.selection.request import SummaryRequest

if TYPE_CHECKING:
    from discobert.data.analysis import Analysis
    from discobert.data.summary import Summary


_HOLDS_SOURCE = (SummaryFormat.JSON, SummaryFormat.JSONL)
_WIDEST_TEXT = 100
_SHORT = 0.6
"""Share of the length asked for below which a summary says why it ends."""


@takes_request
def summarize_command(
    files: Files = None,
    *,
    request: SummaryRequest,
    form: Annotated[
        SummaryFormat | None,
        Option(
            "--format",
            help="Form of the output; html is a page that shows the source, what was left out of "
            "it, and why; source and tree show the same on the terminal.",
            show_default="by the suffix of -o, else text",
        ),
    ] = None,
    model: Model = None,
    analysis: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Take the discourse from FILE: JSON of discobert analyze, .rs3, .rs4, .dis or "
            ".rsd. Without a text, the file's own text is summarised.",
            show_default=False,
        ),
    ] = None,
    output: Output = None,
    include_source: IncludeSource = False,
    kind: Input = None,
    encoding: Encoding = None,
    max_chars: MaxChars = DEFAULT_LIMITS.max_chars,
    max_edus: MaxEdus = DEFAULT_LIMITS.max_edus,
    max_sentence_pieces: MaxSentencePieces = DEFAULT_LIMITS.max_sentence_pieces,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Summarise texts by their own clauses, at most as long as asked for.

    If not even one clause with what it needs fits, one is shown all the same, with a warning.

    Several files with --format json give one array, with --format html one page.
    """
    from discobert.api import Summarizer

    named = [*(files or ()), *([str(analysis)] if analysis else ())]
    refuse_overwriting(output, named)
    chosen = form or form_of(output or Path(), SUMMARY_SUFFIXES, SummaryFormat.TEXT)
    if include_source and chosen not in _HOLDS_SOURCE:
        raise UsageError(f"--include-source goes with --format json or jsonl, not {chosen.value}")
    limits = TextLimits(
        max_chars=max_chars, max_edus=max_edus, max_sentence_pieces=max_sentence_pieces
    )
    errors = FileErrors(several=len(files or ()) > 1)
    read = partial(read_sources, errors=errors, encoding=encoding, kind=kind, limits=limits)
    inputs = _inputs(read, files or [], analysis)
    if not inputs:
        errors.finish()
    summarizer = Summarizer.load(model, threads=threads, limits=limits)
    summaries: list[Summary] = []
    for source in progress(inputs, label="Summarising", quiet=quiet):
        with errors.kept(), spinner(len(source.text), quiet=quiet or errors.several):
            found = summarizer.analyze_source(source)
            summaries.append(summarizer.summarize_analysis(found, request))
    written = format_summaries(
        summaries, chosen, screen=_screen(output), source=include_source, several=errors.several
    )
    emit(written if summaries else "", output)
    note(_warnings(summaries, quiet=quiet), quiet=False)
    note(_short_summaries(summaries, request), quiet=quiet)
    errors.finish()


def _screen(output: Path | None) -> Screen | None:
    if output is not None or sys.stdout is None or not sys.stdout.isatty():
        return None
    return Screen(
        width=min(_WIDEST_TEXT, shutil.get_terminal_size().columns),
        colour="NO_COLOR" not in os.environ,
    )


def _inputs(
    read: Callable[[Sequence[str]], "list[SourceText | Analysis]"],
    files: Sequence[str],
    analysis: Path | None,
) -> "Sequence[SourceText | Analysis]":
    """Read all texts before any work is done."""
    if analysis is None:
        return read(files)
    if len(files) > 1:
        raise UsageError(f"--analysis goes with one text at most, got {len(files)} files")
    from discobert.store.treebanks.analyses import read_analysis

    given = read(files)[0] if files else None
    if given is not None and not isinstance(given, SourceText):
        raise UsageError(f"--analysis goes with a text, but {files[0]} is an analysis itself")
    found = read_analysis(analysis, text=given.text if given else None)
    if given is not None:
        found = replace(found, document=replace(found.document, markup=given.markup))
    return [found]


def _warnings(summaries: Sequence["Summary"], *, quiet: bool) -> Iterator[str]:
    """Yield warnings; a broken bound is worth one even if nothing else should be said."""
    for summary in summaries:
        for warning in summary.warnings:
            if quiet and warning.code != "over-budget":
                continue
            yield f"warning: {summary.document.id}: {warning.message} ({warning.code})"


def _short_summaries(summaries: Sequence["Summary"], request: SummaryRequest) -> Iterator[str]:
    """Say why summaries end well below the length that was asked for."""
    if request.budget == NO_BUDGET or request.budget.is_minimum:
        return
    for summary in summaries:
        limit = request.budget.limit(summary.document)
        length = _length(summary, limit)
        reason = ENDS.get(summary.end or "")
        if reason is None or limit.at_most is None or length >= _SHORT * limit.at_most:
            continue
        why = reason.removeprefix("the summary ends here because ")
        yield (
            f"note: {summary.document.id}: ends after {length} of "
            f"{limit.unit.counted(limit.at_most)}: {why}"
        )


def _length(summary: "Summary", limit: Limit) -> int:
    edus = summary.selection.edus
    touched = {summary.document.edus[edu].sentence for edu in edus}
    return length_in(limit.unit, summary.sentences, n_edus=len(edus), n_sentences=len(touched))
