"""Analyses as one standalone HTML page: RST tree beside the text, mentions in colour."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from html import escape
from string import Template

from discobert.data.document import Document
from discobert.data.summary import Analysis
from discobert.render.mention_marks import Chain, Mark, chains, mark_up, marks_by_edu
from discobert.render.page import Page, template
from discobert.render.titles import document_title, file_name, heading_edus
from discobert.render.trees.brackets import Bracket, Drawing, draw
from discobert.render.trees.rst_groups import (
    Group,
    GroupedSubtree,
    GroupedTree,
    group_nuclei,
    top_down,
)
from discobert.render.trees.text import count, counts

_SHADES = 4
"""Chains have one of so many shades of one colour, and a number."""

PAGE = Page(styles=["page.css"], scripts=["page.js"])


def render_html(analyses: Sequence[Analysis]) -> str:
    """Draw every analysis on one page that needs no network, and no script to be read.

    All text is escaped, and the page's own policy forbids any script but ours.
    """
    names = [document_title(analysis.document) for analysis in analyses]
    articles = [_article(analysis, f"d{n}") for n, analysis in enumerate(analyses, start=1)]
    title = names[0] if len(names) == 1 else f"{len(names)} discourse analyses"
    return PAGE.fill(title, names, articles)


def _article(analysis: Analysis, name: str) -> str:
    tree = draw_analysis(analysis, name)
    return Template(template("article.html")).substitute(
        id=name,
        title=escape(document_title(analysis.document)),
        facts=f"{tree.facts}{named_file(analysis.document)}",
        width=tree.width,
        switch=coreference_switch(name) if tree.chains else "",
        chains=tree.chains,
        keys=template("tree_keys.html"),
        picture=tree.picture,
        lists=tree.lists,
    )


def named_file(document: Document) -> str:
    """Write the name of the file after other facts; the whole path is its tooltip."""
    name = file_name(document.id)
    return (
        f' · <span dir="auto" title="{escape(document.id)}">{escape(name)}</span>' if name else ""
    )


def coreference_switch(name: str) -> str:
    """Write the box that shows coreference when it is ticked, which needs no script."""
    return f'<label><input type="checkbox" class="coref" id="{name}-coref"> Coreference</label>'


@dataclass(frozen=True, slots=True)
class DrawnTree:
    """Fragments of HTML that show an analysis."""

    facts: str
    width: str
    """Width of the tree's lines, for the style property ``--width``."""

    chains: str
    picture: str
    lists: str
    marks: list[list[Mark]]
    """The mentions in each EDU."""


def draw_analysis(analysis: Analysis, name: str, *, chosen: Set[int] = frozenset()) -> DrawnTree:
    """Draw an analysis; ids start with the name, and the rows of chosen EDUs are marked."""
    document = analysis.document
    grouped = group_nuclei(analysis.rst)
    found = chains(document, analysis.coref)
    drawing = draw(grouped)
    marks = marks_by_edu(document, found)
    picture = _Picture(
        name, document, drawing, _places(document), marks, heading_edus(document), chosen
    )
    rows = "\n".join(_row(picture, edu) for edu in range(len(document.edus)))
    return DrawnTree(
        facts=_facts(document, drawing, found),
        width=f"{drawing.distance(drawing.levels):g}",
        chains=_chain_bar(name, found),
        picture=template("picture.html").replace("$rows", rows, 1),
        lists=_lists(name, grouped, found),
        marks=marks,
    )


def _facts(document: Document, drawing: Drawing, found: Sequence[Chain]) -> str:
    facts = [count(len(document.text.split()), "word"), *counts(document)]
    facts += [count(drawing.levels, "level"), count(len(found), "coreference chain")]
    return " · ".join(facts)


def _chain_bar(name: str, found: Sequence[Chain]) -> str:
    if not found:
        return ""
    items = "\n".join(
        f'<li><a href="#{name}e{chain.edus[0]}" class="s{_shade(chain)}"'
        f' data-c="{chain.number}" dir="auto">{chain.number} {escape(chain.name)}'
        f' <span>×{len(chain.spans)}<span class="vh"> mentions</span></span></a></li>'
        for chain in found
    )
    return f'<nav class="chains" aria-label="Coreference chains"><ul>\n{items}\n</ul></nav>\n'


def _shade(chain: Chain) -> int:
    return (chain.number - 1) % _SHADES


@dataclass(frozen=True, slots=True)
class _Picture:
    """All that rows are made of; lists have an item for each EDU."""

    name: str
    document: Document
    drawing: Drawing
    places: list[str]
    marks: list[list[Mark]]
    headings: Set[int]
    """EDUs of headings."""
    chosen: Set[int]


def _places(document: Document) -> list[str]:
    """Label each EDU with the paragraph or sentence that starts with it, if any."""
    paragraphs = {sentence: n for n, sentence in enumerate(document.paragraphs, start=1)}
    places = [""] * len(document.edus)
    for sentence, edus in enumerate(document.edus_by_sentence()):
        paragraph = paragraphs.get(sentence)
        places[edus.start] = f"s{sentence + 1}" if paragraph is None else f"¶{paragraph}"
    return places


