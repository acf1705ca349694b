"""``discobert benchmark``: what a summary costs, beside the limit and other tools."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discobert.cli.options import Debug, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit, note
from discobert.errors import UsageError

if TYPE_CHECKING:
    from discobert.benchmark.run import BenchmarkReport, Plan
    from discobert.benchmark.texts import NamedText

USUAL_TEXTS = 10


class BenchmarkFormat(Enum):
    """How figures are written."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"


Data = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.jsonl[.xz|.gz]",
        help="Texts: lines of JSON with article (paragraphs) or text.",
        show_default="texts made by rules",
    ),
]
Limit = Annotated[int, typer.Option(min=1, metavar="N", help="Texts to take.")]
Runs = Annotated[
    int, typer.Option(min=1, metavar="N", help="Runs of each text; the cheapest one counts.")
]
Quick = Annotated[
    bool, typer.Option("--quick", help="Leave out texts of 16,000 and of 100,000 words.")
]
Format = Annotated[BenchmarkFormat, typer.Option("--format", help="How to write the figures.")]
ChartFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.svg",
        help="Also draw the CPU time of each system, ours by stage.",
        show_default=False,
    ),
]


def benchmark_command(
    *,
    data: Data = None,
    limit: Limit = USUAL_TEXTS,
    runs: Runs = 3,
    quick: Quick = False,
    form: Format = BenchmarkFormat.TABLE,
    chart: ChartFile = None,
    model: Model = None,
    output: Output = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Measure CPU and wall time, cold start, memory and disk on one thread.

    Beside us: one bare pass of MiniLM-L6 over the same text, the first three sentences, and sumy,
    summa and MiniLM centroids in torch if they are installed.
    """
    if threads not in (None, 1):
        raise UsageError(f"the benchmark compares systems on one thread, got --threads {threads}")
    from discobert.benchmark.report import chart as chart_of
    from discobert.benchmark.run import run_benchmark
    from discobert.render.charts import render_stacked_bars

    report = run_benchmark(_texts(data, limit), _plan(model, runs, quick=quick, quiet=quiet))
    if chart is not None:
        emit(render_stacked_bars(chart_of(report)), chart)
    emit(_written(report, form), output)


def _texts(data: Path | None, limit: int) -> "list[NamedText]":
    from discobert.benchmark.texts import NamedText, usual_texts
    from discobert.store.corpora.articles import text_of
    from discobert.store.jsonl import read_rows

    if data is None:
        return usual_texts(limit)
    return [NamedText(*text_of(row)) for row in read_rows(data, limit=limit)]


def _plan(model: str | None, runs: int, *, quick: bool, quiet: bool) -> "Plan":
    from discobert.benchmark.run import GROWTH, SHORT, Plan

    def tell(message: str) -> None:
        note([f"measuring {message}"], quiet=quiet)

    if quick:
        return Plan(model=model, runs=runs, growth=GROWTH[:-1], memory=(SHORT,), tell=tell)
    return Plan(model=model, runs=runs, tell=tell)


def _written(report: "BenchmarkReport", form: BenchmarkFormat) -> str:
    from discobert.benchmark.report import notes, tables, to_json, to_markdown
    from discobert.cli.tables import drawn
    from discobert.data.json_text import dumps

    if form is BenchmarkFormat.JSON:
        return f"{dumps(to_json(report))}\n"
    if form is BenchmarkFormat.MARKDOWN:
        return to_markdown(report)
    return drawn(tables(report)) + "".join(f"{line}\n" for line in notes(report))
