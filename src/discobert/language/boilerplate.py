"""Boilerplate lines of news pages: bylines, time stamps, datelines, calls to scroll or click.

The rules were derived from CNN and Daily Mail articles. About half of the Daily Mail's training
articles open with a byline block and nearly none of the later validation articles do, so a model
trained on raw openings learns a pattern that is absent at test time.
"""

import re
from collections.abc import Sequence
from enum import Enum


class Boilerplate(Enum):
    """Treatment of boilerplate when articles are read."""

    KEEP = "keep"
    """Leave articles unchanged; published figures are measured this way."""

    DROP = "drop"
    """Remove bylines, time stamps, datelines and notices."""


_AUTHOR_LINES = 3
_AUTHOR_WORDS = 12
_BYLINE = re.compile(r"(?:exclusive )?by:?", re.IGNORECASE)
_BYLINE_WITH_NAME = re.compile(r"By (?:[A-Z][\w'’.-]+(?:,| and| for| in)? ?){1,8}")
_MORE_AUTHORS = re.compile(r"(?:and|for|in|&)\s|,")
_TIME_STAMP = re.compile(
    r"\||(?:published|updated|created|last updated)\b(?: at\b.*|:.{0,40})"
    r"|\d{1,2}:\d{2}(?: [AP]M)?,? (?:[A-Z]{2,4}|on)\b.{0,40}",
    re.IGNORECASE,
)
_HANDLE = re.compile(r"follow @@?\S+.{0,40}", re.IGNORECASE)
_NOTICE = re.compile(
    r"(?:videos?[:\s]+)?scroll down\b.*"
    r"|(?:see|watch) (?:the )?(?:below for )?videos?(?: here| below)?\W*"
    r"|write caption here"
    r"|sorry,? we are (?:not currently|unable).*comments.*"
    r"|click here (?:to|for)\b.*"
    r"|(?:tm & )?(?:copyright|©).*"
    r"|the opinions expressed in this (?:commentary|article|column)\b.*"
    r"|unfortunately,? your browser does not\b.*"
    r"|visit \S+\.com for breaking news\b.*"
    r"|follow (?:us )?@?@?cnn\s?opinion on\b.*"
    r"|join us (?:on|at) facebook\S*",
    re.IGNORECASE | re.DOTALL,
)
_AGENCY = r"\((?:CNN[^()]{0,20}|[A-Z][\w.&' ]{1,25})\)"
_DATELINE = re.compile(rf"(?:[A-Z][^()]{{0,60}}\s)?(?:{_AGENCY}\s*(?:--|—|–)|\(CNN\))\s*")


def without_boilerplate(paragraphs: Sequence[str]) -> tuple[str, ...]:
    """Drop the paragraphs that are boilerplate and the dateline of the first that is not.

    An article of boilerplate alone is returned unchanged.
    """
    body = [p for p in paragraphs[_header_length(paragraphs) :] if not is_notice(p)]
    if not body:
        return tuple(paragraphs)
    opening = _DATELINE.sub("", body[0], count=1) if _DATELINE.match(body[0]) else body[0]
    return (opening or body[0], *body[1:])


def is_notice(text: str) -> bool:
    """Return whether a text is a call to scroll or click, or another notice of the page."""
    return _NOTICE.fullmatch(text.strip()) is not None


def _header_length(paragraphs: Sequence[str]) -> int:
    """Count the opening paragraphs that name authors, times and accounts."""
    authors_left = 0
    for index, paragraph in enumerate(paragraphs):
        line = paragraph.strip()
        if _BYLINE.fullmatch(line):
            authors_left = _AUTHOR_LINES
        elif _is_author(line, authors_left):
            authors_left -= 1
        elif not _is_stamp(line):
            return index
    return len(paragraphs)


def _is_author(line: str, authors_left: int) -> bool:
    if len(line.split()) > _AUTHOR_WORDS or line.endswith((".", "!", "?", ":")):
        return False
    if authors_left == _AUTHOR_LINES:  # any line right after "By"
        return True
    return bool(
        (authors_left > 0 and _MORE_AUTHORS.match(line)) or _BYLINE_WITH_NAME.fullmatch(line)
    )


def _is_stamp(line: str) -> bool:
    return bool(_TIME_STAMP.fullmatch(line) or _HANDLE.fullmatch(line))
