"""``discobert stats``: statistics of a prepared corpus, beside the paper's Table 1."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.declare import Argument, Option
from discobert.cli.options import Debug, Output, Quiet, Threads
from discobert.cli.outputs import emit
from discobert.cli.run_record import run_record

if TYPE_CHECKING:
    from discobert.batch.tasks.statistics import Histogram, Statistics

_BLOCKS = " ▁▂▃▄▅▆▇█"


class StatsFormat(Enum):
    """How statistics are written."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


def stats_command(
    prepared: Annotated[
        Path, Argument(metavar="PREPARED", help="A folder that discobert prepare has made.")
    ],
    *,
    form: Annotated[
        StatsFormat, Option("--format", help="html draws the plots.")
    ] = StatsFormat.TABLE,
    max_pieces: Annotated[
        int | None,
        Option(
            min=1,
            metavar="N",
            help="Cut every document after the last sentence that fits in so many word pieces, "
            "[CLS] and [SEP] included; the paper's Table 1 is of documents cut at 768.",
            show_default="whole documents",
        ),
    ] = None,
    verify: Annotated[
        bool, Option("--verify", help="First compare every shard with its checksum.")
    ] = False,
    output: Output = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Show sizes, graphs and oracles of a prepared corpus, with plots.

    Averages stand beside the paper's Table 1; the share of oracle sentences after the tenth was
    25 % there.
    """
    from discobert.batch.tasks.statistics import statistics_of, to_json
    from discobert.data.codecs.json_text import dumps
    from discobert.store.prepared.manifest import open_prepared

    corpus = open_prepared(prepared)
    if verify:
        corpus.verify()
    statistics = statistics_of(corpus, max_pieces=max_pieces)
    if form is StatsFormat.JSON:
        record = run_record(corpus.model)
        emit(f"{dumps({**to_json(statistics), 'run': record})}\n", output)
    else:
        emit(_format(statistics, form, prepared.name), output)


def _format(statistics: "Statistics", form: StatsFormat, name: str) -> str:
    from discobert.batch.tasks.statistics import table
    from discobert.render.tables import markdown_table

    heading, rows = table(statistics)
    if form is StatsFormat.HTML:
        return _page(statistics, name)
    if form is StatsFormat.MARKDOWN:
        return markdown_table(heading, rows)
    widths = [max(len(row[column]) for row in (heading, *rows)) for column in range(len(heading))]
    lines = [_aligned(row, widths) for row in (heading, *rows)]
    lines += [line for histogram in statistics.histograms for line in _block_histogram(histogram)]
    return "\n".join(lines) + "\n"


def _aligned(cells: tuple[str, ...], widths: list[int]) -> str:
    first, *rest = (
        cell.rjust(width) if column else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join((first, *rest)).rstrip()


def _block_histogram(histogram: "Histogram") -> list[str]:
    """Draw a histogram with a line of block characters for each series."""
    range_ = f"{histogram.labels[0]} … {histogram.labels[-1]}"
    lines = ["", f"{histogram.title} ({histogram.axis}: {range_})"]
    for name, counts in histogram.series.items():
        most = max(counts) or 1
        steps = (-(-count * (len(_BLOCKS) - 1) // most) for count in counts)
        lines.append(f"{name:>16}  {''.join(_BLOCKS[step] for step in steps)}")
    return lines


def _page(statistics: "Statistics", name: str) -> str:
    from discobert.batch.tasks.statistics import shares, table
    from discobert.render.charts import GroupedBars, render_chart_page

    charts = [
        GroupedBars(
            histogram.title,
            histogram.axis,
            "%",
            histogram.labels,
            {name: shares(counts) for name, counts in histogram.series.items()},
        )
        for histogram in statistics.histograms
    ]
    return render_chart_page(f"Prepared corpus {name}", *table(statistics), charts)
