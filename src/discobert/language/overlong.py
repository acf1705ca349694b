"""Overlong sentences cut into sections, so that the cost of a text grows with its length alone.

What no stop ends for pages is a table, a list or noise: no network has learnt anything about it,
and work inside a sentence may grow with the square of its length.
"""

import re
from collections.abc import Iterator

from discobert.data.document import Span

MOST_CHARACTERS = 4_000
"""Characters of the longest section: several times the longest sentence of a statute."""

_NO_SPACE = re.compile(r"\S")
_BREAKS = ("\n", ";", ",", " ")
"""Where a section ends, the best place first."""


def sections(text: str, sentence: Span, *, most: int = MOST_CHARACTERS) -> Iterator[Span]:
    """Yield a sentence, or its trimmed sections if it is overlong."""
    start, end = sentence.start, sentence.end
    while end - start > most:
        cut = _place(text, start + most // 2, start + most)
        yield Span(start, start + len(text[start:cut].rstrip()))
        following = _NO_SPACE.search(text, cut, end)
        if following is None:
            return
        start = following.start()
    yield Span(start, end)


def _place(text: str, low: int, high: int) -> int:
    """Return where to cut between two places: after a break, or else at the second."""
    found = (text.rfind(mark, low, high) for mark in _BREAKS)
    return next((place + 1 for place in found if place >= 0), high)
