"""Summaries as Markdown."""

import re
from collections.abc import Sequence

from discobert.data.summary import Summary

_MARKUP = re.compile(r"[\\`*_{}\[\]<>|~&#$]")
_LIST_MARK = re.compile(r"^(\d+)([.)])|^([-+=])")


def render_markdown(summaries: Sequence[Summary]) -> str:
    """Write a heading, one point per source sentence, what was used, and the warnings."""
    return "\n".join(_render(summary) for summary in summaries)


def _render(summary: Summary) -> str:
    source = len(summary.document.text.split())
    model = f"{summary.model.name} {summary.model.version}"
    points = [f"- {_escape(sentence)}" for sentence in summary.sentences]
    facts = f"*{summary.words} of {source} words · {_escape(model)}*"
    warnings = [f"> **{_escape(each.code)}**: {_escape(each.message)}" for each in summary.warnings]
    blocks = [f"## {_escape(summary.document.id)}", "\n".join(points), facts]
    return "\n\n".join([*blocks, *warnings]) + "\n"


def _escape(text: str) -> str:
    """Make Markdown show the characters as they are, on one line."""
    escaped = _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))
    return _LIST_MARK.sub(r"\1\\\2\3", escaped)
