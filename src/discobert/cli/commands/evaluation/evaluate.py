"""``discobert evaluate``: systems over a corpus, with intervals."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.commands.evaluation.rating import (
    RatersOption,
    RatingFiles,
    RatingSheet,
    SharedDocuments,
    check_sheets,
    scored_ratings,
    write_sheets,
)
from discobert.cli.declare import Option
from discobert.cli.inputs import refuse_overwriting
from discobert.cli.options import Debug, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit, refuse_one_file_for_two
from discobert.cli.run_options import Limit, Skip
from discobert.cli.run_record import run_record
from discobert.cli.streams import on_terminal
from discobert.errors import UsageError
from discobert.language.boilerplate import Boilerplate
from discobert.metrics.oracle import Objective, OracleConfig

if TYPE_CHECKING:
    from discobert.data.codecs.json_text import Json
    from discobert.evaluate.runner import ArticleResult
    from discobert.evaluate.setup import Setup
    from discobert.render.tables import Table
    from discobert.store.corpora.json_lines import ArticleSample

DEFAULT_SYSTEMS = "lead3,oracle-sentence"


class ReportFormat(Enum):
    """How a report is written."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"


Data = Annotated[
    Path | None,
    Option(
        metavar="FILE.jsonl[.xz|.gz]|DIR",
        help="Lines of JSON with id, source, article (paragraphs) and highlights (lines), or a "
        "folder that discobert prepare has made.",
        show_default=False,
    ),
]
Systems = Annotated[
    str,
    Option(
        metavar="NAME,…",
        help="Systems to run: lead3, lead-words, lexrank, rst-trim, oracle-sentence, oracle-edu, "
        "oracle-edu-free, oracle-edu-one-hop, sentence, discobert, discobert-paper, "
        "discobert-paper-rules, discobert-bare, discobert-free; like discobert-bare, but for one "
        "decision: discobert-one-hop, discobert-left-subject, discobert-plain-same-unit, "
        "discobert-unit-blocking, discobert-no-blocking.",
    ),
]
Outputs = Annotated[
    list[str] | None,
    Option(
        metavar="NAME=FILE.jsonl",
        help="Summaries of another system: lines of JSON with id and summary (lines); repeatable.",
        show_default=False,
    ),
]
Sample = Annotated[
    int | None,
    Option(min=1, metavar="N", help="Articles to draw from these at random.", show_default="all"),
]
Seed = Annotated[
    int, Option(metavar="N", help="Decides the sample and the orders of a rating sheet.")
]
Jobs = Annotated[int, Option(min=1, metavar="N", help="Processes to use.")]
BoilerplateOption = Annotated[
    Boilerplate,
    Option(
        help="Bylines, time stamps, datelines and notices of news pages; published figures keep "
        "them."
    ),
]
Split = Annotated[
    str | None,
    Option(
        metavar="NAME,…",
        help="The data are GUM: take these parts (dev, test). Its human summaries are the "
        "references; scores are means over those of a text.",
        show_default=False,
    ),
]
OracleOption = Annotated[
    Objective,
    Option(help="What the oracles climb, by F1; the paper's is rouge1, greedily."),
]
OracleBeam = Annotated[
    int, Option(min=1, metavar="N", help="Selections an oracle keeps; 1 is greedy.")
]
Grammar = Annotated[
    bool,
    Option(
        "--grammar", help="Also count errors of grammar and punctuation (needs the grammar extra)."
    ),
]
Words = Annotated[
    int | None,
    Option(
        min=1,
        metavar="N",
        help="Upper bound on the words of systems that have a model.",
        show_default="the length each was tuned to",
    ),
]
Analyses = Annotated[
    Path | None,
    Option(
        metavar="DIR",
        help="Take the analyses that discobert prepare has made of these articles with the same "
        "model; articles that are not there are analysed.",
        show_default=False,
    ),
]
PerDocument = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="Also write scores and summaries of each article, a line of JSON each.",
        show_default=False,
    ),
]
Format = Annotated[ReportFormat, Option("--format", help="How to write the report.")]
SentenceModel = Annotated[
    str | None,
    Option(
        metavar="NAME|DIR", help="Model of the system sentence.", show_default="that of --model"
    ),
]


def evaluate(data: "ArticleSample", setup: "Setup", *, jobs: int = 1) -> Iterator["ArticleResult"]:
    """Evaluate the systems on a slice of a corpus, article by article."""
    from functools import partial

    from discobert.evaluate.runner import run, run_in_processes
    from discobert.evaluate.setup import check_outputs, make_bench

    check_outputs(setup, (article.id for article in data.articles()))
    if jobs == 1:
        yield from run(make_bench(setup), data.articles())
    else:
        yield from run_in_processes(partial(make_bench, setup), data.articles(), jobs=jobs)


