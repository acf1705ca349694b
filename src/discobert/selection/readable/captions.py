"""Captions that repeat a sentence of the text, found by their words alone."""

import re

from discobert.data.document import Document
from discobert.selection.readable.content import content_stems

_WITHOUT_STOP = re.compile(r"[^.!?…:;,]\s*$")
_MARKED = re.compile(
    r"\((?:(?:stock|file|library) (?:picture|photo|image)|pictured|above|left|right)\)"
)
_REACH = 3
"""Sentences after a caption among which the one it repeats is looked for."""
_SAME, _FEW_WORDS = 0.75, 5


def repeated_captions(document: Document) -> tuple[int, ...]:
    """Return the paragraphs of one sentence without a stop that a sentence soon after repeats."""
    starts, n = frozenset(document.paragraphs), len(document.sentences)
    texts = [span.of(document.text) for span in document.sentences]
    found = []
    for index, text in enumerate(texts):
        alone = index in starts and (index + 1 in starts or index + 1 == n)
        if alone and (_WITHOUT_STOP.search(text) or _MARKED.search(text)):
            stems = content_stems(text)
            after = texts[index + 1 : index + 1 + _REACH]
            if len(stems) >= _FEW_WORDS and any(
                len(stems & content_stems(other)) >= _SAME * len(stems) for other in after
            ):
                found.append(index)
    return tuple(found)
