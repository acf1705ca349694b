"""Raw text to sentences with exact offsets, without a model."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from discobert.data.document import SentenceLayout, Span
from discobert.logic.paragraphs import find_paragraphs

_STOP = re.compile(r"([.!?…]+)(['\"”’»)\]]*)((?:\[[^\]\s]{1,8}\])*)(\s+)(?=\S)")
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sen rep gov gen col lt sgt capt rev hon st jr sr vs etc no inc ltd co corp "
    "e.g i.e fig eq al jan feb mar apr jun jul aug sep sept oct nov dec".split()
)


@dataclass(frozen=True, slots=True)
class NewsSplitter:
    """Splits English text at sentence ends; a paragraph break always ends a sentence."""

    def split(self, text: str) -> SentenceLayout:
        """Return trimmed sentences that together hold every non-space character, each once."""
        sentences: list[Span] = []
        paragraphs: list[int] = []
        for paragraph in find_paragraphs(text):
            paragraphs.append(len(sentences))
            sentences.extend(_split_paragraph(text, paragraph))
        return SentenceLayout(tuple(sentences), tuple(paragraphs))


def _split_paragraph(text: str, paragraph: Span) -> Iterator[Span]:
    start = paragraph.start
    for match in _STOP.finditer(text, start, paragraph.end):
        if match.end() < paragraph.end and _ends_sentence(text, start, match):
            yield Span(start, match.start(4))
            start = match.end()
    yield Span(start, paragraph.end)


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    before = text[start : match.start()].split()
    last = before[-1].lstrip("([\"'“‘").lower() if before else ""
    following = text[match.end()]
    if not any(character.isalnum() for character in last) or following.islower():
        return False
    initial = len(last) == 1 and last.isalpha() and last != "i"
    return match.group(1) != "." or not (last in _ABBREVIATIONS or initial or "." in last)
