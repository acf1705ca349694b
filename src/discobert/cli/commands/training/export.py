"""``discobert export``: write trained weights as a bundle that runs without torch."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.commands.training.train_summarizer import encoder_setup
from discobert.cli.declare import Argument, Option
from discobert.cli.options import Debug, Model, Quiet, Threads
from discobert.errors import InputError, MissingExtra, UsageError

if TYPE_CHECKING:
    from discobert.data.summary import ModelId


def export_command(
    checkpoint: Annotated[Path, Argument(metavar="CHECKPOINT", help="Folder that training wrote.")],
    bundle: Annotated[Path, Argument(metavar="BUNDLE", help="Folder to write; must not exist.")],
    *,
    name: Annotated[str, Option(help="Name of the model.")] = "discobert-en",
    version: Annotated[str, Option(help="Version of the model.")] = "0.1.0",
    card: Annotated[
        Path | None,
        Option(metavar="FILE.md", help="Model card.", show_default="the run's settings"),
    ] = None,
    encoder: Annotated[
        Path | None, Option(metavar="DIR", help="BERT checkpoint that training started from.")
    ] = None,
    fp32: Annotated[bool, Option("--fp32", help="Keep single precision in place of int8.")] = False,
    boundary_threshold: Annotated[
        float, Option(help="Logit above which a word starts an EDU; tune it on dev.")
    ] = 0.0,
    link_threshold: Annotated[
        float, Option(help="Score above which a mention links to another; tune it on dev.")
    ] = 0.0,
    parser: Annotated[
        list[Path] | None,
        Option(
            metavar="RUN",
            help="Further parser, trained over the same frozen encoder; all parsers' scores are "
            "averaged. May be given several times.",
        ),
    ] = None,
    average: Annotated[
        list[Path] | None,
        Option(
            metavar="RUN",
            help="Further run from the same start; the weights of all are averaged. May be given "
            "several times.",
        ),
    ] = None,
    language: Annotated[
        str, Option(metavar="CODE", help="Language of the training data, as de or fr.")
    ] = "en",
    model: Model = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Write ONNX files, weights, tokenizer, model card and checksums.

    A summariser is added to the analyser of --model, with the thresholds of that bundle; one that
    went on from a bundle keeps its model card, too, unless --card names another.
    A network for whole sentences is added to all that --model has, and so are the heads for texts
    that are no news.
    An analyser that was trained with --model replaces that bundle's: lower layers and summariser
    are kept. A cut head is added to all of --model, with that bundle's name and version.
    """
    from discobert.analyser.cuts.head import WEIGHTS as CUT_WEIGHTS
    from discobert.cli.commands.training.train import find_encoder
    from discobert.data.summary import ModelId
    from discobert.store.bundle import find_bundle, open_bundle

    try:
        from discobert.train.analyser.network import WEIGHTS as ANALYSER_WEIGHTS
        from discobert.train.export.analyser import RuntimeSettings, export_analyser
        from discobert.train.genres.train import WEIGHTS as GENRE_WEIGHTS
        from discobert.train.sentences.train import WEIGHTS as SENTENCE_WEIGHTS
        from discobert.train.summarizer.network import WEIGHTS as SUMMARIZER_WEIGHTS
    except ImportError as error:
        raise MissingExtra("torch", "train") from error
    release = ModelId(name, version)
    if any((checkpoint / weights).is_file() for weights in (SENTENCE_WEIGHTS, GENRE_WEIGHTS)):
        _export_heads(checkpoint, bundle, release, model=model, card=card)
        return
    if (checkpoint / SUMMARIZER_WEIGHTS).is_file():
        if boundary_threshold or link_threshold or parser or average or language != "en":
            raise UsageError(
                "thresholds, parsers, averages and language belong to the analyser: "
                "set them when you export that"
            )
        _export_summarizer(
            checkpoint, bundle, release, card=card, model=model, encoder=encoder, int8=not fp32
        )
        return
    if (checkpoint / CUT_WEIGHTS).is_file():
        _export_cuts(checkpoint, bundle, card=card, model=model)
        return
    if not (checkpoint / ANALYSER_WEIGHTS).is_file():
        raise InputError(
            f"{checkpoint}: none of {ANALYSER_WEIGHTS}, {SUMMARIZER_WEIGHTS}, {CUT_WEIGHTS} there; "
            "name the folder that training wrote"
        )
    export_analyser(
        checkpoint,
        bundle,
        encoder=find_encoder(encoder),
        model=release,
        card=_card(card, checkpoint),
        runtime=RuntimeSettings(
            int8=not fp32,
            boundary_threshold=boundary_threshold,
            link_threshold=link_threshold,
            language=language,
        ),
        parsers=parser or (),
        averaged=average or (),
        base=None if model is None else open_bundle(find_bundle(model)),
    )


def _export_heads(
    run: Path, bundle: Path, release: "ModelId", *, model: str | None, card: Path | None
) -> None:
    """Add the sentence network, or the heads above it, to a bundle."""
    from discobert.store.bundle import find_bundle, open_bundle
    from discobert.train.export.genres import export_genres
    from discobert.train.export.sentences import export_sentences
    from discobert.train.genres.train import WEIGHTS as GENRE_WEIGHTS

    export = export_genres if (run / GENRE_WEIGHTS).is_file() else export_sentences
    base = open_bundle(find_bundle(model or "en"))
    text = None if card is None else card.read_text(encoding="utf-8")
    export(run, bundle, base=base, model=release, card=text)


def _export_summarizer(
    run: Path,
    bundle: Path,
    release: "ModelId",
    *,
    card: Path | None,
    model: str | None,
    encoder: Path | None,
    int8: bool,
) -> None:
    from discobert.store.bundle import CARD, find_bundle, open_bundle
    from discobert.train.export.summarizer import Release, export_summarizer
    from discobert.train.summarizer.run_files import read_training

    base = open_bundle(find_bundle(model or "en"))
    training = read_training(run)
    setup = encoder_setup(training, model=model, encoder=encoder)
    goes_on = training.from_bundle and card is None
    text = base.read(CARD).decode() if goes_on else _card(card, run)
    export_summarizer(
        run, bundle, base=base, setup=setup, release=Release(release, text, int8=int8)
    )


def _export_cuts(run: Path, bundle: Path, *, card: Path | None, model: str | None) -> None:
    from discobert.store.bundle import find_bundle, open_bundle
    from discobert.train.export.cuts import export_cuts

    text = None if card is None else card.read_text(encoding="utf-8")
    export_cuts(run, bundle, base=open_bundle(find_bundle(model or "en")), card=text)


def _card(path: Path | None, run: Path) -> str:
    """Return the model card: the one named, or the settings of the run."""
    return (path or run / "config.json").read_text(encoding="utf-8")
