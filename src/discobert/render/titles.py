"""What a document is called, and which of its paragraphs are headings; for display only."""

import re
from itertools import pairwise
from pathlib import PurePath

from discobert.data.document import Document
from discobert.data.markup import SegmentKind

_HEADING_WORDS = 12
_LIST_LINES = 3
"""So many short lines in a row are a list, not headings."""
_TITLE_CHARACTERS = 90
_TITLE_WORDS = 5
_EARLY = 3
"""A title stands in one of the first paragraphs or sentences."""
_ENDED = re.compile(r"[.!?…:;,)\]”\"'’]$")


def heading_paragraphs(document: Document) -> frozenset[int]:
    """Return the paragraphs that are headings by their file, or look like it in a plain text."""
    if not document.markup.segments:
        return _apparent_headings(document)
    return frozenset(
        index
        for index, span in enumerate(document.paragraph_spans())
        if {segment.kind for segment in document.markup.segments_of(span)} == {SegmentKind.HEADING}
    )


def _apparent_headings(document: Document) -> frozenset[int]:
    """Return the short lines without a stop before a text."""
    lines = [span.of(document.text) for span in document.paragraph_spans()]
    short = [_is_short_line(line, is_first=not index) for index, line in enumerate(lines)]
    found: list[int] = []
    start = 0
    for index, (here, following) in enumerate(pairwise([*short, False])):
        if here and not following and index + 1 < len(short) and index - start + 1 < _LIST_LINES:
            found += range(start, index + 1)
        start = start if here and following else index + 1
    one_sentence = _paragraphs_of_one_sentence(document)
    return one_sentence.intersection(found)


def heading_edus(document: Document) -> frozenset[int]:
    """Return the EDUs of headings."""
    headings = heading_paragraphs(document)
    by_sentence = document.edus_by_sentence()
    return frozenset(edu for index in headings for edu in by_sentence[document.paragraphs[index]])


def document_title(document: Document) -> str:
    """Return the first heading, else the start of a sentence, else the file's name.

    The sentence is the first one that is no greeting: it has a few words.
    """
    spans = document.paragraph_spans()
    early = sorted(index for index in heading_paragraphs(document) if index < _EARLY)
    sentences = document.sentences[:_EARLY]
    long = (span for span in sentences if len(span.of(document.text).split()) >= _TITLE_WORDS)
    span = spans[early[0]] if early else next(long, sentences[0])
    words = span.of(document.text).split()
    if not any(character.isalpha() for word in words for character in word):
        return file_name(document.id) or "Untitled"
    return _shortened(words)


def file_name(name: str) -> str:
    """Return the last part of a path, of either kind of slash."""
    return PurePath(name.replace("\\", "/")).name


def _is_short_line(text: str, *, is_first: bool) -> bool:
    """Return whether a paragraph may be a heading; names of tools begin with a small letter."""
    letter = next(filter(str.isalnum, text), "a")
    is_short = len(text.split()) <= _HEADING_WORDS and not _ENDED.search(text)
    return is_short and (is_first or not letter.islower())


def _paragraphs_of_one_sentence(document: Document) -> frozenset[int]:
    bounds = pairwise([*document.paragraphs, len(document.sentences)])
    return frozenset(index for index, (first, after) in enumerate(bounds) if after == first + 1)


def _shortened(words: list[str]) -> str:
    text = " ".join(words)
    if len(text) <= _TITLE_CHARACTERS:
        return text
    head = text[: _TITLE_CHARACTERS + 1]
    clause, up_to_word = head.rpartition(",")[0], head.rpartition(" ")[0]
    whole = clause if len(clause) > _TITLE_CHARACTERS // 2 else up_to_word or head
    return f"{whole.rstrip(' ,;:–—-')}…"
