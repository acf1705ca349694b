"""``discobert benchmark``: what a summary costs on this machine."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit, note
from discobert.errors import UsageError

if TYPE_CHECKING:
    from discobert.benchmark.run import BenchmarkPlan, BenchmarkReport

N_TEXTS = 10


class BenchmarkFormat(Enum):
    """How figures are written."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"


Data = Annotated[
    Path | None,
    Option(
        metavar="FILE.jsonl[.xz|.gz]",
        help="Texts: lines of JSON with article (paragraphs) or text.",
        show_default="texts made by rules",
    ),
]
Limit = Annotated[int, Option(min=1, metavar="N", help="Texts to take.")]
Runs = Annotated[
    int, Option(min=1, metavar="N", help="Runs of each text; the cheapest one counts.")
]
Quick = Annotated[bool, Option("--quick", help="Leave out texts of 16,000 and of 100,000 words.")]
Format = Annotated[BenchmarkFormat, Option("--format", help="How to write the figures.")]
ChartFile = Annotated[
    Path | None,
    Option(
        metavar="FILE.svg",
        help="Also draw the CPU time of a document by stage.",
        show_default=False,
    ),
]


def benchmark_command(
    *,
    data: Data = None,
    limit: Limit = N_TEXTS,
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
    """Measure CPU and wall time by stage, cold start, memory and disk on one thread.

    To compare with other tools, run python -m benchmarks.compare in a clone of the repository.
    """
    if threads not in (None, 1):
        raise UsageError(f"the benchmark runs on one thread, got --threads {threads}")
    from discobert.benchmark import report as figures
    from discobert.benchmark.run import OURS, run_benchmark
    from discobert.benchmark.texts import read_texts, usual_texts
    from discobert.render.charts import render_stacked_bars

    texts = usual_texts(limit) if data is None else read_texts(data, limit=limit)
    report = run_benchmark(texts, _plan(model, runs, quick=quick, quiet=quiet))
    if chart is not None:
        bars = figures.chart({OURS: report.cost}, report.stages, words=report.words)
        emit(render_stacked_bars(bars), chart)
    emit(_format(report, form), output)


def _plan(model: str | None, runs: int, *, quick: bool, quiet: bool) -> "BenchmarkPlan":
    from discobert.benchmark.run import GROWTH, SHORT, BenchmarkPlan

    def show(message: str) -> None:
        note([f"measuring {message}"], quiet=quiet)

    if quick:
        growth, memory = GROWTH[:-1], (SHORT,)
        return BenchmarkPlan(
            model=model, runs=runs, growth=growth, memory=memory, report_progress=show
        )
    return BenchmarkPlan(model=model, runs=runs, report_progress=show)


def _format(report: "BenchmarkReport", form: BenchmarkFormat) -> str:
    from discobert.benchmark.report import NOTES, tables, to_json, to_markdown
    from discobert.cli.tables import terminal_tables
    from discobert.data.codecs.json_text import dumps

    if form is BenchmarkFormat.JSON:
        return f"{dumps(to_json(report))}\n"
    if form is BenchmarkFormat.MARKDOWN:
        return to_markdown(report)
    return terminal_tables(tables(report)) + "".join(f"{line}\n" for line in NOTES)
