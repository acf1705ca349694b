"""``discobert tune-readable``: the weights of the readable style, chosen for a bundle."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.commands.evaluation.evaluate_extracts import (
    ExtractArticles,
    ExtractGum,
    Extracts,
)
from discobert.cli.declare import Argument, Option
from discobert.cli.options import Debug, Model, Quiet, Threads
from discobert.cli.outputs import note, progress
from discobert.cli.streams import show
from discobert.errors import UsageError

if TYPE_CHECKING:
    from discobert.evaluate.readable_tuning import Trial, TuningTexts


def tune_readable_command(
    bundle: Annotated[
        Path, Argument(metavar="BUNDLE", help="Folder to write the tuned bundle to.")
    ],
    *,
    extracts: Extracts,
    articles: ExtractArticles = None,
    gum: ExtractGum = None,
    split: Annotated[str, Option(metavar="NAME", help="Which part of the extracts.")] = "dev",
    data: Annotated[
        Path, Option(metavar="FILE.jsonl[.xz]", help="Articles with reference summaries.")
    ],
    skip: Annotated[int, Option(min=0, metavar="N", help="Articles to leave out.")] = 0,
    limit: Annotated[int, Option(min=1, metavar="N", help="Articles to take.")] = 200,
    trials: Annotated[int, Option(min=1, metavar="N", help="Weights to try.")] = 40,
    seed: Annotated[int, Option(metavar="N", help="Seed of the trials.")] = 0,
    version: Annotated[
        str | None, Option(help="Version of the tuned model.", show_default="that of --model")
    ] = None,
    card: Annotated[
        Path | None,
        Option(metavar="FILE.md", help="Model card.", show_default="that of --model"),
    ] = None,
    model: Model = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Choose the weights of the readable style on editors' extracts and on ROUGE, for a bundle.

    BUNDLE is the model with these weights in its settings; all other files but the model card stay
    as they are.
    """
    from discobert.api import locate_bundle
    from discobert.data.summary import ModelId
    from discobert.evaluate.readable_tuning import (
        drawn_weights,
        tune_weights,
        tuned_settings,
    )
    from discobert.scorer.load import SENTENCE_SECTION
    from discobert.selection.readable.weights import DEFAULT_WEIGHTS
    from discobert.store.bundle import CARD, CONFIG, open_bundle, write_bundle
    from discobert.store.text import read_text

    folder = locate_bundle(model)
    found = None if folder is None else open_bundle(folder)
    if found is None or SENTENCE_SECTION not in found.settings:
        raise UsageError("the model has no network for sentences, so there is nothing to tune")
    sources = TuningSources(extracts, split, articles, gum, data, skip, limit)
    new_card = None if card is None else read_text(card).encode()
    texts = sources.read(model, quiet=quiet)
    best = tune_weights(
        texts,
        drawn_weights(DEFAULT_WEIGHTS, trials=trials, seed=seed),
        on_trial=lambda trial: note([_line(trial)], quiet=quiet),
    )
    show(f"{_line(best)}\n")
    files = {name: found.read(name) for name in found.checksums if name != CONFIG}
    if new_card is not None:
        files[CARD] = new_card
    tuned = found.model if version is None else ModelId(found.model.name, version)
    settings = tuned_settings({**found.settings}, best.weights)
    write_bundle(bundle, model=tuned, settings=settings, files=files)


@dataclass(frozen=True, slots=True)
class TuningSources:
    """Where the texts to tune on are."""

    extracts: Path
    split: str
    articles: Path | None
    gum: Path | None
    data: Path
    skip: int
    limit: int

    def read(self, model: str | None, *, quiet: bool) -> "TuningTexts":
        """Analyse and score all texts with a model."""
        from discobert.api import Summarizer
        from discobert.evaluate.readable_tuning import ScoredArticle, ScoredExtract, TuningTexts
        from discobert.metrics.rouge import reference_of
        from discobert.store.corpora.extracts import extract_texts, read_extracts
        from discobert.store.corpora.json_lines import ArticleSample

        summarizer = Summarizer.load(model)
        score = summarizer.pipeline.scorer.score
        chosen = [each for each in read_extracts(self.extracts) if each.split == self.split]
        texts = extract_texts(self.extracts, chosen, gum=self.gum, articles=self.articles)
        extracts = []
        for each in progress(chosen, label="Analysing extracts", quiet=quiet):
            analysis = summarizer.analyze(texts[each.id], name=each.id)
            extracts.append(ScoredExtract(each, analysis, score(analysis)))
        articles = []
        sample = ArticleSample(path=self.data, skip=self.skip, limit=self.limit)
        for article in progress(list(sample.articles()), label="Analysing articles", quiet=quiet):
            analysis = summarizer.analyze(article.text, name=article.id)
            reference = reference_of(article.reference)
            articles.append(ScoredArticle(analysis, score(analysis), reference))
        return TuningTexts(tuple(extracts), tuple(articles))


def _line(trial: "Trial") -> str:
    figures = ", ".join(
        f"{source} F1 {found.f1.mean:.1f} never {found.never.mean:.1f} words {found.words:.0f}"
        for source, found in trial.extracts.items()
    )
    weights = " ".join(f"{name}={value:g}" for name, value in trial.weights.settings().items())
    return f"{trial.worth:.2f}: {figures}, R-1 {trial.rouge_gain:+.2f} ({weights})"
