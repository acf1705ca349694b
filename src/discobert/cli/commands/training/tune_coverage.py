"""``discobert tune-coverage``: which words a summary will have, fitted to reference summaries."""

from typing import TYPE_CHECKING, Annotated

from discobert.cli.commands.training.train_summarizer import Prepared
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
    from discobert.evaluate.coverage_tuning import CoverageFit, Trial


def tune_coverage_command(
    bundle: TunedBundle,
    *,
    data: Prepared,
    limit: Annotated[
        int, Option(min=2, metavar="N", help="Documents to tune on, from the first.")
    ] = 1000,
    version: Version = None,
    card: Card = None,
    model: Model = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Fit which words the summary of a text will have, for the style paper of a bundle.

    Two logistic regressions, over words and over pairs of words, learn from the references of
    prepared documents; what they count for beside the scores of units is chosen by ROUGE. BUNDLE is
    the model with both in its settings; all other files but the model card stay as they are.
    """
    from itertools import islice

    from discobert.api import Summarizer, locate_bundle
    from discobert.evaluate.coverage_tuning import ScoredArticle, fit_coverage, with_coverage
    from discobert.store.bundle import open_bundle
    from discobert.store.prepared.manifest import open_prepared

    folder = locate_bundle(model)
    if folder is None:
        raise UsageError("a model without weights has nothing to tune")
    found = open_bundle(folder)
    new_card = read_card(card)
    scorer = Summarizer.load(model).pipeline.scorer
    documents = list(islice(open_prepared(data).read(), limit))
    articles = [
        ScoredArticle.of(each.analysis, scorer.score(each.analysis), each.article.reference)
        for each in progress(documents, label="Scoring texts", quiet=quiet)
    ]
    fit = fit_coverage(articles)
    show(_report(fit, len(articles)))
    settings = with_coverage({**found.settings}, fit.model)
    write_tuned(bundle, found, settings, version=version, card=new_card)


def _report(fit: "CoverageFit", n_articles: int) -> str:
    lines = [f"{n_articles} texts; unit, pairs, scores: ROUGE-1 / 2 / Lsum"]
    lines += [f"{unit.value}, scores alone: {_figures(rouge)}" for unit, rouge in fit.plain.items()]
    lines += map(_trial, fit.trials)
    model = fit.model
    chosen = (model.pair_weight, model.score_weight, model.sentence_weight)
    lines.append("kept: pairs {:g}, clauses {:g}, sentences {:g}".format(*chosen))
    return "\n".join(lines) + "\n"


def _trial(trial: "Trial") -> str:
    weights = f"{trial.unit.value}, {trial.pair_weight:g}, {trial.weight:g}"
    return f"{weights}: {_figures(trial.rouge)}"


def _figures(rouge: tuple[float, float, float]) -> str:
    return " / ".join(f"{value:.2f}" for value in rouge)
