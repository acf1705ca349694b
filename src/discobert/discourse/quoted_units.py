"""Which units are quotations, by the marks around them."""

from collections.abc import Iterator
from itertools import pairwise

from discobert.data.document import Document, Span
from discobert.language.quotes import marks

_BRACKETS = frozenset("()[]{}")


def quoted_units(document: Document) -> frozenset[int]:
    """Return the units of which at least half the letters and digits stand in quotation marks."""
    text = document.text
    is_quoted = bytearray(len(text))
    for paragraph in _paragraphs(document):
        for span in quotations(text, paragraph):
            is_quoted[span.start : span.end] = b"\1" * len(span)
    spoken = [
        [is_quoted[at] for at in range(edu.span.start, edu.span.end) if text[at].isalnum()]
        for edu in document.edus
    ]
    return frozenset(
        edu for edu, letters in enumerate(spoken) if letters and 2 * sum(letters) >= len(letters)
    )


def quotations(text: str, paragraph: Span) -> Iterator[Span]:
    """Yield the quotations of a paragraph; one that it opens with and never closes fills it."""
    for mark in marks(text, paragraph):
        if text[mark.start] in _BRACKETS:
            continue
        if mark.partner is None and mark.start == paragraph.start:
            yield paragraph
        elif mark.partner is not None and mark.start < mark.partner:
            yield Span(mark.start, mark.partner + 1)


def _paragraphs(document: Document) -> Iterator[Span]:
    for first, after in pairwise([*document.paragraphs, len(document.sentences)]):
        yield Span(document.sentences[first].start, document.sentences[after - 1].end)
