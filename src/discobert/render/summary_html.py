"""Summaries as one standalone HTML page: selected and omitted units with reasons."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from string import Template

from discobert.data.document import Document
from discobert.data.explanation import Explanation
from discobert.data.summary import Analysis, Summary
from discobert.discourse.graphs import cluster_edus, rst_graph
from discobert.render.adjacency import Adjacency, graph_adjacency, png_data_url, shared_adjacency
from discobert.render.mention_marks import Mark, chains, mark_up, marks_by_edu
from discobert.render.page import Page, template
from discobert.render.text import length_facts
from discobert.render.tree_html import draw_analysis, open_mention

PAGE = Page(
    styles=["page.css", "summary.css"],
    scripts=["page.js", "summary.js"],
    legend="summary_legend.html",
    has_images=True,
)

_OPEN_TREE = 60
"""Trees of documents with fewer EDUs are unfolded when the page opens."""

_NUMBER = re.compile(r"\d+$")


def render_summary_html(pairs: Sequence[tuple[Analysis, Summary]]) -> str:
    """Show every summary with its source on one page that needs no network.

    All text is escaped, and the page's own policy forbids any script but ours.
    """
    names = [summary.document.id for _, summary in pairs]
    articles = [_article(*pair, name=f"d{number}") for number, pair in enumerate(pairs, start=1)]
    title = f"Summary of {names[0]}" if len(names) == 1 else f"{len(names)} summaries"
    return PAGE.fill(title, names, articles)


def _article(analysis: Analysis, summary: Summary, *, name: str) -> str:
    chosen = chosen_edus(analysis, summary)
    tree = draw_analysis(analysis, name, chosen=chosen)
    n_edus = len(analysis.document.edus)
    model = f"{summary.model.name} {summary.model.version}"
    return Template(template("summary.html")).substitute(
        id=name,
        name=escape(summary.document.id) or "(no name)",
        facts=escape(f"{length_facts(summary)} · {model}"),
        digest=_digest(summary, name),
        warnings=_warnings(summary, name),
        chains=tree.chains,
        source=_source(analysis, summary, name),
        width=tree.width,
        tree_facts=tree.facts,
        open="open" if n_edus < _OPEN_TREE else "",
        picture=tree.picture,
        lists=tree.lists,
        graphs=_graphs(analysis, chosen),
        n_edus=n_edus,
    )


def chosen_edus(analysis: Analysis, summary: Summary) -> frozenset[int]:
    """Return the EDUs that a summary shows, also if it was made of whole sentences."""
    starts = [edu.span.start for edu in summary.document.edus]
    selected = set(summary.selection.edus)
    return frozenset(
        edu
        for edu, unit in enumerate(analysis.document.edus)
        if bisect_right(starts, unit.span.start) - 1 in selected
    )


def _digest(summary: Summary, name: str) -> str:
    """Write the summary; lines link to their source if there is one for each sentence."""
    edus = summary.document.edus
    first = {edus[edu].sentence: edu for edu in reversed(summary.selection.edus)}
    places = sorted(first.items())
    if len(places) != len(summary.sentences):
        return "\n".join(f'<p dir="auto">{escape(line)}</p>' for line in summary.sentences)
    return "\n".join(
        f'<p dir="auto">{escape(line)} <a class="cite" href="#{name}u{unit + 1}">'
        f'<span class="vh">source, sentence </span>{sentence + 1}</a></p>'
        for line, (sentence, unit) in zip(summary.sentences, places, strict=True)
    )


def _warnings(summary: Summary, name: str) -> str:
    """List words that are not verbatim, and warnings."""
    text = summary.document.text
    items = [
        f"<li><b>not verbatim</b>: “{escape(change.by)}” stands for "
        f"“{escape(text[change.start : change.end])}”{_unit_link(name, change.unit)}</li>"
        for change in summary.replacements
    ]
    items += [
        f"<li><b>{escape(warning.code)}</b>: {escape(warning.message)}"
        f"{_unit_link(name, warning.unit)}</li>"
        for warning in summary.warnings
    ]
    return f'<ul class="warnings" aria-label="Notes">{"".join(items)}</ul>\n' if items else ""


def _unit_link(name: str, unit: int | None) -> str:
    return "" if unit is None else f' <a href="#{name}u{unit + 1}">unit {unit + 1}</a>'


@dataclass(frozen=True, slots=True)
class _Source:
    """The units of a document with explanations and mentions."""

    name: str
    document: Document
    lines: Sequence[Explanation]
    marks: Sequence[Sequence[Mark]]

    def unit(self, index: int) -> str:
        line, document = self.lines[index], self.document
        unit = line.unit
        text = mark_up(
            document.text, document.edus[index].span, self.marks[index], opening=open_mention
        )
        needs = " ".join(str(edu) for edu in unit.depends_on)
        needed = f' data-needs="{needs}"' if needs else ""
        about = f'id="{self.name}u{index + 1}" title="{escape(_hint(line))}"{needed}'
        if not unit.selected:
            return f'<span class="u" {about}>{text}</span>'
        kind = "u in" if unit.reason == "score" else "u in need"
        return f'<mark class="{kind}" tabindex="0" {about}>{text}</mark>'


def _hint(line: Explanation) -> str:
    """Describe a unit in one line; units are numbered from 1."""
    unit = line.unit
    reason = _NUMBER.sub(lambda number: str(int(number.group()) + 1), line.reason)
    parts = [f"Unit {unit.index + 1}", replace(line, reason=reason).why]
    parts += [f"score {unit.score:.3g}, rank {line.rank} of {line.n_units}"]
    if unit.depends_on:
        parts += [f"needs {', '.join(str(edu + 1) for edu in unit.depends_on)}"]
    return " · ".join(parts)


def _source(analysis: Analysis, summary: Summary, name: str) -> str:
    document = summary.document
    found = chains(document, analysis.coref)
    source = _Source(name, document, summary.explain(), marks_by_edu(document, found))
    return "\n".join(
        f'<p dir="auto">{"".join(_spaced(source, units))}</p>' for units in _paragraphs(document)
    )


def _paragraphs(document: Document) -> Iterator[range]:
    """Yield the units of each paragraph."""
    by_sentence = document.edus_by_sentence()
    for first, after in pairwise([*document.paragraphs, len(by_sentence)]):
        yield range(by_sentence[first].start, by_sentence[after - 1].stop)


def _spaced(source: _Source, units: range) -> Iterator[str]:
    """Yield the units with the white space between them."""
    end = source.document.edus[units.start].span.start
    for unit in units:
        span = source.document.edus[unit].span
        yield " " if end < span.start else ""
        yield source.unit(unit)
        end = span.end


def _graphs(analysis: Analysis, chosen: Set[int]) -> str:
    document = analysis.document
    n_edus = len(document.edus)
    clusters = cluster_edus(document, analysis.coref)
    joined = graph_adjacency(rst_graph(analysis.rst))
    shared = shared_adjacency(n_edus, clusters)
    return "\n".join(
        [
            _figure("Coreference graph: EDUs that mention the same thing", shared, n_edus, chosen),
            _figure("RST graph: from satellite (row) to nucleus (column)", joined, n_edus, chosen),
        ]
    )


def _figure(title: str, adjacency: Adjacency, n_edus: int, chosen: Set[int]) -> str:
    size = adjacency.size
    filled = f"{adjacency.n_cells} cells of {size} by {size} are filled"
    alternative = f"{title}. {filled}, for {n_edus} EDUs."
    url = png_data_url(adjacency, n_edus=n_edus, chosen=chosen)
    return (
        f'<figure><img src="{url}" width="{size}" height="{size}"'
        f' data-n="{n_edus}" alt="{alternative}"><figcaption>{title}</figcaption></figure>'
    )
