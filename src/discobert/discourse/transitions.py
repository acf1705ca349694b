"""Shift-reduce parsing of EDUs: legal actions, features of a state, and the training oracle.

A sentence is always one subtree: spans join inside a sentence, or as runs of whole sentences.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from discobert.data.rst import Node, Nuclearity

SHIFT, REDUCE = 0, 1
NUCLEARITIES = (Nuclearity.LEFT, Nuclearity.RIGHT, Nuclearity.BOTH)
N_FEATURES = 17
FEATURE_VALUES = 10
LONE_SLOT = 0
"""Feature of a stack with a single span."""
TOP_SLOTS = (4, 6, 8, 10, 15)
"""Features of the upper span alone."""
BELOW_SLOTS = (5, 7, 9, 11, 16, 14)
"""Features of the lower span alone."""
NEXT_SLOTS = (1, 13)
"""Features of the next EDU alone."""
MEETING_SLOTS = (2, 3, 12)
"""Features of several of them."""
_COUNT_EDGES = (1, 2, 3, 4, 6, 10, 20, 40)


def _bucket(count: int) -> int:
    """Class of a count: 0 for none, then 1, 2, 3, up to 4, 6, 10, 20, 40, more."""
    return 0 if count <= 0 else bisect_right(_COUNT_EDGES, count - 1) + 1


class TreeSpan(NamedTuple):  # a tuple, as search looks up thousands of them
    """A finished span on the stack: EDUs ``[start, end)`` with its head EDU."""

    start: int
    end: int
    head: int


@dataclass(frozen=True, slots=True)
class Outline:
    """Sentences and paragraphs as seen from the EDUs."""

    sentence: tuple[int, ...]
    """Sentence of each EDU."""
    paragraph: tuple[int, ...]
    """Paragraph of each EDU."""
    opens: tuple[bool, ...] = field(init=False)
    closes: tuple[bool, ...] = field(init=False)
    opens_paragraph: tuple[bool, ...] = field(init=False)
    closes_paragraph: tuple[bool, ...] = field(init=False)

    def __post_init__(self) -> None:
        for groups, opening, closing in (
            (self.sentence, "opens", "closes"),
            (self.paragraph, "opens_paragraph", "closes_paragraph"),
        ):
            changes = [earlier != later for earlier, later in pairwise(groups)]
            object.__setattr__(self, opening, (True, *changes))
            object.__setattr__(self, closing, (*changes, True))

    @property
    def size(self) -> int:
        """Number of EDUs."""
        return len(self.sentence)


def outline(edu_sentences: Sequence[int], paragraphs: Sequence[int]) -> Outline:
    """Build the outline from each EDU's sentence and each paragraph's first sentence."""
    return Outline(
        sentence=tuple(edu_sentences),
        paragraph=tuple(bisect_right(paragraphs, sentence) for sentence in edu_sentences),
    )


def legal(
    shape: Outline, below: TreeSpan | None, top: TreeSpan | None, queue: int
) -> tuple[bool, bool]:
    """Return which of (shift, reduce) keep every sentence one subtree; one of them always does."""
    if top is None:
        return True, False
    whole = shape.opens[top.start] and shape.closes[top.end - 1]
    unfinished = shape.closes[top.end - 1] and not shape.opens[top.start]
    may_shift = queue < shape.size and not unfinished
    if below is None:
        return may_shift, False
    inside = shape.sentence[below.start] == shape.sentence[top.end - 1]
    both_whole = whole and shape.opens[below.start] and shape.closes[below.end - 1]
    return may_shift, inside or both_whole


def features(shape: Outline, below: TreeSpan | None, top: TreeSpan | None, queue: int) -> list[int]:
    """Describe a state by ``N_FEATURES`` classes, each below ``FEATURE_VALUES``."""
    found = [0] * N_FEATURES
    found[LONE_SLOT] = int(below is None)
    _fill(found, NEXT_SLOTS, next_classes(shape, queue))
    if top is None:
        found[NEXT_SLOTS[1]] = (
            0  # as in training: the EDUs left are counted only if there is a span
        )
        return found
    _fill(found, TOP_SLOTS, span_classes(shape, top))
    _fill(found, MEETING_SLOTS, meeting_classes(shape, below, top, queue))
    if below is not None:
        _fill(found, BELOW_SLOTS, below_classes(shape, below))
    return found


def _fill(found: list[int], slots: Sequence[int], classes: Sequence[int]) -> None:
    for slot, value in zip(slots, classes, strict=True):
        found[slot] = value


def next_classes(shape: Outline, queue: int) -> tuple[int, int]:
    """Classes of ``NEXT_SLOTS``: whether all EDUs are shifted, how many are not."""
    return int(queue >= shape.size), _bucket(shape.size - queue)


def meeting_classes(
    shape: Outline, below: TreeSpan | None, top: TreeSpan, queue: int
) -> tuple[int, int, int]:
    """Classes of ``MEETING_SLOTS``: how close neighbours are, and the ends of the text."""
    is_last = queue >= shape.size
    opens_text = below is not None and below.start == 0
    return (
        _joint(shape, below.end - 1, top.start) if below is not None else 0,
        0 if is_last else _joint(shape, top.end - 1, queue),
        2 * is_last + opens_text,
    )


def below_classes(shape: Outline, below: TreeSpan) -> tuple[int, ...]:
    """Classes of ``BELOW_SLOTS``: features of the span and how many EDUs precede it."""
    return *span_classes(shape, below), _bucket(below.start)


def _joint(shape: Outline, left: int, right: int) -> int:
    """How close two neighbouring EDUs are: 1 same sentence, 2 same paragraph, 3 neither."""
    if shape.sentence[left] == shape.sentence[right]:
        return 1
    return 2 if shape.paragraph[left] == shape.paragraph[right] else 3


def span_classes(shape: Outline, span: TreeSpan) -> tuple[int, int, int, int, int]:
    """Classes of ``TOP_SLOTS``: whole sentences or not, edges of paragraphs, sizes."""
    first, last = span.start, span.end - 1
    whole = shape.opens[first] and shape.closes[last]
    n_sentences = shape.sentence[last] - shape.sentence[first] + 1
    cover = 1 if not whole else (2 if n_sentences == 1 else 3)
    edges = 1 + shape.opens_paragraph[first] + 2 * shape.closes_paragraph[last]
    n_paragraphs = shape.paragraph[last] - shape.paragraph[first] + 1
    return (
        cover,
        edges,
        _bucket(last - first + 1),
        _bucket(n_sentences if whole else 0),
        _bucket(n_paragraphs),
    )


def head_of(below: TreeSpan, top: TreeSpan, nuclearity: Nuclearity) -> int:
    """Return the head EDU of two joined spans."""
    return top.head if nuclearity is Nuclearity.RIGHT else below.head


class ActionOracle:
    """Best next actions towards a gold tree; gold spans that split a sentence are left out.

    ``spans`` are further constituents whose relation and nuclearity are unknown.
    """

    def __init__(
        self, shape: Outline, gold: Sequence[Node], *, spans: Sequence[tuple[int, int]] = ()
    ) -> None:
        kept = [node for node in gold if _fits(shape, node.start, node.end)]
        self.by_span = {(node.start, node.end): node for node in kept}
        unnamed = {span for span in spans if _fits(shape, *span)}
        self._enclosing = sorted({*self.by_span, *unnamed}, key=lambda span: span[1] - span[0])

    def actions(self, starts: Sequence[int], top: TreeSpan) -> tuple[bool, bool]:
        """Return which of (shift, reduce) lose no gold span; ``starts`` are those of the stack."""
        for start, end in self._enclosing:
            wider = start <= top.start and end >= top.end and (start, end) != (top.start, top.end)
            if wider and _contains(starts, start):
                return end > top.end, start < top.start
        return True, True


def _contains(rising: Sequence[int], value: int) -> bool:
    place = bisect_right(rising, value)
    return place > 0 and rising[place - 1] == value


def _fits(shape: Outline, start: int, end: int) -> bool:
    inside = shape.sentence[start] == shape.sentence[end - 1]
    return inside or (shape.opens[start] and shape.closes[end - 1])
