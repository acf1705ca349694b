"""``discobert analyze``: texts in, sentences, EDUs, RST trees and coreference out."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.declare import Option
from discobert.cli.inputs import FileErrors, read_sources, refuse_overwriting
from discobert.cli.options import (
    Debug,
    Encoding,
    Files,
    Input,
    MaxChars,
    MaxEdus,
    Model,
    Output,
    Quiet,
    Threads,
)
from discobert.cli.outputs import emit, note, progress, spinner
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.errors import UsageError
from discobert.formats import ANALYSIS_SUFFIXES, ONE_TREE, AnalysisFormat, form_of, format_analyses

if TYPE_CHECKING:
    from discobert.data.analysis import Analysis


def analyze_command(
    files: Files = None,
    *,
    form: Annotated[
        AnalysisFormat | None,
        Option(
            "--format",
            help="json for programs; tree for the terminal; rs3 for rstWeb and dis as in the RST "
            "treebank, one text each; html is a page with the tree and the chains drawn.",
            show_default="by the suffix of -o, else tree on a terminal, json in a pipe",
        ),
    ] = None,
    model: Model = None,
    output: Output = None,
    kind: Input = None,
    encoding: Encoding = None,
    max_chars: MaxChars = DEFAULT_LIMITS.max_chars,
    max_edus: MaxEdus = DEFAULT_LIMITS.max_edus,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Analyse the discourse of texts: sentences, clauses, RST tree and coreference.

    Several files with --format json give one array, with --format html one page.
    """
    from discobert.api import NOT_ENGLISH, Summarizer

    chosen = form or default_format(output, on_terminal=_on_terminal())
    named = files or []
    if chosen in ONE_TREE and len(named) > 1:
        raise UsageError(
            f"--format {chosen.value} holds one tree, but {len(named)} files are named; "
            "call it once for each, or use --format json"
        )
    refuse_overwriting(output, named)
    limits = TextLimits(max_chars=max_chars, max_edus=max_edus)
    errors = FileErrors(several=len(named) > 1)
    texts = read_sources(named, errors, encoding=encoding, kind=kind, limits=limits)
    if not texts:
        errors.finish()
    summarizer = Summarizer.load(model, threads=threads, limits=limits)
    analyses: list[Analysis] = []
    for source in progress(texts, label="Analysing", quiet=quiet):
        with errors.kept(), spinner(len(source.text), quiet=quiet or errors.several):
            analyses.append(summarizer.analyze_source(source))
    written = format_analyses(analyses, chosen, width=_width(output), several=errors.several)
    emit(written if analyses else "", output)
    documents = [analysis.document for analysis in analyses]
    foreign = [document.id for document in documents if not summarizer.reads(document.text)]
    note((f"warning: {name}: {NOT_ENGLISH.message}" for name in foreign), quiet=quiet)
    remarks = [(document.id, said) for document in documents for said in document.markup.notes]
    note((f"warning: {name}: {said.message} ({said.code})" for name, said in remarks), quiet=quiet)
    errors.finish()


def default_format(output: Path | None, *, on_terminal: bool) -> AnalysisFormat:
    """Choose a form: the one that the output is named after, or the one its reader expects."""
    if output is not None:
        return form_of(output, ANALYSIS_SUFFIXES, AnalysisFormat.JSON)
    return AnalysisFormat.TREE if on_terminal else AnalysisFormat.JSON


def _on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _width(output: Path | None) -> int | None:
    """Return the width of the terminal that will show the result, if one will."""
    if output is not None or not _on_terminal():
        return None
    return shutil.get_terminal_size().columns
