"""``discobert train sentences``: the network that scores whole sentences."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.commands.training.train_summarizer import TrainingProgress, begin_training
from discobert.cli.declare import Option
from discobert.cli.run_options import ProgressBar
from discobert.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from discobert.train.sentences.train import SentenceData

Extracts = Annotated[
    list[Path] | None,
    Option(
        metavar="FILE.jsonl",
        help="Sentences, genres: extracts that editors have chosen. May be given several times.",
    ),
]
Gum = Annotated[
    Path | None, Option(metavar="FILE.jsonl", help="Sentences: texts of extracts from GUM.")
]
Articles = Annotated[
    list[Path] | None,
    Option(
        metavar="FILE.jsonl",
        help="Sentences: articles of extracts from news. May be given several times.",
    ),
]


@dataclass(frozen=True, slots=True)
class SentencePaths:
    """The paths of the command line, given or not."""

    data: list[Path]
    validation: Path | None
    extracts: list[Path]
    gum: Path | None
    articles: list[Path]
    cache: Path | None


def train_sentences(
    *,
    config: Path,
    paths: SentencePaths,
    out: Path,
    model: str | None,
    resume: bool,
    quiet: bool,
    threads: int | None,
) -> None:
    """Train the network; the same settings and data give the same weights."""
    from discobert.store.bundle import find_bundle, open_bundle
    from discobert.store.config import read_config

    try:
        from discobert.train.sentences.settings import SentenceTraining
        from discobert.train.sentences.train import SentenceRun
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    data = sentence_data(paths, out)
    begin_training(threads=threads, quiet=quiet)
    training = read_config(config, SentenceTraining)
    bundle = open_bundle(find_bundle(model or "en"))
    with ProgressBar("Training", quiet=quiet) as bar:
        run = SentenceRun(training, data, bundle, out, on_step=TrainingProgress(bar))
        run.run(resume=resume)


def sentence_data(paths: SentencePaths, out: Path) -> "SentenceData":
    """Return the data of a run; without --cache vectors are kept beside its folder."""
    from discobert.train.sentences.train import SentenceData

    if paths.validation is None or not paths.extracts:
        raise UsageError("train sentences needs --validation and --extracts")
    return SentenceData(
        articles=paths.data,
        validation=paths.validation,
        extracts=paths.extracts,
        gum=paths.gum,
        extract_articles=paths.articles,
        cache=paths.cache or out.parent / "sentence-vectors",
    )
