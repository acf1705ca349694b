"""Summaries as one standalone HTML page: selected and omitted units with reasons."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from string import Template

from discobert.data.document import Document
from discobert.data.explanation import ENDS, Explanation
from discobert.data.markup import Segment, SegmentKind
from discobert.data.summary import Analysis, Summary
from discobert.discourse.graphs import cluster_edus, rst_graph
from discobert.render.mention_marks import Mark, chains, mark_up, marks_by_edu
from discobert.render.page import Page, template
from discobert.render.summaries.text import length_facts
from discobert.render.titles import document_title, heading_paragraphs
from discobert.render.trees.adjacency import (
    Adjacency,
    graph_adjacency,
    png_data_url,
    shared_adjacency,
)
from discobert.render.trees.html import (
    coreference_switch,
    draw_analysis,
    named_file,
    open_mention,
)

PAGE = Page(
    styles=["page.css", "summary.css"],
    scripts=["page.js", "summary.js"],
    has_images=True,
)

_OPEN_TREE = 60
"""Trees of documents with fewer EDUs are unfolded when the page opens."""

_CHOSEN, _NEEDED, _CUT, _LEFT = "u in", "u in need", "u cut", "u"
_KEYS = {
    _CHOSEN: '<mark class="u in plain">In the summary</mark>',
    _NEEDED: '<mark class="u in need plain">Needed by a chosen piece</mark>, or the lead',
    _CUT: '<span class="u cut plain">Cut out</span> of a chosen sentence',
    _LEFT: '<span class="u plain">Left out</span>',
}
"""Classes of units, and what they mean."""


def render_summary_html(pairs: Sequence[tuple[Analysis, Summary]]) -> str:
    """Show every summary with its source on one page that needs no network.

    All text is escaped, and the page's own policy forbids any script but ours.
    """
    names = [document_title(summary.document) for _, summary in pairs]
    articles = [_article(*pair, name=f"d{number}") for number, pair in enumerate(pairs, start=1)]
    title = f"{names[0]} · Summary" if len(names) == 1 else f"{len(names)} summaries"
    return PAGE.fill(title, names, articles)


def _article(analysis: Analysis, summary: Summary, *, name: str) -> str:
    chosen = chosen_edus(analysis, summary)
    tree = draw_analysis(analysis, name, chosen=chosen)
    lines = summary.explain()
    n_edus = len(analysis.document.edus)
    model = f"{summary.model.name} {summary.model.version}"
    return Template(template("summary.html")).substitute(
        id=name,
        title=escape(document_title(summary.document)),
        facts=f"{escape(length_facts(summary))}{named_file(summary.document)} · {escape(model)}",
        keys=_keys(lines),
        digest=_digest(summary, name),
        end=_end(summary),
        warnings=_warnings(summary, name),
        switch=coreference_switch(name) if tree.chains else "",
        chains=tree.chains,
        source=_source(analysis, summary, lines, name),
        width=tree.width,
        tree_facts=tree.facts,
        tree_keys=template("tree_keys.html"),
        open="open" if n_edus < _OPEN_TREE else "",
        picture=tree.picture,
        lists=tree.lists,
        graphs=_graphs(analysis, chosen),
        n_edus=n_edus,
    )


def _keys(lines: Sequence[Explanation]) -> str:
    """Explain the looks of pieces, as far as the page has such pieces."""
    kinds = {_kind(line) for line in lines}
    return "\n".join(f"<li>{key}</li>" for kind, key in _KEYS.items() if kind in kinds)


def _end(summary: Summary) -> str:
    reason = summary.end
    return "" if reason is None else f'<p class="why">{escape(_sentence(ENDS[reason]))}</p>\n'


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


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
        items = [f'<li dir="auto">{escape(line)}</li>' for line in summary.sentences]
    else:
        items = [
            f'<li dir="auto"><a href="#{name}u{unit}">{escape(line)}&nbsp;<span class="cite">'
            f'<span class="vh">(source: sentence </span>{sentence + 1}<span class="vh">)</span>'
            "</span></a></li>"
            for line, (sentence, unit) in zip(summary.sentences, places, strict=True)
        ]
    return "\n".join(items)


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
    return "" if unit is None else f' <a href="#{name}u{unit}">unit {unit}</a>'


@dataclass(frozen=True, slots=True)
class _Source:
    """The units of a document with explanations and mentions."""

    name: str
    document: Document
    lines: Sequence[Explanation]
    marks: Sequence[Sequence[Mark]]
    last: int
    """The last unit of the summary."""
    end: str
    """Why the summary ends with it."""

    def unit(self, index: int) -> str:
        line, document = self.lines[index], self.document
        unit = line.unit
        text = mark_up(
            document.text, document.edus[index].span, self.marks[index], opening=open_mention
        )
        needs = " ".join(str(edu) for edu in unit.depends_on)
        needed = f' data-needs="{needs}"' if needs else ""
        hint = _hint(line, self.end if index == self.last else "")
        about = f'id="{self.name}u{index}" title="{escape(hint)}"{needed}'
        kind = _kind(line)
        if not unit.selected:
            return f'<span class="{kind}" {about}>{text}</span>'
        return f'<mark class="{kind}" tabindex="0" {about}>{text}</mark>'


def _kind(line: Explanation) -> str:
    """Return the classes of a unit."""
    if line.unit.selected:
        return _CHOSEN if line.reason == "score" else _NEEDED
    return _LEFT if line.harmless is None and line.reason != "cut" else _CUT


def _hint(line: Explanation, end: str) -> str:
    """Describe a unit in a few lines; units are counted from 0 as in JSON, sentences from 1."""
    unit = line.unit
    facts = [_sentence(line.why)]
    facts += [f"Score {unit.score:.2f}, rank {line.rank} of {line.n_units}."]
    if line.harmless is not None:
        facts += [f"{line.harmless:.0%} sure that leaving it out does no harm."]
    if unit.depends_on:
        facts += [f"Needs {', '.join(str(edu) for edu in unit.depends_on)}."]
    if end:
        facts += [_sentence(end)]
    return "\n".join([*facts, f"Piece {unit.index}, sentence {unit.sentence + 1}"])


def _source(analysis: Analysis, summary: Summary, lines: Sequence[Explanation], name: str) -> str:
    document = summary.document
    marks = marks_by_edu(document, chains(document, analysis.coref))
    last = max(summary.selection.edus, default=-1)
    source = _Source(name, document, lines, marks, last, ENDS.get(summary.end or "", ""))
    cues = _cues(document)
    tags = _tags(document)
    return "\n".join(
        _block(tag, source, sentences, cues)
        for tag, sentences in zip(tags, _paragraphs(document), strict=True)
    )


def _tags(document: Document) -> Iterator[str]:
    """Yield the tag of each paragraph, perhaps with a class."""
    headings = heading_paragraphs(document)
    for index, span in enumerate(document.paragraph_spans()):
        kinds = {segment.kind for segment in document.markup.segments_of(span)}
        item = 'p class="item"' if kinds == {SegmentKind.LIST_ITEM} else "p"
        yield "h3" if index in headings else item


def _cues(document: Document) -> dict[int, str]:
    """Tell speaker and time before sentences of a transcript, where one of them is another."""
    cues: dict[int, str] = {}
    found = (document.markup.segments_of(span) for span in document.sentences)
    turns = [next(iter(segments), None) for segments in found]
    for sentence, (before, turn) in enumerate(pairwise([None, *turns])):
        if turn is not None and turn != before:
            text = document.sentences[sentence].of(document.text)
            cues[sentence] = _cue(turn, before, text)
    return cues


def _cue(turn: Segment, before: Segment | None, text: str) -> str:
    """Write a speaker, unless the text names them first, and the time of a turn."""
    speaker, clock = turn.speaker, _clock(turn)
    is_known = speaker is None or (before and speaker == before.speaker) or text.startswith(speaker)
    cue = [] if is_known else [escape(speaker or "")]
    cue += [f"<time>{clock}</time>"] if clock and not (before and clock == _clock(before)) else []
    return f'<span class="cue">{" · ".join(cue)}</span> ' if cue else ""


def _clock(turn: Segment) -> str:
    return clock_time(turn.time[0]) if turn.time else ""


def clock_time(seconds: float) -> str:
    """Write a time as minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _block(tag: str, source: _Source, sentences: Sequence[range], cues: Mapping[int, str]) -> str:
    """Write a paragraph or heading, with the white space between its sentences."""
    edus = source.document.edus
    shown: list[str] = []
    end = edus[sentences[0].start].span.start
    for units in sentences:
        shown += [" "] if end < edus[units.start].span.start else []
        shown += [cues.get(edus[units.start].sentence, "")]
        shown += [f'<span class="sentence">{"".join(_spaced(source, units))}</span>']
        end = edus[units.stop - 1].span.end
    return f'<{tag} dir="auto">{"".join(shown)}</{tag.partition(" ")[0]}>'


def _paragraphs(document: Document) -> Iterator[Sequence[range]]:
    """Yield the units of each sentence of each paragraph."""
    by_sentence = document.edus_by_sentence()
    for first, after in pairwise([*document.paragraphs, len(by_sentence)]):
        yield by_sentence[first:after]


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