def _row(picture: _Picture, edu: int) -> str:
    """Write an EDU with its label, and the lines that end on its row."""
    document = picture.document
    unit = document.edus[edu]
    text = mark_up(document.text, unit.span, picture.marks[edu], opening=open_mention)
    bare = "" if unit.has_subject else '<span title="no subject of its own">∅</span>'
    # What ends with an EDU is seen at the next one.
    following = "".join(picture.places[edu + 1 : edu + 2])[:1]
    edge = {"": "", "s": " sentence", "¶": " sentence paragraph"}[following]
    edge += " head" if edu in picture.headings else ""
    edge += " chosen" if edu in picture.chosen else ""
    return (
        f"{_lines(picture, edu)}"
        f'<div class="edu{edge}" role="listitem" id="{picture.name}e{edu}"'
        f' style="grid-row:{edu + 1}">{_label(picture, edu)}'
        f'<span class="number">{edu}</span><span class="bare">{bare}</span>'
        f'<span class="text" dir="auto">{text}</span>'
        f'<span class="place">{picture.places[edu]}</span></div>'
    )


def open_mention(chain: Chain) -> str:
    """Start a mention in the shade of its chain."""
    return f'<span class="m s{_shade(chain)}" data-c="{chain.number}">'


def _lines(picture: _Picture, edu: int) -> str:
    drawing = picture.drawing
    stem, bracket = drawing.stems[edu], drawing.brackets[edu]
    lines = ""
    if stem:
        reach = f"grid-row:{edu + 1};--b:{drawing.distance(stem):g}"
        lines += f'<i class="line stem" style="{reach}" aria-hidden="true"></i>'
    return lines if bracket is None else f"{lines}{_bracket(drawing, bracket)}"


def _bracket(drawing: Drawing, bracket: Bracket) -> str:
    """Write a line in two elements, one of which is the end on the lower row.

    So the end stays on its row if a printed page breaks between the rows.
    """
    upper, lower = bracket.rows
    near, far = drawing.distance(bracket.child.level), drawing.distance(bracket.level)
    kind = f"{_role(bracket)} {'down' if bracket.is_below else 'up'}"
    more = " more" if bracket.continues else ""
    rest = f'--a:{near:g};--b:{far:g}" data-l="{bracket.child.head}" aria-hidden="true"></i>'
    return (
        f'<i class="line {kind}" style="grid-row:{upper + 1}/{lower + 1};{rest}'
        f'<i class="line end {kind}{more}" style="grid-row:{lower + 1};{rest}'
    )


def _role(bracket: Bracket) -> str:
    return "n" if bracket.child.is_nucleus else "s"


def _label(picture: _Picture, edu: int) -> str:
    bracket = picture.drawing.brackets[edu]
    if bracket is None:
        nucleus = '<abbr title="nucleus">N</abbr><em>root</em>'
        return f'<span class="rel" title="the most central unit of the text">{nucleus}</span>'
    subtree, other, role = bracket.child, bracket.sibling, _role(bracket)
    relation = escape(bracket.relation)
    kind, how, sign = ("satellite", "of", "→") if role == "s" else ("nucleus", "with", "+")
    return (
        f'<span class="rel {role}" data-line="{edu}"'
        f' data-part="{subtree.start} {subtree.end}" data-other="{other.start} {other.end}"'
        f' title="{relation}: {_named(subtree)}, {kind}, {how} {_named(other)}">'
        f'<abbr title="{kind}">{role.upper()}</abbr><em>{relation}</em>'
        f'<a href="#{picture.name}e{other.head}"><span class="vh">{how} EDU </span>'
        f"{sign}{other.head}</a></span>"
    )


def _named(subtree: GroupedSubtree) -> str:
    return f"EDU{'' if subtree.group is None else 's'} {subtree.numbers}"


def _lists(name: str, grouped: GroupedTree, found: Sequence[Chain]) -> str:
    """Write tree and chains as lists, for screen readers."""
    sections = [
        ("The tree from its root", _tree_items(name, grouped)),
        ("Coreference chains", _chain_items(name, found)),
    ]
    shown = "".join(
        f"<h2>{title}</h2>\n<ol>\n{''.join(items)}</ol>\n"
        for title, items in ((title, list(items)) for title, items in sections)
        if items
    )
    if not shown:
        return ""
    summary = "<summary>The same as lists</summary>"
    return f'<details class="lists">{summary}\n{shown}</details>\n'


def _tree_items(name: str, grouped: GroupedTree) -> Iterator[str]:
    for subtree, depth in top_down(grouped):
        if subtree.group is not None:
            level = f'<span class="vh">level {depth + 1}: </span>'
            found = grouped.groups[subtree.group]
            yield f'<li style="--d:{depth}">{level}{_tree_item(name, found)}</li>\n'


def _tree_item(name: str, found: Group) -> str:
    parts = ", ".join(
        f"{'nucleus' if subtree.is_nucleus else 'satellite'} "
        f'<a href="#{name}e{subtree.head}">{subtree.numbers}</a>'
        for subtree in found.children
    )
    return f"<b>{escape(found.relation)}</b>: {parts}"


def _chain_items(name: str, found: Sequence[Chain]) -> Iterator[str]:
    for chain in found:
        edus = ", ".join(f'<a href="#{name}e{edu}">{edu}</a>' for edu in chain.edus)
        yield f"<li>{chain.number} <b>{escape(chain.name)}</b>: EDUs {edus}</li>\n"
