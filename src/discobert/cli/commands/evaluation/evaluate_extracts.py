"""``discobert evaluate-extracts``: summaries against what editors chose."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.declare import Option
from discobert.cli.options import Debug, Model, Output, Quiet, Threads
from discobert.cli.outputs import emit, progress

if TYPE_CHECKING:
    from discobert.evaluate.extracts import ExtractReport

Extracts = Annotated[
    Path,
    Option(
        "--extracts",
        metavar="FILE.jsonl[.xz]",
        help="Editors' extracts: sentences and the indices of best, more and never.",
    ),
]
ExtractArticles = Annotated[
    list[Path] | None,
    Option(
        "--articles",
        metavar="FILE.jsonl[.xz]",
        help="News articles with the texts of extracts. May be given several times.",
    ),
]
ExtractGum = Annotated[
    Path | None,
    Option("--gum", metavar="GUM.jsonl[.xz]", help="GUM, for extracts of other genres."),
]


ExtractAmalgum = Annotated[
    Path | None,
    Option("--amalgum", metavar="FILE.jsonl[.xz]", help="AMALGUM, for further genres."),
]


def evaluate_extracts_command(
    *,
    extracts: Extracts,
    articles: ExtractArticles = None,
    gum: ExtractGum = None,
    amalgum: ExtractAmalgum = None,
    split: Annotated[str, Option(metavar="NAME", help="Which part of the extracts.")] = "dev",
    words: Annotated[int, Option(min=1, metavar="N", help="Length of all systems.")] = 75,
    model: Model = None,
    output: Output = None,
    quiet: Quiet = False,
    threads: Threads = None,
    debug: Debug = False,
) -> None:
    """Score readable and paper style and the first sentences against editors' extracts.

    F1 of characters against the sentences that an editor chose, and the share of a summary in
    captions, headings and other sentences that belong in none.
    """
    from discobert.api import Summarizer
    from discobert.evaluate import extracts as measure
    from discobert.evaluate.cached_scorer import with_cached_scores
    from discobert.selection.request import SummaryRequest
    from discobert.store.corpora.extracts import extract_texts, read_extracts

    chosen = [each for each in read_extracts(extracts) if each.split == split]
    texts = extract_texts(extracts, chosen, gum=gum, articles=articles or (), amalgum=amalgum)
    summarizer = with_cached_scores(Summarizer.load(model, threads=threads))
    requests = {
        style: SummaryRequest.of(style=style, words=words) for style in ("readable", "paper")
    }
    scores: dict[str, list[measure.ExtractScore]] = {
        name: [] for name in (measure.FIRST, *requests)
    }
    for each in progress(chosen, label="Evaluating", quiet=quiet):
        text = texts[each.id]
        first = measure.first_sentences(text, each, words)
        scores[measure.FIRST].append(measure.score_extract(text, each, first))
        analysis = summarizer.analyze(text, name=each.id)
        for name, request in requests.items():
            shown = measure.request_summary(summarizer, analysis, request)
            scores[name].append(measure.score_extract(text, each, shown))
    reports = {name: measure.report_on(found) for name, found in scores.items()}
    emit(_table(reports), output)


def _table(reports: "dict[str, dict[str, ExtractReport]]") -> str:
    from discobert.cli.tables import terminal_tables

    heading = ("system", "source", "documents", "F1", "interval", "never", "words")
    rows = [
        (
            name,
            source,
            str(found.documents),
            f"{found.f1.mean:.1f}",
            f"{found.f1.low:.1f}-{found.f1.high:.1f}",
            f"{found.never.mean:.1f} %",
            f"{found.words:.0f}",
        )
        for name, by_source in reports.items()
        for source, found in by_source.items()
    ]
    return terminal_tables({"Editors' extracts": (heading, rows)})
