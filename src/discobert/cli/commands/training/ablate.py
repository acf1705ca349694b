"""``discobert ablate``: the paper's table under one equal budget."""

import logging
from pathlib import Path
from typing import Annotated

from discobert.cli.commands.training.train_summarizer import (
    BranchFrom,
    Cache,
    Encoder,
    Prepared,
    Start,
    Validation,
    begin_training,
    encoder_setup,
)
from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Quiet, Threads
from discobert.cli.run_record import run_record
from discobert.cli.streams import show
from discobert.errors import MissingExtra, UsageError


def ablate_command(
    *,
    data: Prepared,
    out: Annotated[Path, Option(metavar="DIR", help="Where runs and the table (ablation.md) go.")],
    config: Annotated[
        Path | None,
        Option(
            metavar="FILE.toml",
            help="Settings that all rows share.",
            show_default="3,000 documents, frozen encoder",
        ),
    ] = None,
    validation: Validation = None,
    test: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Prepared documents to score on.",
            show_default="those of --validation after the ones that lengths are tuned on",
        ),
    ] = None,
    test_documents: Annotated[
        int, Option(min=1, metavar="N", help="Documents to score on.")
    ] = 4000,
    seeds: Annotated[str, Option(metavar="N,…", help="Seeds, one run each.")] = "1,2,3",
    rows: Annotated[
        str,
        Option(
            metavar="NAME,…",
            help="Rows: 'variants' (the paper's five), 'all', or names of rows.",
        ),
    ] = "variants",
    model: Model = None,
    encoder: Encoder = None,
    start: Start = None,
    branch_from: BranchFrom = None,
    cache: Cache = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Train and score the five variants under one budget, with the paper's figures beside ours.

    Finished runs are not repeated: after an interruption, give the same command again.
    """
    from functools import partial

    from discobert.batch.tasks.models import model_identity
    from discobert.store.config import read_config
    from discobert.store.files import write_whole

    try:
        from discobert.train.ablation.report import report, to_json, to_markdown
        from discobert.train.ablation.rows import named_rows, small_budget
        from discobert.train.ablation.train import Ablation, AblationPlan
        from discobert.train.summarizer.corpus import open_training_corpus
        from discobert.train.summarizer.settings import SummarizerTraining
        from discobert.train.summarizer.train import split_data
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    begin_training(threads=threads, quiet=quiet)
    base = small_budget() if config is None else read_config(config, SummarizerTraining)
    held_out = None if validation is None else open_training_corpus(validation)
    source = held_out if test is None else open_training_corpus(test)
    if source is None:
        raise UsageError("name documents to score on with --test or --validation")
    skip = base.tune_documents if test is None else 0
    plan = AblationPlan(
        base,
        named_rows(rows),
        _seeds(seeds),
        tuple(source.first(skip + test_documents)[skip:]),
    )
    ablation = Ablation(
        plan,
        partial(encoder_setup, model=model, encoder=encoder, branch_from=branch_from),
        split_data(open_training_corpus(data), held_out, base),
        out,
        cache or out / "features",
        start=start,
        on_run=logging.getLogger(__name__).info,
    )
    results = report(ablation.run())
    record = run_record(model_identity(model))
    write_whole(out / "ablation.json", to_json(results, plan, record).encode())
    table = to_markdown(results, plan)
    write_whole(out / "ablation.md", table.encode())
    show(table)


def _seeds(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(
            f"--seeds needs whole numbers separated by commas, got {text!r}"
        ) from error
