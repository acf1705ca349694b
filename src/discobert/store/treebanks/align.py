"""Alignment of the EDU texts of a tree file with the raw text of the document."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from discobert.data.document import Document, Edu, SentenceLayout, Span
from discobert.data.summary import Analysis
from discobert.errors import FormatError
from discobert.protocols import SentenceSplitter
from discobert.store.treebanks.tree_file import TreeFile

# Files often hold plain quotes and hyphens where the text has typographic ones, or the reverse.
_ALIKE = str.maketrans("‘’‚‛`´“”„‟–—−‐‑", "''''''\"\"\"\"-----")
_SHOWN = 20


def align(text: str, edus: Sequence[str], *, name: str) -> tuple[Span, ...]:
    """Return the span of each EDU in the text, white space and shapes of quotes ignored."""
    places = [index for index, character in enumerate(text) if not character.isspace()]
    dense = _dense(text)
    spans: list[Span] = []
    position = 0
    for number, edu in enumerate(edus, start=1):
        wanted = _dense(edu)
        if not dense.startswith(wanted, position):
            found = dense[position : position + _SHOWN]
            offset = places[position] if found else len(text)
            raise FormatError(
                f"{name}: EDU {number} is not in the text at offset {offset}: "
                f"wanted {wanted[:_SHOWN]!r}, found {found!r} (without white space)"
            )
        spans.append(Span(places[position], places[position + len(wanted) - 1] + 1))
        position += len(wanted)
    if position < len(dense):
        rest = dense[position : position + _SHOWN]
        raise FormatError(
            f"{name}: the text goes on after the last EDU at offset {places[position]}: {rest!r}"
        )
    return tuple(spans)


def _dense(text: str) -> str:
    return "".join(text.split()).translate(_ALIKE)


def to_analysis(
    tree_file: TreeFile,
    *,
    name: str,
    splitter: SentenceSplitter,
    text: str | None = None,
    subjects: Sequence[bool] | None = None,
) -> Analysis:
    """Place a tree on its text, or on its EDUs joined by spaces if there is no text.

    An EDU never crosses sentences: a sentence end that the splitter finds inside an EDU is
    ignored. ``subjects`` holds whether each EDU has a subject; without it, all have one.
    """
    source = tree_file.text if text is None else text
    spans = align(source, tree_file.edus, name=name)
    has_subject = (True,) * len(spans) if subjects is None else subjects
    document = place_edus(name, source, spans, has_subject, splitter.split(source))
    return Analysis(document, tree_file.tree)


def place_edus(
    name: str, text: str, spans: Sequence[Span], subjects: Sequence[bool], layout: SentenceLayout
) -> Document:
    """Return a document with the sentences of the layout that do not end inside an EDU."""
    breaks = {sentence.start for sentence in layout.sentences}
    new_paragraphs = {layout.sentences[index].start for index in layout.paragraphs}
    opens = [edu == 0 or span.start in breaks for edu, span in enumerate(spans)]
    firsts = [edu for edu, opens_sentence in enumerate(opens) if opens_sentence]
    sentences = (
        Span(spans[first].start, spans[after - 1].end)
        for first, after in pairwise([*firsts, len(spans)])
    )
    edus = (
        Edu(span, sentence - 1, has_subject)
        for span, sentence, has_subject in zip(spans, accumulate(opens), subjects, strict=True)
    )
    paragraphs = (
        index
        for index, first in enumerate(firsts)
        if index == 0 or spans[first].start in new_paragraphs
    )
    return Document(name, text, tuple(sentences), tuple(edus), tuple(paragraphs))
