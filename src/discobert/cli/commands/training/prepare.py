"""``discobert prepare``: a corpus to shards that training reads."""

from pathlib import Path
from typing import Annotated

from discobert.batch.engine.options import BatchEngine, RunOptions
from discobert.cli.declare import Argument, Option
from discobert.cli.options import Debug, MaxEdus, Model, Quiet, Threads
from discobert.cli.run_options import (
    CORPUS_HELP,
    MAX_CHARS,
    Columns,
    EngineOption,
    Force,
    Jobs,
    Limit,
    Listing,
    MaxChars,
    ProgressBar,
    RayAddress,
    Resume,
    ShardSize,
    Skip,
    report_outcome,
)
from discobert.data.limits import DEFAULT_LIMITS, TextLimits
from discobert.language.boilerplate import Boilerplate
from discobert.metrics.oracle import Objective, OracleConfig
from discobert.store.corpora.sources import CorpusKind, Source


def prepare_command(
    source: Annotated[
        Path, Argument(metavar="SOURCE", help="A file, a folder, or a quoted pattern.")
    ],
    out: Annotated[Path, Argument(metavar="OUT", help="The folder that will hold the shards.")],
    *,
    corpus: Annotated[CorpusKind, Option(help=CORPUS_HELP)],
    column: Columns = None,
    listing: Listing = None,
    boilerplate: Annotated[
        Boilerplate, Option(help="Bylines, time stamps and datelines of news pages.")
    ] = Boilerplate.KEEP,
    analyses: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Your own analyses, each named by the id of its article (.json, .rs3, .dis …).",
            show_default=False,
        ),
    ] = None,
    model: Model = None,
    oracle: Annotated[Objective, Option(help="What the oracles climb, by F1.")] = Objective.ROUGE1,
    oracle_beam: Annotated[
        int, Option(min=1, metavar="N", help="Selections an oracle keeps; 1 is greedy.")
    ] = 1,
    skip: Skip = 0,
    limit: Limit = None,
    max_chars: MaxChars = MAX_CHARS,
    max_edus: MaxEdus = DEFAULT_LIMITS.max_edus,
    shard_size: ShardSize = None,
    jobs: Jobs = None,
    engine: EngineOption = BatchEngine.LOCAL,
    ray_address: RayAddress = None,
    resume: Resume = False,
    force: Force = False,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Analyse articles and label them by their summaries, for training.

    OUT appears when all is done; until then finished shards wait in OUT.parts, and the same
    command with --resume goes on from them. Documents that cannot be used are listed in
    OUT/errors.jsonl.
    """
    from discobert.batch.engine.outputs import FolderOutput
    from discobert.batch.engine.plan import Sharding
    from discobert.batch.engine.run import run
    from discobert.batch.tasks.models import portable_model
    from discobert.batch.tasks.prepare import PrepareTask
    from discobert.store.corpora.columns import named_columns
    from discobert.store.corpora.entries import Demands
    from discobert.store.prepared.shards import schema

    schema()  # reports a missing library before anything is written
    task = PrepareTask(
        model=portable_model(model),
        oracle=OracleConfig(objective=oracle, beam=oracle_beam),
        analyses=analyses and analyses.absolute(),
        limits=TextLimits(max_chars=max_chars, max_edus=max_edus),
    )
    with ProgressBar("Preparing", quiet=quiet) as bar:
        outcome = run(
            Source(
                kind=corpus,
                path=source,
                columns=named_columns(column or ()),
                listing=listing,
                boilerplate=boilerplate,
                demands=Demands(max_chars=max_chars),
            ),
            task,
            FolderOutput(out),
            sharding=Sharding(skip=skip, limit=limit, shard_size=shard_size),
            options=RunOptions(
                engine=engine,
                jobs=jobs or threads,
                ray_address=ray_address,
                resume=resume,
                force=force,
            ),
            listener=bar,
        )
    report_outcome(outcome, where=f" ({out}/errors.jsonl)" if outcome.failures else "", quiet=quiet)
