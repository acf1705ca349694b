"""Raw text to sentences with exact offsets: rules and word lists, no model."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from discobert.data.document import SentenceLayout, Span
from discobert.language.paragraphs import find_paragraphs
from discobert.language.sentence_ends import split_paragraph

FINAL_STOP = re.compile(r"[.!?…:;][\"'”’)\]]*(?:\s*\[\d+\])*\s*$")
"""Ends a sentence; numbers of notes ("[12]") may follow. A line without it may be a heading."""
MOST_CHARACTERS = 4_000
"""Characters of the longest section: several times the longest sentence of a statute."""

_NO_SPACE = re.compile(r"\S")
_BREAKS = ("\n", ";", ",", " ")
"""Where a section ends, the best place first."""


@dataclass(frozen=True, slots=True)
class NewsSplitter:
    """Splits English text at sentence ends; a paragraph break always ends a sentence.

    What no stop ends for thousands of characters is cut into several: a table, a list or noise,
    about which no network has learnt anything. Work inside a sentence may grow with the square of
    its length; that of a text must not.
    """

    def split(self, text: str) -> SentenceLayout:
        """Return trimmed sentences that together cover every non-space character, each once."""
        sentences: list[Span] = []
        paragraphs: list[int] = []
        for paragraph in find_paragraphs(text):
            paragraphs.append(len(sentences))
            for sentence in split_paragraph(text, paragraph):
                sentences.extend(sections(text, sentence))
        return SentenceLayout(tuple(sentences), tuple(paragraphs))


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
