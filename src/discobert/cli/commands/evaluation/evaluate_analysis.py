"""``discobert evaluate-analysis``: the analyser against gold documents."""

from enum import Enum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit, progress
from discobert.cli.run_record import run_record
from discobert.errors import InputError, UsageError

if TYPE_CHECKING:
    from discobert.evaluate.analyses.evaluate import GuidedAnalyser
    from discobert.evaluate.analyses.report import AnalysisReport
    from discobert.protocols import Analyser
    from discobert.store.treebanks.gum import GoldDocument


class AnalysisReportFormat(Enum):
    """How a report is written."""

    TABLE = "table"
    JSON = "json"


class Split(Enum):
    """A part of the corpus."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"


def evaluate_analysis_command(
    *,
    data: Annotated[
        Path,
        Option(
            metavar="GUM.jsonl[.xz]",
            help="GUM, a document a line: tokens, sentences, EDUs, trees, syntax and coreference.",
        ),
    ],
    split: Annotated[Split, Option(help="Which part of the corpus.")] = Split.DEV,
    licensed_only: Annotated[
        bool,
        Option(
            "--licensed-only",
            help="Leave out documents that may not be used commercially. They are also told apart "
            "in a report on all.",
        ),
    ] = False,
    limit: Annotated[
        int | None,
        Option(min=1, metavar="N", help="Documents to take.", show_default="all"),
    ] = None,
    form: Annotated[
        AnalysisReportFormat, Option("--format", help="How to write the report.")
    ] = AnalysisReportFormat.TABLE,
    model: Model = None,
    output: Output = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Score sentences, EDUs, trees, dependencies, subjects and coreference against gold.

    Everything starts from raw text, but for figures on gold EDUs, which are given the gold
    sentences too.
    """
    from discobert.api import Summarizer
    from discobert.batch.tasks.models import model_identity
    from discobert.data.codecs.json_text import dumps
    from discobert.evaluate.analyses.evaluate import score_document
    from discobert.evaluate.analyses.formats import to_json
    from discobert.evaluate.analyses.report import report_on

    documents = select_documents(data, split, licensed_only=licensed_only, limit=limit)
    summarizer = Summarizer.load(model, threads=threads)
    analyser = guided(summarizer.pipeline.analyser)
    scores = [
        score_document(analyser, gold)
        for gold in progress(documents, label="Evaluating", quiet=quiet)
    ]
    report = report_on(scores, model=summarizer.model)
    if form is AnalysisReportFormat.JSON:
        record = run_record(model_identity(model))
        emit(f"{dumps({**to_json(report), 'run': record})}\n", output)
    else:
        emit(_shown(report), output)


def select_documents(
    data: Path, split: Split, *, licensed_only: bool = False, limit: int | None = None
) -> "list[GoldDocument]":
    """Read the documents of a split in the order of the file."""
    from discobert.store.text import printable
    from discobert.store.treebanks.gum import read_gum

    chosen = (
        gold
        for gold in read_gum(data)
        if gold.split == split.value and not (licensed_only and gold.non_commercial)
    )
    documents = list(islice(chosen, limit))
    if not documents:
        raise InputError(f"{printable(data)}: no document of the split {split.value!r} is left")
    return documents


def guided(analyser: "Analyser") -> "GuidedAnalyser[Any]":
    """Return the analyser as one that can be given gold sentences and EDUs."""
    from discobert.evaluate.analyses.evaluate import GuidedAnalyser

    if isinstance(analyser, GuidedAnalyser):
        return analyser
    raise UsageError(f"{type(analyser).__name__} cannot be given gold EDUs, so it is not evaluated")


def _shown(report: "AnalysisReport") -> str:
    from discobert.cli.tables import terminal_tables
    from discobert.evaluate.analyses.formats import tables

    return "\n".join(terminal_tables({title: table}) for title, table in tables(report).items())
