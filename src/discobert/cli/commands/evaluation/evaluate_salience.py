"""``discobert evaluate-salience``: scores of units against the oracle."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.commands.evaluation.evaluate import (
    BoilerplateOption,
    Format,
    ReportFormat,
    written_report,
)
from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit, progress
from discobert.cli.run_options import Limit, Skip
from discobert.cli.run_record import run_record
from discobert.language.boilerplate import Boilerplate

if TYPE_CHECKING:
    from discobert.data.codecs.json_text import Json, JsonObject
    from discobert.discourse.units import UnitKind
    from discobert.evaluate.salience import SalienceReport
    from discobert.metrics.statistics import Interval
    from discobert.render.tables import Table


def evaluate_salience_command(
    *,
    data: Annotated[
        Path,
        Option(
            metavar="FILE.jsonl[.xz|.gz]|DIR",
            help="Articles with highlights, as discobert evaluate takes them.",
        ),
    ],
    skip: Skip = 0,
    limit: Limit = None,
    boilerplate: BoilerplateOption = Boilerplate.KEEP,
    form: Format = ReportFormat.TABLE,
    model: Model = None,
    output: Output = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Score how surely sentences and EDUs of the oracle are scored above the others.

    The area under the curve, the mean over texts. The oracle is the paper's: greedy, ROUGE-1,
    EDUs with all they depend on. Beside it, the same by the order of the text alone.
    """
    from discobert.api import Summarizer
    from discobert.batch.tasks.models import model_identity
    from discobert.evaluate.report import require_articles
    from discobert.evaluate.salience import ranked_articles, report_on
    from discobert.store.corpora.json_lines import ArticleSample

    articles = list(
        ArticleSample(path=data, skip=skip, limit=limit, boilerplate=boilerplate).articles()
    )
    require_articles(articles)
    pipeline = Summarizer.load(model, threads=threads).pipeline
    watched = progress(articles, label="Evaluating", quiet=quiet)
    reports = report_on(ranked_articles(pipeline, watched))
    value = {**_to_json(reports), "run": run_record(model_identity(model))}
    emit(written_report(value, {"Salience": _table(reports)}, form), output)


def _to_json(reports: "dict[UnitKind, SalienceReport]") -> "JsonObject":
    from discobert.data.codecs.fields import FORMAT

    def interval(found: "Interval") -> "list[Json]":
        return [round(value, 4) for value in (found.mean, found.low, found.high)]

    areas: JsonObject = {
        kind.value: {
            "documents": report.documents,
            "scores": interval(report.scores),
            "position": interval(report.position),
        }
        for kind, report in reports.items()
    }
    return {"format": FORMAT, "areas": areas}


def _table(reports: "dict[UnitKind, SalienceReport]") -> "Table":
    def written(found: "Interval") -> str:
        return f"{found.mean:.3f} ({found.low:.3f}-{found.high:.3f})"

    heading = ("units", "documents", "by scores", "by position")
    rows = [
        (kind.value, str(report.documents), written(report.scores), written(report.position))
        for kind, report in reports.items()
    ]
    return heading, rows
