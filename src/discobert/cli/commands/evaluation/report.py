"""``discobert report``: the reproduction report from result files."""

from pathlib import Path
from typing import Annotated

from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Quiet, Threads
from discobert.cli.outputs import emit, note


def report_command(
    *,
    results: Annotated[
        Path, Option(metavar="DIR", help="Folder of result files, as scripts/reproduce makes it.")
    ] = Path("results"),
    output: Annotated[
        Path,
        Option("--output", "-o", metavar="FILE.md", help="The page; its pictures go beside it."),
    ] = Path("docs/reproduction.md"),
    model: Model = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Write the paper's tables beside ours, from files that other commands wrote.

    Results of another model than the named one (its version and checksums) are refused.
    """
    from discobert.batch.tasks.models import model_identity
    from discobert.evaluate.reproduction.page import write_report
    from discobert.evaluate.reproduction.results import Results, shipped_key

    report = write_report(Results(results), shipped_key(model_identity(model)))
    emit(report.page, output)
    for name, picture in report.pictures.items():
        emit(picture, output.with_name(f"{output.stem}-{name}.svg"))
    note([f"{output} and {len(report.pictures)} pictures beside it"], quiet=quiet)
