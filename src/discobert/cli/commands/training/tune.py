"""``discobert tune``: tune the length of summaries again for a trained summariser."""

from pathlib import Path
from typing import Annotated

from discobert.cli.commands.training.train_summarizer import (
    BranchFrom,
    Cache,
    Encoder,
    Prepared,
    begin_training,
    encoder_setup,
)
from discobert.cli.declare import Argument, Option
from discobert.cli.options import Debug, Model, Quiet, Threads
from discobert.cli.streams import show
from discobert.errors import MissingExtra


def tune_command(
    run: Annotated[Path, Argument(metavar="RUN", help="Folder that training wrote.")],
    *,
    data: Prepared,
    limit: Annotated[
        int, Option(min=1, metavar="N", help="Documents to tune on, from the first.")
    ] = 2000,
    model: Model = None,
    encoder: Encoder = None,
    branch_from: BranchFrom = None,
    cache: Cache = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Try lengths in steps and words, and the ranker if there is one; store the best in RUN.

    RUN/tuning.csv holds the ROUGE of each; RUN/decoding.json is the one that export uses.
    """
    try:
        from discobert.train.summarizer.corpus import open_training_corpus
        from discobert.train.summarizer.run_files import TUNING, read_training
        from discobert.train.summarizer.train import SummarizerRun
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    begin_training(threads=threads, quiet=True)
    training = read_training(run)
    setup = encoder_setup(training, model=model, encoder=encoder, branch_from=branch_from)
    finished = SummarizerRun(training, setup, run, cache or run.parent / "features")
    best = finished.tune(open_training_corpus(data).first(limit))
    if not quiet:
        show((run / TUNING).read_text(encoding="utf-8"))
    blocking = "on" if best.blocking else "off"
    show(
        f"{best.rule.value} {best.value}, trigram blocking {blocking}, "
        f"economy {best.economy.share:g} {best.economy.power:g}, "
        f"sentence weight {best.sentence_weight:g}, bias {best.bias:g}\n"
    )
