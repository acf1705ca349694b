"""Summaries as Markdown."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from discobert.data.summary import Summary

_MARKUP = re.compile(r"[\\`*_{}\[\]<>|~&#$]")
_LIST_MARK = re.compile(r"^(\d+)([.)])|^([-+=])")


def render_markdown(summaries: Sequence[Summary]) -> str:
    """Write heading, a bullet for each line, length and model, warnings, and the source.

    In the source, omitted units are struck through.
    """
    return "\n".join(_render(summary) for summary in summaries)


def _render(summary: Summary) -> str:
    source = len(summary.document.text.split())
    model = f"{summary.model.name} {summary.model.version}"
    points = [f"- {_escape(sentence)}" for sentence in summary.sentences]
    facts = f"*{summary.words} of {source} words · {_escape(model)}*"
    warnings = [f"> **{_escape(each.code)}**: {_escape(each.message)}" for each in summary.warnings]
    blocks = [f"## {_escape(summary.document.id)}", "\n".join(points), facts]
    notes = [*_replaced(summary), *warnings]
    return "\n\n".join([*blocks, *notes, "### Source", *_source(summary)]) + "\n"


def _replaced(summary: Summary) -> Iterator[str]:
    """List words that are not verbatim."""
    for change in summary.replacements:
        was = summary.document.text[change.start : change.end]
        yield f"> **not verbatim**: “{_escape(change.by)}” stands for “{_escape(was)}”"


def _source(summary: Summary) -> Iterator[str]:
    """Yield the paragraphs of the source; runs of omitted units are struck through together."""
    document, chosen = summary.document, set(summary.selection.edus)
    by_sentence = document.edus_by_sentence()
    for first, after in pairwise([*document.paragraphs, len(by_sentence)]):
        edus = range(by_sentence[first].start, by_sentence[after - 1].stop)
        pieces: list[str] = []
        end = document.edus[edus.start].span.start
        for kept, group in groupby(edus, key=chosen.__contains__):
            run = list(group)
            start = document.edus[run[0]].span.start
            pieces.append(" " if end < start else "")
            end = document.edus[run[-1]].span.end
            text = _escape(document.text[start:end])
            pieces.append(text if kept else f"~~{text}~~")
        yield "".join(pieces)


def _escape(text: str) -> str:
    """Make Markdown show the characters as they are, on one line."""
    escaped = _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))
    return _LIST_MARK.sub(r"\1\\\2\3", escaped)
