"""Summaries as plain text."""

import textwrap
from collections.abc import Sequence

from discobert.data.summary import Summary


def render_text(summaries: Sequence[Summary]) -> str:
    """Write each summary as one paragraph; several get their names above them."""
    if len(summaries) == 1:
        return f"{summaries[0].text}\n"
    return "\n".join(f"==> {summary.document.id} <==\n{summary.text}\n" for summary in summaries)


def render_terminal(summaries: Sequence[Summary], *, width: int) -> str:
    """Write each summary below a line with its name and length, wrapped to the width."""
    return "\n".join(_paragraph(summary, width) for summary in summaries)


def _paragraph(summary: Summary, width: int) -> str:
    parts = (f"{summary.document.id}: {length_facts(summary)}", summary.text)
    header, text = (
        textwrap.fill(part, width, break_long_words=False, break_on_hyphens=False) for part in parts
    )
    return f"{header}\n\n{text}\n"


def length_facts(summary: Summary) -> str:
    """Describe the length of a summary and of its source in words and sentences."""
    source = len(summary.document.text.split())
    touched = len({summary.document.edus[edu].sentence for edu in summary.selection.edus})
    share = f"{100 * summary.words / source:.0f} %"
    sentences = f"{touched} of {len(summary.document.sentences)} sentences"
    return f"{summary.words} of {source} words ({share}), from {sentences}"
