"""``discobert relabel``: annotate a training corpus with an analyser."""

from pathlib import Path
from typing import Annotated

from discobert.cli.commands.training.train_summarizer import log_progress
from discobert.cli.declare import Argument, Option
from discobert.cli.options import Debug, Quiet
from discobert.cli.outputs import note
from discobert.errors import MissingExtra


def relabel_command(
    out: Annotated[Path, Argument(metavar="OUT.jsonl", help="File to write.")],
    *,
    model: Annotated[str, Option(metavar="NAME|DIR", help="Bundle whose analyser annotates.")],
    data: Annotated[Path, Option(metavar="DIR", help="Folder with gum/, amalgum/, litbank/.")],
    source: Annotated[str, Option(help="Which of them: gum, amalgum or litbank.")] = "amalgum",
    limit: Annotated[
        int | None,
        Option(min=1, metavar="N", help="Annotate N documents, chosen at random."),
    ] = None,
    seed: Annotated[int, Option(help="Seed of that choice.")] = 0,
    jobs: Annotated[int, Option(min=1, metavar="N", help="Processes.")] = 1,
    resume: Annotated[bool, Option("--resume", help="Continue an interrupted run.")] = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Annotate a corpus with an analyser, so that a smaller one can learn from it.

    Only documents of the train split are used whose licence allows commercial use. Then:
    discobert train analyser --taught OUT.jsonl …
    """
    from discobert.store.bundle import find_bundle

    try:
        from discobert.train.analyser.documents import find_corpus, read_training_documents
        from discobert.train.analyser.relabel import Relabelling, relabel
        from discobert.train.analyser.settings import AnalyserTraining
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    how = Relabelling(find_bundle(model), limit=limit, seed=seed, jobs=jobs)
    if not quiet:
        log_progress()
    documents = read_training_documents([find_corpus(data, source)], AnalyserTraining())
    count = relabel(documents, out, how, resume=resume)
    note([f"{count} documents annotated"], quiet=quiet)
