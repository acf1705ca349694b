"""``discobert batch``: many texts in, a line of JSON for each out."""

from pathlib import Path
from typing import Annotated

from discobert.batch.engine.options import BatchEngine, RunOptions
from discobert.cli.declare import Argument, Option
from discobert.cli.inputs import refuse_overwriting
from discobert.cli.options import Debug, MaxEdus, Model, Quiet, Threads
from discobert.cli.request_options import takes_request
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
from discobert.selection.request import SummaryRequest
from discobert.store.corpora.sources import CorpusKind, Source


@takes_request
def batch_command(
    source: Annotated[
        Path,
        Argument(
            metavar="IN.jsonl",
            help='Lines of {"id", "text"} or {"id", "article": [paragraphs]}, plain, gzip or xz; '
            "or another kind of --corpus.",
        ),
    ],
    out: Annotated[Path, Argument(metavar="OUT.jsonl", help="The file of summaries.")],
    *,
    request: SummaryRequest,
    model: Model = None,
    corpus: Annotated[CorpusKind, Option(help=CORPUS_HELP)] = CorpusKind.JSONL,
    column: Columns = None,
    listing: Listing = None,
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
    """Summarise many texts, in their order: a summary or an error record a line.

    OUT.jsonl appears when all is done, with a manifest beside it; until then finished shards wait
    in OUT.jsonl.parts, and the same command with --resume goes on from them.
    """
    from discobert.batch.engine.outputs import FileOutput
    from discobert.batch.engine.plan import Sharding
    from discobert.batch.engine.run import run
    from discobert.batch.tasks.models import portable_model
    from discobert.batch.tasks.summaries import SummariseTask
    from discobert.store.corpora.columns import named_columns
    from discobert.store.corpora.entries import Demands

    refuse_overwriting(out, [str(source)])
    limits = TextLimits(max_chars=max_chars, max_edus=max_edus)
    with ProgressBar("Summarising", quiet=quiet) as bar:
        outcome = run(
            Source(
                kind=corpus,
                path=source,
                columns=named_columns(column or ()),
                listing=listing,
                demands=Demands(reference=False, max_chars=max_chars),
            ),
            SummariseTask(model=portable_model(model), request=request, limits=limits),
            FileOutput(out),
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
    report_outcome(outcome, where="", quiet=quiet)
