"""Lines of a raw text to paragraphs.

A line end is a paragraph break, as in web articles with one paragraph per line. Two rules handle
texts whose lines were wrapped by a mail program, an editor or a scraper: a line end inside a
sentence is no break; and in a text that is hard-wrapped as a whole only blank lines, list items,
indents and short lines are.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from discobert.data.document import Span

_LINE = re.compile(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
# A form feed after a line end is a new page, not a blank line.
_LINE_END = re.compile(r"(?:\r\n?|\n)\f?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
_LIST_ITEM = re.compile(r"(?:[-*+•◦▪‣·–—»]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{2,4})[.)])\s")
_FINISHED = re.compile(r"[.!?:;…|。！？؟।]['\"”’»)\]]*\Z")
_UNFINISHED = re.compile(
    # No word that can end a caption (*the house he lives in*), and no capital A (*hepatitis A*).
    r"(?:\A|\s)(?:a|(?i:an|and|because|but|its|my|of|or|our|than|the|their|which|whose|your))\Z"
)

LONG_LINE = 30
"""Two lines are parts of one sentence only if one of them is as long: list items are shorter."""

WRAP_WIDTHS = range(LONG_LINE, 141)
"""Typical line lengths at which a whole text may have been wrapped."""

CUT_SHARE = 0.4
"""Least share of line ends that cut a sentence in a wrapped text (English prose: about 0.6)."""

HEAD = 24
"""Characters at the start of a line that decide whether it continues a sentence."""

TAIL = 12
"""Characters at the end of a line that decide whether its sentence is complete."""

SLACK = 0.25
"""Wrapped lines differ from the typical length by at most this share of it."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A non-blank line, trimmed; ``follows`` if no blank line precedes it."""

    span: Span
    text: str
    indent: int
    follows: bool

    @property
    def in_lower(self) -> bool:
        """Whether its first word is all lower case, unlike that of a sentence; "eShop" is not."""
        return self.text[0].islower() and self.text[:HEAD].split(maxsplit=1)[0].islower()


def find_paragraphs(text: str) -> tuple[Span, ...]:
    """Return the trimmed paragraphs in reading order; white space alone gives none."""
    lines = _find_lines(text)
    width = _wrap_width(lines)
    spans: list[Span] = []
    lower = False
    for index, line in enumerate(lines):
        if line.follows and _continues(lines, index, width=width, lower=lower):
            spans[-1] = Span(spans[-1].start, line.span.end)
        else:
            spans.append(line.span)
            lower = line.in_lower
    return tuple(spans)


def _find_lines(text: str) -> list[TextLine]:
    lines: list[TextLine] = []
    previous_end = 0
    for match in _LINE.finditer(text):
        trimmed = match.group().strip()
        if trimmed:
            indent = len(match.group()) - len(match.group().lstrip())
            span = Span(match.start() + indent, match.start() + indent + len(trimmed))
            follows = bool(lines) and _is_line_end(text[previous_end : span.start])
            lines.append(TextLine(span, trimmed, indent, follows))
            previous_end = span.end
    return lines


def _is_line_end(gap: str) -> bool:
    """Return whether a gap is a single line end: no blank line, no paragraph separator."""
    return len(_LINE_END.findall(gap)) < 2 and "\u2029" not in gap


def _wrap_width(lines: list[TextLine]) -> int:
    """Return the typical line length if the text as a whole was wrapped, otherwise 0."""
    ends = [(one, two) for one, two in pairwise(lines) if two.follows]
    openings = [line.in_lower for line in lines if not line.follows]
    if not ends or 2 * sum(openings) >= len(openings):
        return 0
    lengths = [len(one.text) for one, _ in ends]
    width = int(median(lengths))
    cut = sum(_cuts_sentence(one, two) for one, two in ends)
    even = sum(abs(length - width) < SLACK * width for length in lengths)
    wrapped = width in WRAP_WIDTHS and cut >= CUT_SHARE * len(ends) and even >= 0.5 * len(ends)
    return width if wrapped else 0


def _continues(lines: list[TextLine], index: int, *, width: int, lower: bool) -> bool:
    line, following = lines[index - 1], lines[index]
    continues = following.in_lower
    if _LIST_ITEM.match(following.text) or (following.indent > line.indent + 1 and not continues):
        return False
    if width:
        return not _ends_early(line, following, width)
    # Where paragraphs start in lower case, as in chats, a small letter is no evidence.
    return not lower and (_cuts_sentence(line, following) or _cuts_name(lines, index))


def _ends_early(line: TextLine, following: TextLine, width: int) -> bool:
    """Return whether a line ends its paragraph in a wrapped text: shorter, or never wrapped."""
    if following.in_lower:
        return False
    filled = len(line.text) + 1 + len(following.text.split(maxsplit=1)[0])
    return filled < (1 - SLACK) * width or len(line.text) > (1 + SLACK) * width


def _cuts_sentence(line: TextLine, following: TextLine) -> bool:
    if max(len(line.text), len(following.text)) < LONG_LINE or _FINISHED.search(line.text[-TAIL:]):
        return False
    if following.in_lower:
        return True
    # A heading such as "Get in" also ends in such a word.
    heading = " " in line.text and len(line.text) < LONG_LINE
    return not heading and bool(_UNFINISHED.search(line.text[-TAIL:]))


def _cuts_name(lines: list[TextLine], index: int) -> bool:
    """Return whether a line is as long as a wrapped neighbour, so that it is wrapped, too."""
    line, following = lines[index - 1], lines[index]
    if _FINISHED.search(line.text[-TAIL:]):
        return False
    filled = len(line.text) + 1 + len(following.text.split(maxsplit=1)[0])
    cut_lines = [
        one
        for one, two in pairwise(lines[max(0, index - 2) : index + 2])
        if two.follows and _cuts_sentence(one, two)
    ]
    return any(len(line.text) - 12 < len(one.text) < filled for one in cut_lines if one is not line)
