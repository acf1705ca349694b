"""``discobert tune-readable``: the weights of the readable style, fitted to readers' ratings."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.commands.training.tuned_bundle import (
    Card,
    TunedBundle,
    Version,
    read_card,
    write_tuned,
)
from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Quiet, Threads
from discobert.cli.outputs import progress
from discobert.cli.streams import show
from discobert.errors import UsageError

if TYPE_CHECKING:
    from discobert.data.codecs.json_text import JsonObject
    from discobert.evaluate.readable_tuning import CountedText, Fit
    from discobert.store.corpora.rated_summaries import RatedText


_OF_GENRES = "genres."


def tune_readable_command(
    bundle: TunedBundle,
    *,
    ratings: Annotated[
        Path,
        Option(
            metavar="FILE.jsonl[.xz]",
            help="Rated summaries: ids of texts, spans shown and ratings.",
        ),
    ],
    articles: Annotated[
        list[Path] | None,
        Option(metavar="FILE.jsonl[.xz]", help="Articles with the rated texts; several times."),
    ] = None,
    gum: Annotated[
        Path | None, Option(metavar="GUM.jsonl[.xz]", help="GUM, for texts of other genres.")
    ] = None,
    amalgum: Annotated[
        Path | None, Option(metavar="FILE.jsonl[.xz]", help="AMALGUM, for further genres.")
    ] = None,
    extracts: Annotated[
        Path | None,
        Option(metavar="FILE.jsonl[.xz]", help="Extracts that hold texts, for further genres."),
    ] = None,
    genres: Annotated[
        Path | None,
        Option(
            metavar="RUN",
            help="Run of train genres: texts that its heads learned from are scored by heads that "
            "have not seen them.",
        ),
    ] = None,
    fix: Annotated[
        list[str] | None,
        Option(
            metavar="NAME=VALUE",
            help="A coefficient that is given, not fitted; genres.NAME=VALUE for texts that are no "
            "news alone; repeatable.",
        ),
    ] = None,
    rouge: Annotated[
        float,
        Option(min=0, metavar="W", help="Points of rating that a point of ROUGE-1 is worth."),
    ] = 0.06,
    ridge: Annotated[float, Option(min=0, metavar="R", help="Strength of the ridge.")] = 20.0,
    version: Version = None,
    card: Card = None,
    model: Model = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Fit the weights of the readable style to ratings of summaries by readers, for a bundle.

    BUNDLE is the model with these weights in its settings; all other files but the model card stay
    as they are. News and texts that are no news, as the model tells them apart, have weights of
    their own. Prints the coefficients and how well they predict ratings of other texts.
    """
    from discobert.api import locate_bundle
    from discobert.evaluate.readable_tuning import fit_weights, tuned_settings
    from discobert.scorer.load import GENRE_SECTION, SENTENCE_SECTION
    from discobert.selection.readable.weights import DEFAULT_WEIGHTS
    from discobert.store.bundle import open_bundle
    from discobert.store.corpora.rated_summaries import TextSources, read_rated, with_texts

    folder = locate_bundle(model)
    found = None if folder is None else open_bundle(folder)
    if found is None or SENTENCE_SECTION not in found.settings:
        raise UsageError("the model has no network for sentences, so there is nothing to tune")
    fixed = _fixed(fix or ())
    new_card = read_card(card)
    sources = TextSources(articles=articles or (), gum=gum, amalgum=amalgum, extracts=extracts)
    texts = with_texts(ratings, read_rated(ratings), sources)
    counted = _counted(texts, rouge, model, genres, quiet=quiet)
    settings: JsonObject = {**found.settings}
    kinds = {SENTENCE_SECTION: [text for text in counted if text.is_news]}
    if GENRE_SECTION in settings:
        kinds[GENRE_SECTION] = [text for text in counted if not text.is_news]
    for section, of_kind in kinds.items():
        own = {
            name.removeprefix(_OF_GENRES): value
            for name, value in fixed.items()
            if name.startswith(_OF_GENRES) is (section == GENRE_SECTION)
        }
        if not of_kind and len(counted) > 0:
            continue  # the weights of the model stay
        fit = fit_weights(of_kind, start=DEFAULT_WEIGHTS, fixed=own, ridge=ridge)
        show(_report(fit, "news" if section == SENTENCE_SECTION else "other genres"))
        settings = tuned_settings(settings, fit.weights, section=section)
    write_tuned(bundle, found, settings, version=version, card=new_card)


def _fixed(given: "list[str] | tuple[()]") -> dict[str, float]:
    fixed = {}
    for each in given:
        name, _, value = each.partition("=")
        try:
            fixed[name] = float(value)
        except ValueError as error:
            raise UsageError(f"--fix takes NAME=NUMBER, got {each!r}") from error
    return fixed


def _counted(
    rated: "list[RatedText]",
    rouge: float,
    model: str | None,
    genres: Path | None,
    *,
    quiet: bool,
) -> "list[CountedText]":
    """Analyse and score the rated texts with a model, and count what their summaries show."""
    from discobert.api import Summarizer
    from discobert.evaluate.readable_tuning import HeldOutScorers, counted_text

    summarizer = Summarizer.load(model)
    scorers = HeldOutScorers.of(summarizer.pipeline.scorer, genres)
    found = []
    for each in progress(rated, label="Analysing texts", quiet=quiet):
        analysis = summarizer.analyze(each.text, name=each.id)
        salience = scorers.scorer(each.id).score(analysis)
        found.append(counted_text(each, analysis, salience, rouge_weight=rouge))
    return found


def _report(fit: "Fit", kind: str) -> str:
    from discobert.selection.readable.weights import FEATURES

    lines = [f"{kind}:"]
    lines += [f"{name:14} {getattr(fit.weights, name):+.4f}" for name in FEATURES]
    lines.append(
        f"{fit.n_summaries} summaries of {fit.n_texts} texts; on texts left out of the fit, "
        f"{fit.explained:.1%} of the variance of ratings within a text is explained, "
        f"{fit.accuracy:.1%} of the pairs are in the right order"
    )
    return "\n".join(lines) + "\n"
