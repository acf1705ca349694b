"""The report's tables of grammar and of blind panels."""

from collections.abc import Mapping

from discobert.data.codecs.fields import Field
from discobert.evaluate.reproduction.published import Published
from discobert.evaluate.reproduction.results import ResultFile, Results, model_key
from discobert.evaluate.reproduction.scores import NOTHING, Evaluation
from discobert.evaluate.reproduction.tables import own_name
from discobert.render.tables import Row, markdown_table

_QUESTIONS = ("coherence", "grammaticality", "informativeness")


def grammar(results: Results, published: Published) -> str:
    """Table 4: errors in 10,000 characters by each checker, and the paper's."""
    evaluation = Evaluation(results.read(ResultFile.GRAMMAR))
    rows: list[Row] = []
    for name in evaluation.names:
        rates = evaluation.system(name).field.member("errors_per_10k_characters")
        rows += [(own_name(name), checker, *_rates(rates, checker)) for checker in rates.object()]
    rows += [
        (f"paper: {row.system}", "grammarly", *_theirs(row.figures))
        for row in published.table("grammar")
    ]
    heading = ("system", "checker", "all", "grammar", "punctuation", "other")
    intro = f"Ours: the first {evaluation.documents:,} documents of Table 2.\n\n"
    return intro + markdown_table(heading, rows)


def _rates(rates: Field, checker: str) -> tuple[str, ...]:
    found = rates.member(checker)
    kinds = ("all", "grammar", "punctuation", "other")
    return tuple(f"{found.member(kind).number():.1f}" for kind in kinds)


def _theirs(figures: Mapping[str, float]) -> tuple[str, ...]:
    """Write the paper's rates under our headings: correctness is grammar, passive voice other."""
    other = figures["passive voice"] + figures["other"]
    rates = (figures["all"], figures["correctness"], figures["punctuation"], other)
    return tuple(f"{rate:.1f}" for rate in rates)


def panels(results: Results, published: Published) -> str:
    """Table 5: the paper's ratings, those of the model that ships, and all panels in order."""
    root = results.read(ResultFile.PANELS)
    version = model_key(results.read(ResultFile.NEWS).member("run").member("model")).version
    every = root.member("panels").items(lambda panel: panel)
    ours = [panel for panel in every if panel.member("model").value == version]
    detailed = [_detailed(panel, version) for panel in ours]
    if not detailed:
        detailed = [f"No panel has rated version {version} yet.\n"]
    parts = [_paper_ratings(published), *detailed, _all_panels(every)]
    return "\n".join([f"Our raters: {root.member('raters').text()}.\n", *parts])


def _paper_ratings(published: Published) -> str:
    rows: list[Row] = [
        (
            f"paper: {row.system}",
            *(
                f"{row.figures[question]:.2f} ± {row.figures[f'{question} sd']:.2f}"
                for question in ("overall", "coherence", "grammaticality")
            ),
        )
        for row in published.table("readers")
    ]
    heading = ("system, 1–5", "overall", "coherence", "grammaticality")
    return markdown_table(heading, rows)


def _detailed(panel: Field, version: str) -> str:
    systems = panel.member("systems")
    rows: list[Row] = []
    for name in systems.object():
        rated = systems.member(name)
        share = _share(rated, "misleading")
        overall = f"{_grade(rated, 'overall')}{_bounds(rated)}"
        rows.append((own_name(name), overall, *(_grade(rated, each) for each in _QUESTIONS), share))
    heading = ("system, 1–5", "overall", *_QUESTIONS, "misleading")
    intro = (
        f"Version {version}, {panel.member('corpus').text()}: "
        f"{panel.member('documents').integer()} texts, {panel.member('raters').integer()} "
        f"raters, {panel.member('ratings').integer()} ratings; words: "
        f"{panel.member('words').text()}.\n\n"
    )
    return intro + markdown_table(heading, rows)


def _grade(rated: Field, question: str) -> str:
    found = rated.optional(question, None)
    return NOTHING if found.value is None else f"{found.number():.2f}"


def _bounds(rated: Field) -> str:
    found = rated.optional("ci95", None)
    if found.value is None:
        return ""
    low, high = found.items(Field.number)
    return f" ({low:.2f}–{high:.2f})"


def _share(rated: Field, question: str) -> str:
    found = rated.optional(question, None)
    return NOTHING if found.value is None else f"{found.number():g} %"


def _all_panels(every: tuple[Field, ...]) -> str:
    rows: list[Row] = []
    for panel in every:
        systems = panel.member("systems")
        first = next(name for name in systems.object() if name.startswith("lead"))
        rows.append(
            (
                panel.member("name").text(),
                panel.member("corpus").text(),
                f"{panel.member('documents').integer()}",
                panel.member("words").text(),
                _grade(systems.member("discobert"), "overall"),
                _grade(systems.member(first), "overall"),
                f"{panel.member('preferred').number():g} %",
            )
        )
    heading = (
        "all panels, in their order",
        "articles from",
        "articles",
        "words",
        "readable, overall",
        "first sentences, overall",
        "readable preferred (ties half)",
    )
    return markdown_table(heading, rows)
