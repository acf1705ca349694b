"""Text with its sentences and elementary discourse units (EDUs)."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from discobert.data.markup import NO_MARKUP, Markup
from discobert.data.span import Span as Span  # part of this module's surface
from discobert.errors import InvalidSpan


@dataclass(frozen=True, slots=True)
class SentenceLayout:
    """Sentences of a text and the index of the first sentence of each paragraph."""

    sentences: tuple[Span, ...]
    paragraphs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Edu:
    """An elementary discourse unit; its identity is its index in the document."""

    span: Span
    sentence: int
    has_subject: bool = True


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Document:
    """A text with its sentences and EDUs in reading order.

    Every non-space character lies in exactly one EDU; ``paragraphs`` holds the index of the first
    sentence of each paragraph.
    """

    id: str
    text: str
    sentences: tuple[Span, ...]
    edus: tuple[Edu, ...]
    paragraphs: tuple[int, ...] = (0,)
    markup: Markup = NO_MARKUP
    """What the file of the text says about it."""

    def __post_init__(self) -> None:
        if not self.edus:
            raise InvalidSpan(f"{self.id}: a document needs at least one EDU")
        self._check_sentences()
        self._check_nesting()
        check_coverage(self.id, self.text, (edu.span for edu in self.edus))
        self._check_paragraphs()
        self._check_markup()

    def _check_sentences(self) -> None:
        apart = all(earlier.end <= later.start for earlier, later in pairwise(self.sentences))
        if not apart or (self.sentences and self.sentences[-1].end > len(self.text)):
            raise InvalidSpan(f"{self.id}: sentences overlap, are out of order or leave the text")

    def _check_nesting(self) -> None:
        for index, edu in enumerate(self.edus):
            if not 0 <= edu.sentence < len(self.sentences):
                raise InvalidSpan(
                    f"{self.id}: EDU {index} names sentence {edu.sentence} of {len(self.sentences)}"
                )
            if edu.span not in self.sentences[edu.sentence]:
                raise InvalidSpan(f"{self.id}: EDU {index} leaves sentence {edu.sentence}")
        opened = [edu.sentence for edu in self.edus]
        steps = {later - earlier for earlier, later in pairwise(opened)}
        if opened[0] != 0 or opened[-1] != len(self.sentences) - 1 or not steps <= {0, 1}:
            raise InvalidSpan(f"{self.id}: every sentence needs its EDUs, in reading order")

    def _check_paragraphs(self) -> None:
        rising = all(earlier < later for earlier, later in pairwise(self.paragraphs))
        if not self.paragraphs or self.paragraphs[0] != 0 or not rising:
            raise InvalidSpan(f"{self.id}: paragraphs must start at sentence 0 and rise")
        if self.paragraphs[-1] >= len(self.sentences):
            raise InvalidSpan(f"{self.id}: a paragraph starts after the last sentence")

    def _check_markup(self) -> None:
        if self.markup.end > len(self.text):
            raise InvalidSpan(f"{self.id}: the markup goes on after the text")

    def edu_text(self, index: int) -> str:
        """Return the verbatim text of one EDU."""
        return self.edus[index].span.of(self.text)

    def edus_by_sentence(self) -> tuple[range, ...]:
        """Return, for each sentence, the range of its EDU indices."""
        starts = [
            i
            for i, edu in enumerate(self.edus)
            if i == 0 or edu.sentence != self.edus[i - 1].sentence
        ]
        return tuple(range(a, b) for a, b in pairwise([*starts, len(self.edus)]))

    def paragraph_spans(self) -> tuple[Span, ...]:
        """Return, for each paragraph, the span from its first sentence to its last."""
        bounds = pairwise([*self.paragraphs, len(self.sentences)])
        return tuple(Span(self.sentences[a].start, self.sentences[b - 1].end) for a, b in bounds)


@dataclass(frozen=True, slots=True)
class SourceText:
    """A raw text and the name that errors and results give it."""

    id: str
    text: str
    markup: Markup = NO_MARKUP


def check_coverage(name: str, text: str, spans: Iterable[Span]) -> None:
    """Refuse spans out of order, outside the text, or leaving a non-space character uncovered."""
    position = 0
    for span in spans:
        if span.start < position or span.end > len(text):
            raise InvalidSpan(
                f"{name}: span [{span.start}, {span.end}) is out of order or outside the text"
            )
        _refuse_gap(name, text, position, span.start)
        position = span.end
    _refuse_gap(name, text, position, len(text))


def _refuse_gap(name: str, text: str, start: int, end: int) -> None:
    gap = text[start:end]
    if gap and not gap.isspace():
        raise InvalidSpan(
            f"{name}: characters [{start}, {end}) belong to no unit: {gap.strip()[:40]!r}"
        )
