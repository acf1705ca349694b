"""Summaries and analyses as fragments of HTML for notebooks: inline styles, no script."""

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from discobert.data.analysis import Analysis
from discobert.data.summary import Summary
from discobert.render.summaries.text import length_facts
from discobert.render.trees.text import render_tree


def render_summary_fragment(summary: Summary) -> str:
    """Show the lines of a summary above its source, where the chosen units are marked."""
    lines = "".join(f"<li>{escape(line)}</li>" for line in summary.sentences)
    warnings = "".join(f"<p>⚠ {escape(str(each))}</p>" for each in summary.warnings)
    source = "".join(f"<p>{''.join(part)}</p>" for part in _paragraphs(summary))
    return (
        '<div style="max-width: 46em">'
        f'<ul style="list-style: none; padding: 0">{lines}</ul>'
        f"<p><small>{escape(length_facts(summary))}</small></p>{warnings}"
        f"<details><summary>Source</summary>{source}</details></div>"
    )


def _paragraphs(summary: Summary) -> Iterator[Iterator[str]]:
    """Yield the pieces of each paragraph of the source."""
    document = summary.document
    by_sentence = document.edus_by_sentence()
    units = summary.units
    for first, after in pairwise([*document.paragraphs, len(by_sentence)]):
        edus = range(by_sentence[first].start, by_sentence[after - 1].stop)
        yield (
            f"<mark>{escape(unit.text)}</mark> " if unit.selected else f"{escape(unit.text)} "
            for unit in units[edus.start : edus.stop]
        )


def render_analysis_fragment(analysis: Analysis) -> str:
    """Show the tree of an analysis as text."""
    tree = escape(render_tree([analysis]))
    return f'<pre style="line-height: 1.2; overflow-x: auto">{tree}</pre>'
