"""Lines of a raw text to paragraphs.

A line end is a paragraph break, as in web articles that hold one paragraph a line, unless the text is
hard-wrapped: then only blank lines, list items, indents and lines cut short on purpose break it.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from discobert.data.document import Span

_LINE = re.compile(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_HARD_BREAK = re.compile(r"\u2029|\f[^\S\n]*\f")
_LIST_ITEM = re.compile(r"(?:[-*+•◦▪‣·–—»]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)])\s")
_TERMINAL = re.compile(r"[.!?:;…。！？]['\"”’»)\]]*$")

WRAP_WIDTHS = range(30, 141)
"""Median line lengths at which a text may have been wrapped by hand or by a mail program."""

RUNNING_ON = 0.4
"""Least share of line ends inside blocks that cut a sentence, in a wrapped text (running English: about 0.6)."""

SHORT_LINE = 0.75
"""A line of a wrapped text ended early if it and the next word fill less than this share of the width."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with visible content, trimmed; ``follows`` tells that no blank line comes before it."""

    span: Span
    text: str
    indent: int
    follows: bool


def find_paragraphs(text: str) -> tuple[Span, ...]:
    """Return the paragraphs in reading order, trimmed of white space; white space alone gives none."""
    lines = _find_lines(text)
    width = _wrap_width(lines)
    spans: list[Span] = []
    for index, line in enumerate(lines):
        if index and width and line.follows and not _opens_paragraph(lines[index - 1], line, width):
            spans[-1] = Span(spans[-1].start, line.span.end)
        else:
            spans.append(line.span)
    return tuple(spans)


def _find_lines(text: str) -> list[Line]:
    lines: list[Line] = []
    previous_end = 0
    for match in _LINE.finditer(text):
        content = match.group()
        trimmed = content.strip()
        if not trimmed:
            continue
        indent = len(content) - len(content.lstrip())
        start = match.start() + indent
        follows = bool(lines) and _is_single_break(text[previous_end:start])
        lines.append(Line(Span(start, start + len(trimmed)), trimmed, indent, follows))
        previous_end = start + len(trimmed)
    return lines


def _is_single_break(gap: str) -> bool:
    return len(gap.splitlines()) < 3 and not _HARD_BREAK.search(gap)


def _wrap_width(lines: list[Line]) -> int:
    """Return the width a text was wrapped at, or 0 if each line is a paragraph."""
    breaks = [(one, two) for one, two in pairwise(lines) if two.follows]
    if not breaks:
        return 0
    running_on = sum(_runs_on(one, two) for one, two in breaks)
    typical = int(median(len(one.text) for one, _ in breaks))
    if typical not in WRAP_WIDTHS or running_on < RUNNING_ON * len(breaks):
        return 0
    return typical


def _runs_on(line: Line, following: Line) -> bool:
    return following.text[0].islower() and not _TERMINAL.search(line.text)


def _opens_paragraph(line: Line, following: Line, width: int) -> bool:
    if _LIST_ITEM.match(following.text) or following.indent > line.indent + 1:
        return True
    if following.text[0].islower():
        return False
    first_word = following.text.split(maxsplit=1)[0]
    return len(line.text) + 1 + len(first_word) < SHORT_LINE * width
