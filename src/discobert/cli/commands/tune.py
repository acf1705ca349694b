"""``discobert tune``: the length of summaries, tuned anew for a trained summariser."""

from pathlib import Path
from typing import Annotated

import typer

from discobert.cli.commands.train_summarizer import BranchFrom, Cache, Encoder, Prepared
from discobert.cli.options import Debug, Model, Quiet, Threads
from discobert.errors import MissingExtra


def tune_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder that training wrote.")],
    *,
    data: Prepared,
    limit: Annotated[
        int, typer.Option(min=1, metavar="N", help="Documents to tune on, from the first.")
    ] = 2000,
    model: Model = None,
    encoder: Encoder = None,
    branch_from: BranchFrom = None,
    cache: Cache = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Try lengths in steps and words, and the ranker if there is one; keep the best in RUN.

    RUN/tuning.csv shows what each gave, RUN/decoding.json is what export takes over.
    """
    from discobert.cli.commands.train import find_encoder
    from discobert.store.bundle import find_bundle, open_bundle

    try:
        from discobert.train.analyser.train import use_threads
        from discobert.train.export.summarizer import read_training
        from discobert.train.summarizer.corpus import open_corpus
        from discobert.train.summarizer.setup import make_setup
        from discobert.train.summarizer.train import TUNING, SummarizerRun
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    if threads:
        use_threads(threads)
    training = read_training(run)
    bundle = None if training.encoder and model is None else open_bundle(find_bundle(model or "en"))
    setup = make_setup(
        training, bundle=bundle, encoder=find_encoder(encoder), analyser_run=branch_from
    )
    made = SummarizerRun(training, setup, run, cache or run.parent / "features")
    best = made.tune(open_corpus(data).first(limit))
    if not quiet:
        print((run / TUNING).read_text(encoding="utf-8"), end="")
    blocking, economy = "on" if best.blocking else "off", best.economy
    print(
        f"{best.rule.value} {best.value}, trigram blocking {blocking}, "
        f"economy {economy.share:g} {economy.power:g}"
    )
