"""``discobert evaluate-cuts``: the cut head against judged cuts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.commands.evaluation.evaluate_analysis import AnalysisReportFormat, Split
from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit, progress

if TYPE_CHECKING:
    from discobert.evaluate.cuts.report import CutReport


def evaluate_cuts_command(
    *,
    data: Annotated[Path, Option(metavar="CUTS.jsonl[.xz]", help="Judged cuts, one a line.")],
    articles: Annotated[
        Path, Option(metavar="FILE.jsonl[.xz]", help="The articles that news cuts are from.")
    ],
    gum: Annotated[Path, Option(metavar="GUM.jsonl[.xz]", help="GUM, a document a line.")],
    split: Annotated[Split, Option(help="Which part of the cuts.")] = Split.DEV,
    form: Annotated[
        AnalysisReportFormat, Option("--format", help="How to write the report.")
    ] = AnalysisReportFormat.TABLE,
    model: Model = None,
    output: Output = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Score which clauses a model finds harmless to cut against labels.

    Sentences are cut into the EDUs that the judges saw; the labels are by language models.
    """
    from discobert.analyser.load import neural_analyser
    from discobert.evaluate.cuts.evaluate import score_cuts
    from discobert.evaluate.cuts.report import report_on
    from discobert.store.bundle import find_bundle, open_bundle
    from discobert.store.corpora.judged_cuts import read_cut_documents

    bundle = open_bundle(find_bundle(model or "en"))
    analyser = neural_analyser(bundle.read, bundle.settings, threads=threads or 1)
    documents = list(read_cut_documents(data, articles=articles, gum=gum, split=split.value))
    shown = progress(documents, label="Evaluating", quiet=quiet)
    report = report_on(list(score_cuts(analyser, shown)), model=bundle.model)
    emit(_format(report, form), output)


def _format(report: "CutReport", form: AnalysisReportFormat) -> str:
    from discobert.cli.tables import terminal_tables
    from discobert.data.codecs.json_text import dumps
    from discobert.evaluate.cuts.formats import tables, to_json

    if form is AnalysisReportFormat.JSON:
        return f"{dumps(to_json(report))}\n"
    return "\n".join(terminal_tables({title: table}) for title, table in tables(report).items())
