"""The report's tables of figures: statistics, ROUGE, competitors, the ablation, NYT."""

from collections.abc import Sequence

from discobert.data.codecs.fields import Field
from discobert.evaluate.reproduction.published import Published, PublishedRow
from discobert.evaluate.reproduction.results import ResultFile, Results
from discobert.evaluate.reproduction.scores import (
    METRICS,
    NOTHING,
    Evaluation,
    slashed,
)
from discobert.render.tables import Row, markdown_table

OWN_NAMES = {
    "lead3": "lead-3",
    "lead-words": "first sentences up to that length",
    "lexrank": "LexRank, three sentences",
    "rst-trim": "nuclei of the RST tree, no training",
    "sentence": "discobert, three whole sentences",
    "discobert": "discobert, style readable (default)",
    "discobert-paper": "discobert, style paper",
    "oracle-sentence": "oracle, sentences",
    "oracle-edu": "oracle, clauses with all they need",
    "oracle-edu-free": "oracle, clauses alone",
}
"""What our systems are called in the report."""


def own_name(system: str) -> str:
    """Return what a system is called in the report."""
    return OWN_NAMES.get(system, system)


def statistics(results: Results, published: Published) -> str:
    """Table 1: averages a document."""
    cut, whole = results.read(ResultFile.STATISTICS), results.read(ResultFile.WHOLE_STATISTICS)
    news, times = published.row("statistics", "CNN/DM"), published.row("statistics", "NYT")
    pieces = cut.member("max_pieces").integer()
    heading = (
        "average a document",
        f"ours, cut at {pieces:,} pieces",
        "paper, CNN/DM",
        "ours, whole",
        "paper, NYT",
    )
    rows: list[Row] = [
        (
            name,
            f"{_average(cut, name):.1f}",
            _plain(news, name),
            f"{_average(whole, name):.1f}",
            _plain(times, name),
        )
        for name in news.figures
        if name != "documents"
    ]
    counts = (cut.member("documents").integer(), news.figures["documents"])
    further = (whole.member("documents").integer(), times.figures["documents"])
    last = ("documents", *(f"{count:,.0f}" for count in (*counts, *further)))
    return markdown_table(heading, [*rows, last])


def _average(statistics: Field, name: str) -> float:
    return statistics.member("averages").member(name).number()


def _plain(row: PublishedRow, name: str) -> str:
    return f"{row.figures[name]:g}" if name in row.figures else NOTHING


def news(results: Results, published: Published) -> str:
    """Table 2: every published row, with ours beside those that we have."""
    evaluation = Evaluation(results.read(ResultFile.NEWS))
    heading = ("system", "paper: test, R-1 / R-2 / R-L", _ours(evaluation), "R-1, 95 %", "words")
    rows: list[Row] = [
        (row.system, _figures(row), *_beside(evaluation, row.ours))
        for row in published.table("cnndm")
    ]
    shown = {row.ours for row in published.table("cnndm")}
    rows += [
        (own_name(name), NOTHING, *_beside(evaluation, name))
        for name in ("discobert", "lexrank", "rst-trim", "oracle-edu-free")
        if name not in shown
    ]
    return markdown_table(heading, rows)


def _ours(evaluation: Evaluation) -> str:
    return f"ours: validation, {evaluation.documents:,} documents, R-1 / R-2 / R-Lsum"


def _figures(row: PublishedRow) -> str:
    return slashed([row.figures[metric] for metric in METRICS])


def _beside(evaluation: Evaluation, name: str | None) -> Row:
    if name is None:
        return (NOTHING,) * 3
    system = evaluation.system(name)
    low, high = system.interval("rouge1")
    return system.rouge(), f"{low:.2f}–{high:.2f}", f"{system.figure('words'):.0f}"


_EFFECTS = (
    (
        "sentence model over lead-3",
        ("BERT (sentences)", "Lead-3"),
        ("sentence", "lead3"),
    ),
    (
        "clauses and graphs over lead-3",
        ("DiscoBERT with G_R and G_C", "Lead-3"),
        ("discobert-paper", "lead3"),
    ),
    (
        "clauses and graphs over the sentence model",
        ("DiscoBERT with G_R and G_C", "BERT (sentences)"),
        ("discobert-paper", "sentence"),
    ),
    (
        "oracle: clauses over sentences",
        ("Oracle (discourse)", "Oracle (sentence)"),
        ("oracle-edu", "oracle-sentence"),
    ),
    (
        "oracle: clauses alone over sentences",
        ("Oracle (discourse)", "Oracle (sentence)"),
        ("oracle-edu-free", "oracle-sentence"),
    ),
)


def effects(results: Results, published: Published) -> str:
    """Table 2, as differences: what the two sets of documents have in common."""
    evaluation = Evaluation(results.read(ResultFile.NEWS))
    rows: list[Row] = [
        (what, _gap(published, *theirs), evaluation.gaps(*ours)) for what, theirs, ours in _EFFECTS
    ]
    return markdown_table(("difference, R-1 / R-2 / R-L", "paper", "ours"), rows)


