"""``discobert evaluate``: systems over a corpus, with intervals."""

import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discobert.cli.options import Debug, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit
from discobert.errors import UsageError

if TYPE_CHECKING:
    from discobert.evaluate.report import Report
    from discobert.evaluate.runner import ArticleResult
    from discobert.evaluate.setup import Setup
    from discobert.logic.boilerplate import Boilerplate

DEFAULT_SYSTEMS = "lead3,oracle-sentence"


class ReportFormat(Enum):
    """How a report is written."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"


class BoilerplateChoice(Enum):
    """Whether bylines, time stamps and datelines stay."""

    KEEP = "keep"
    DROP = "drop"


class OracleChoice(Enum):
    """What an oracle climbs."""

    ROUGE1 = "rouge1"
    ROUGE12 = "rouge1+rouge2"


Data = Annotated[
    Path,
    typer.Option(
        metavar="FILE.jsonl[.xz|.gz]",
        help="Lines of JSON with id, source, article (paragraphs) and highlights (lines).",
    ),
]
Systems = Annotated[
    str,
    typer.Option(
        metavar="NAME,…",
        help="Systems to run: lead3, lexrank, rst-trim, oracle-sentence, oracle-edu, "
        "oracle-edu-free, sentence, discobert, discobert-bare, discobert-paper, discobert-free.",
    ),
]
Outputs = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=FILE.jsonl",
        help="Summaries of another system: lines of JSON with id and summary (lines); repeatable.",
        show_default=False,
    ),
]
Skip = Annotated[int, typer.Option(min=0, metavar="N", help="Articles to leave out.")]
Limit = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Articles to take.", show_default="all")
]
Jobs = Annotated[int, typer.Option(min=1, metavar="N", help="Processes to use.")]
BoilerplateOption = Annotated[
    BoilerplateChoice,
    typer.Option(
        help="Bylines, time stamps, datelines and notices of news pages; published figures keep "
        "them."
    ),
]
OracleOption = Annotated[
    OracleChoice,
    typer.Option(help="What the oracles climb, by F1; the paper's is rouge1, greedily."),
]
OracleBeam = Annotated[
    int, typer.Option(min=1, metavar="N", help="Selections an oracle keeps; 1 is greedy.")
]
Grammar = Annotated[
    bool,
    typer.Option(
        "--grammar", help="Also count errors of grammar and punctuation (needs the grammar extra)."
    ),
]
Words = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Upper bound on the words of systems that have a model.",
        show_default="the length each was tuned to",
    ),
]
PerDocument = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Also write scores and summaries of each article, a line of JSON each.",
        show_default=False,
    ),
]
Format = Annotated[ReportFormat, typer.Option("--format", help="How to write the report.")]
SentenceModel = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|DIR", help="Model of the system sentence.", show_default="that of --model"
    ),
]


def evaluate(
    data: Path,
    setup: "Setup",
    *,
    skip: int = 0,
    limit: int | None = None,
    jobs: int = 1,
    boilerplate: "Boilerplate | None" = None,
) -> Iterator["ArticleResult"]:
    """Evaluate the systems on a slice of a corpus, article by article."""
    from functools import partial

    from discobert.evaluate.runner import run, run_in_processes
    from discobert.evaluate.setup import check_outputs, make_bench
    from discobert.logic.boilerplate import Boilerplate
    from discobert.store.corpora import read_articles

    how = boilerplate or Boilerplate.KEEP
    check_outputs(setup, (a.id for a in read_articles(data, skip=skip, limit=limit)))
    articles = read_articles(data, skip=skip, limit=limit, boilerplate=how)
    if jobs == 1:
        yield from run(make_bench(setup), articles)
    else:
        yield from run_in_processes(partial(make_bench, setup), articles, jobs=jobs)


def evaluate_command(
    *,
    data: Data,
    systems: Systems = DEFAULT_SYSTEMS,
    outputs: Outputs = None,
    skip: Skip = 0,
    limit: Limit = None,
    jobs: Jobs = 1,
    boilerplate: BoilerplateOption = BoilerplateChoice.KEEP,
    oracle: OracleOption = OracleChoice.ROUGE1,
    oracle_beam: OracleBeam = 1,
    grammar: Grammar = False,
    words: Words = None,
    per_document: PerDocument = None,
    form: Format = ReportFormat.TABLE,
    model: Model = None,
    sentence_model: SentenceModel = None,
    output: Output = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Score summaries with ROUGE-1, ROUGE-2 and ROUGE-Lsum against references."""
    from discobert.evaluate.formats import to_lines
    from discobert.evaluate.report import report_on
    from discobert.evaluate.setup import Setup
    from discobert.logic.boilerplate import Boilerplate
    from discobert.logic.oracle import Objective, OracleConfig

    setup = Setup(
        systems=tuple(filter(None, (name.strip() for name in systems.split(",")))),
        outputs=tuple(_named_file(pair) for pair in outputs or ()),
        oracle=OracleConfig(objective=Objective(oracle.value), beam=oracle_beam),
        model=model,
        sentence_model=sentence_model,
        threads=threads,
        grammar=grammar,
        words=words,
    )
    found = evaluate(
        data,
        setup,
        skip=skip,
        limit=limit,
        jobs=jobs,
        boilerplate=Boilerplate(boilerplate.value),
    )
    results = list(_watched(found, total=limit, quiet=quiet))
    report = report_on(results)
    if per_document is not None:
        emit(to_lines(results), per_document)
    emit(_written(report, form), output)


def _named_file(pair: str) -> tuple[str, Path]:
    name, mark, path = pair.partition("=")
    if not name or not mark or not path:
        raise UsageError(f"--outputs needs NAME=FILE.jsonl, got {pair!r}")
    return name, Path(path)


def _written(report: "Report", form: ReportFormat) -> str:
    from discobert.cli.tables import drawn
    from discobert.data.json_text import dumps
    from discobert.evaluate.formats import tables, to_json, to_markdown

    if form is ReportFormat.JSON:
        return f"{dumps(to_json(report))}\n"
    return to_markdown(report) if form is ReportFormat.MARKDOWN else drawn(tables(report))


def _watched(
    results: Iterable["ArticleResult"], *, total: int | None, quiet: bool
) -> Iterable["ArticleResult"]:
    """Pass results on, with a progress bar if somebody watches."""
    if quiet or not sys.stderr.isatty():
        return results
    from rich.console import Console
    from rich.progress import track

    return track(results, "Evaluating", total=total, console=Console(stderr=True), transient=True)