def evaluate_command(
    *,
    data: Data = None,
    systems: Systems = DEFAULT_SYSTEMS,
    outputs: Outputs = None,
    skip: Skip = 0,
    limit: Limit = None,
    sample: Sample = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    boilerplate: BoilerplateOption = Boilerplate.KEEP,
    split: Split = None,
    oracle: OracleOption = Objective.ROUGE1,
    oracle_beam: OracleBeam = 1,
    grammar: Grammar = False,
    words: Words = None,
    analyses: Analyses = None,
    rating_sheet: RatingSheet = None,
    raters: RatersOption = 1,
    shared_documents: SharedDocuments = 8,
    ratings: RatingFiles = None,
    per_document: PerDocument = None,
    form: Format = ReportFormat.TABLE,
    model: Model = None,
    sentence_model: SentenceModel = None,
    output: Output = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Score summaries with ROUGE-1, ROUGE-2 and ROUGE-Lsum against references, or by people."""
    from discobert.batch.tasks.models import model_identity
    from discobert.evaluate.formats import tables, to_json, to_lines
    from discobert.evaluate.ratings.sheet import PanelPlan
    from discobert.evaluate.report import report_on
    from discobert.evaluate.setup import Setup
    from discobert.store.corpora.json_lines import ArticleSample

    if ratings:
        _refuse_both(data, rating_sheet, per_document)
        refuse_overwriting(output, [str(path) for path in ratings])
        emit(_scored(ratings, form, quiet=quiet), output)
        return
    refuse_one_file_for_two(output, per_document, rating_sheet)
    if data is None:
        raise UsageError("nothing to evaluate: name a corpus (--data) or saved ratings (--ratings)")
    setup = Setup(
        systems=tuple(filter(None, (name.strip() for name in systems.split(",")))),
        outputs=tuple(_named_file(pair) for pair in outputs or ()),
        oracle=OracleConfig(objective=oracle, beam=oracle_beam),
        model=model,
        sentence_model=sentence_model,
        threads=threads,
        grammar=grammar,
        words=words,
        analyses=analyses,
    )
    part = ArticleSample(
        path=data,
        skip=skip,
        limit=limit,
        sample=sample,
        seed=seed,
        boilerplate=boilerplate,
        gum_splits=() if split is None else tuple(split.split(",")),
    )
    if rating_sheet is not None:
        check_sheets(rating_sheet, part, setup.names)
    results = list(_watched(evaluate(part, setup, jobs=jobs), total=sample or limit, quiet=quiet))
    report = report_on(results)
    if per_document is not None:
        emit(to_lines(results), per_document)
    if rating_sheet is not None:
        plan = PanelPlan(raters=raters, shared=shared_documents, seed=seed)
        write_sheets(rating_sheet, part, results, plan)
    record = run_record(model_identity(model))
    emit(written_report({**to_json(report), "run": record}, tables(report), form), output)


def _refuse_both(*others: Path | None) -> None:
    if any(other is not None for other in others):
        raise UsageError(
            "--ratings scores what people have saved: it goes without --data, --rating-sheet and "
            "--per-document"
        )


def _scored(paths: Sequence[Path], form: ReportFormat, *, quiet: bool) -> str:
    from discobert.evaluate.ratings.formats import rating_tables, ratings_to_json

    report = scored_ratings(paths, quiet=quiet)
    scored = {**ratings_to_json(report), "run": run_record(None)}
    return written_report(scored, rating_tables(report), form)


def _named_file(pair: str) -> tuple[str, Path]:
    name, mark, path = pair.partition("=")
    if not name or not mark or not path:
        raise UsageError(f"--outputs needs NAME=FILE.jsonl, got {pair!r}")
    return name, Path(path)


def written_report(value: "Json", tables: "Mapping[str, Table]", form: ReportFormat) -> str:
    """Write a report as JSON, or its tables as Markdown or for a terminal."""
    from discobert.cli.tables import terminal_tables
    from discobert.data.codecs.json_text import dumps
    from discobert.render.tables import markdown_tables

    if form is ReportFormat.JSON:
        return f"{dumps(value)}\n"
    return markdown_tables(tables) if form is ReportFormat.MARKDOWN else terminal_tables(tables)


def _watched(
    results: Iterable["ArticleResult"], *, total: int | None, quiet: bool
) -> Iterable["ArticleResult"]:
    """Pass results on, with a progress bar if standard error is a terminal."""
    if quiet or not on_terminal(sys.stderr):
        return results
    from rich.console import Console
    from rich.progress import track

    return track(results, "Evaluating", total=total, console=Console(stderr=True), transient=True)