def _gap(published: Published, system: str, other: str) -> str:
    first, second = published.row("cnndm", system), published.row("cnndm", other)
    gaps = [first.figures[metric] - second.figures[metric] for metric in METRICS]
    return " / ".join(f"{gap:+.2f}" for gap in gaps)


def later(results: Results, published: Published) -> str:
    """Return published figures of later systems."""
    rows: list[Row] = [
        (row.system, _figures(row), row.source) for row in published.table("cnndm-later")
    ]
    return markdown_table(("system", "test, R-1 / R-2 / R-L", "source"), rows)


def competitors(results: Results, published: Published) -> str:
    """Compare the paper's competitors and ours on the same articles, by the same metric."""
    evaluation = Evaluation(results.read(ResultFile.COMPETITORS))
    heading = ("system", "R-1 (95 %)", "R-2", "R-Lsum", "R-1 over lead-3", "tokens", "lines")
    ranked = sorted(evaluation.names, key=lambda name: -evaluation.system(name).figure("rouge1"))
    rows = [_competitor(evaluation, name) for name in ranked]
    return f"{evaluation.documents:,} articles:\n\n{markdown_table(heading, rows)}"


def _competitor(evaluation: Evaluation, name: str) -> Row:
    system = evaluation.system(name)
    low, high = system.interval("rouge1")
    return (
        own_name(name),
        f"{system.figure('rouge1'):.2f} ({low:.2f}–{high:.2f})",
        f"{system.figure('rouge2'):.2f}",
        f"{system.figure('rougeL'):.2f}",
        system.gain("lead3", "rouge1"),
        f"{system.figure('tokens'):.0f}",
        f"{system.figure('lines'):.1f}",
    )


def ablation(results: Results, published: Published) -> str:
    """Return the five variants under one budget, or what to run for them."""
    found = results.optional(ResultFile.ABLATION)
    if found is None:
        return (
            "Not run with this model yet: `discobert ablate … --out RUN` writes "
            "`RUN/ablation.json`, which belongs here as `results/ablation.json`.\n"
        )
    rows: list[Row] = [
        (
            row.member("name").text(),
            slashed([_mean(score) for score in row.member("rouge").items(_numbers)]),
            _over(row, "over_sentence"),
            _over(row, "over_edu"),
            _theirs(row),
        )
        for row in found.member("rows").items(lambda row: row)
    ]
    heading = ("model", "R-1 / R-2 / R-Lsum", "R-1 over sentence", "R-1 over edu", "paper (test)")
    seeds = len(found.member("seeds").items(Field.integer))
    intro = (
        f"{found.member('documents').integer():,} documents, "
        f"{found.member('training_documents').integer():,} training documents, {seeds} seeds; "
        "the analyser is that of "
        f"{found.member('run').member('model').member('version').text()}.\n\n"
    )
    return intro + markdown_table(heading, rows)


def _numbers(field: Field) -> tuple[float, ...]:
    return field.items(Field.number)


def _mean(score: Sequence[float]) -> float:
    return score[0]


def _over(row: Field, key: str) -> str:
    gaps = row.member(key).items(lambda gap: gap.member("gap").items(Field.number))
    if not gaps:
        return NOTHING
    mean, low, high = gaps[0]
    return f"{mean:+.2f} ({low:+.2f} to {high:+.2f})".replace("-", "−")


def _theirs(row: Field) -> str:
    paper = row.member("paper")
    return NOTHING if paper.value is None else slashed(paper.items(Field.number))


def times(results: Results, published: Published) -> str:
    """Table 3: published rows on the New York Times."""
    rows: list[Row] = [(row.system, _figures(row)) for row in published.table("nyt")]
    return markdown_table(("system", "test, R-1 / R-2 / R-L"), rows)


def analysis(results: Results, published: Published) -> str:
    """Quality of the analyser, beside what the paper says of its tools."""
    found = results.read(ResultFile.ANALYSIS)
    parts = {
        "EDU starts F1, all": "segmentation.f1",
        "EDU starts F1, inside sentences": "segmentation.intra_f1",
        "RST with gold EDUs, span": "parsing.gold_edus.span",
        "RST with gold EDUs, nuclearity": "parsing.gold_edus.nuclearity",
        "RST with gold EDUs, full": "parsing.gold_edus.full",
        "RST end to end, span": "parsing.end_to_end.span",
        "RST end to end, full": "parsing.end_to_end.full",
        "coreference, CoNLL F1": "coref.conll_f1",
    }
    rows: list[Row] = [(name, *_analysed(found, path)) for name, path in parts.items()]
    rows += [
        (row.system, f"{row.figures['F1']:.1f}", row.source) for row in published.table("analysis")
    ]
    heading = ("what", "per cent", "95 % interval, or source")
    intro = f"Ours: {found.member('documents').integer():,} documents.\n\n"
    return intro + markdown_table(heading, rows)


def _analysed(found: Field, path: str) -> Row:
    mean, bounds = found, found.member("ci95")
    for key in path.split("."):
        mean, bounds = mean.member(key), bounds.member(key)
    low, high = bounds.items(Field.number)
    return f"{mean.number():.1f}", f"{low:.1f}–{high:.1f}"
