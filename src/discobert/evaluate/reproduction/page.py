"""The whole report: a page of prose with a table at each ``{{name}}``, and its pictures."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

from discobert.data.codecs.fields import Field
from discobert.evaluate.reproduction import tables
from discobert.evaluate.reproduction.costs import costs
from discobert.evaluate.reproduction.examples import examples
from discobert.evaluate.reproduction.figures import gains_svg, graphs_svg, read_graphs
from discobert.evaluate.reproduction.published import Published, read_published
from discobert.evaluate.reproduction.readers import grammar, panels
from discobert.evaluate.reproduction.results import (
    MEASURED,
    ModelKey,
    ResultFile,
    Results,
    model_key,
)
from discobert.evaluate.reproduction.scores import METRICS, Evaluation
from discobert.render.tables import Row, markdown_table

_PLACE = re.compile(r"\{\{([\w-]+)\}\}")
GRAPHS, CURVE = "graphs", "curve"


@dataclass(frozen=True, slots=True)
class ReproductionPage:
    """The page in Markdown, and pictures by the last part of their names."""

    page: str
    pictures: Mapping[str, str]


def write_report(results: Results, model: ModelKey) -> ReproductionPage:
    """Write the report on a model; results of another one are refused."""
    results.require_model(model)
    published = read_published(results.read(ResultFile.PUBLISHED))
    template = (resources.files(__package__ or "") / "page.md").read_text(encoding="utf-8")

    def block(place: re.Match[str]) -> str:
        return BLOCKS[place[1]](results, published).rstrip("\n")

    texts = [read_graphs(analysis) for analysis in results.several(ResultFile.GRAPHS)]
    pictures = {
        GRAPHS: graphs_svg(texts),
        CURVE: gains_svg(results.read(ResultFile.CURVE)),
    }
    return ReproductionPage(_PLACE.sub(block, template), pictures)


def origin(results: Results, published: Published) -> str:
    """Say of which model the figures are."""
    run = results.read(ResultFile.NEWS).member("run")
    key = model_key(run.member("model"))
    return (
        f"Model: **{key.name} {key.version}**, SHA-256 of its list of checksums "
        f"`{key.digest}`; discobert {run.member('discobert').text()}.\n"
    )


def commands(results: Results, published: Published) -> str:
    """List what made each result file."""
    files = [*MEASURED, ResultFile.ABLATION]
    found = [file for file in files if results.optional(file) is not None]
    rows: list[Row] = [(f"`{file.value}`", f"`{results.command(file)}`") for file in found]
    return markdown_table(("file", "command"), rows)


def curve(results: Results, published: Published) -> str:
    """Write the learning curve as a table."""
    found = results.read(ResultFile.CURVE)
    lead = found.member("lead3")
    rows: list[Row] = [("lead-3", "", *_scores(lead))]
    for point in found.member("points").items(lambda point: point):
        step = point.member("step").integer()
        mark = "**" if step == found.member("kept_step").integer() else ""
        articles = f"{point.member('articles').integer():,}"
        rows.append((f"{mark}{step:,}{mark}", articles, *_scores(point)))
    heading = ("step", "articles met", "R-1", "R-2", "R-Lsum")
    made = f"{found.member('what').text()} (`{found.member('command').text()}`)"
    return f"{made}\n\n{markdown_table(heading, rows)}"


def _scores(field: Field) -> tuple[str, ...]:
    return tuple(f"{field.member(metric).number():.2f}" for metric in METRICS)


def documents(results: Results, published: Published) -> str:
    """Name the documents of the table on news."""
    evaluation = Evaluation(results.read(ResultFile.NEWS))
    first = evaluation.system(evaluation.names[0]).field.member("by_source")
    parts = [
        f"{first.member(source).member('documents').integer():,} {source}"
        for source in first.object()
    ]
    return f"{evaluation.documents:,} validation documents ({', '.join(parts)})"


BLOCKS: Mapping[str, Callable[[Results, Published], str]] = MappingProxyType(
    {
        "origin": origin,
        "commands": commands,
        "statistics": tables.statistics,
        "documents": documents,
        "news": tables.news,
        "effects": tables.effects,
        "later": tables.later,
        "competitors": tables.competitors,
        "ablation": tables.ablation,
        "nyt": tables.times,
        "grammar": grammar,
        "panels": panels,
        "examples": examples,
        "curve": curve,
        "costs": costs,
        "analysis": tables.analysis,
    }
)
"""What a template can ask for."""
