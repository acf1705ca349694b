"""What a file says about the text that was read from it: roles of segments, and their places."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from discobert.data.span import Span
from discobert.errors import InvalidSpan


class SegmentKind(Enum):
    """Roles of segments; ordinary paragraphs have none."""

    HEADING = "heading"
    LIST_ITEM = "list-item"
    CAPTION = "caption"
    TABLE_ROW = "table-row"
    CODE = "code"
    QUOTE = "quote"
    """A block quotation, or what an e-mail repeats of another one."""
    ATTRIBUTION = "attribution"
    """What introduces the text of another e-mail: "Tom wrote:"."""
    GREETING = "greeting"
    SIGNATURE = "signature"
    """The end of an e-mail: "Best, Anna", and what stands below it."""
    TURN = "turn"
    """A cue of a transcript, with its time and perhaps its speaker."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a text with the role that its file gives it."""

    span: Span
    kind: SegmentKind
    speaker: str | None = None
    time: tuple[float, float] | None = None
    """Start and end in seconds."""


class Run(NamedTuple):
    """A stretch of a text and its place in the file, both by start and length.

    Of equal length, they correspond character by character; otherwise (``&amp;`` is ``&``) only
    as a whole.
    """

    start: int
    length: int
    source: int
    source_length: int


class ReadingNote(NamedTuple):
    """A remark of a reader, such as what it has left out."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Markup:
    """What a file says about its text; segments and runs are in reading order without overlaps."""

    kind: str | None = None
    """The kind of file that the text was extracted from; None if the text is the input itself."""
    segments: tuple[Segment, ...] = ()
    runs: tuple[Run, ...] = ()
    """Where the characters are in the decoded file; none if that is unknown."""
    notes: tuple[ReadingNote, ...] = ()

    def __post_init__(self) -> None:
        spans = [(segment.span.start, segment.span.end) for segment in self.segments]
        runs = [(run.start, run.start + run.length) for run in self.runs]
        if not (_rising(spans) and _rising(runs)):
            raise InvalidSpan("segments and runs must be in reading order without overlaps")
        if any(min(run) < 0 or not run.length for run in self.runs):
            raise InvalidSpan("a run needs a length, and no negative offset")

    @property
    def end(self) -> int:
        """The end of the last segment or run."""
        segment = self.segments[-1].span.end if self.segments else 0
        return max(segment, self.runs[-1].start + self.runs[-1].length if self.runs else 0)

    def segments_of(self, span: Span) -> tuple[Segment, ...]:
        """Return the segments that have a character in common with a span."""
        first = bisect_right(self.segments, span.start, key=lambda segment: segment.span.end)
        after = bisect_left(self.segments, span.end, key=lambda segment: segment.span.start)
        return self.segments[first:after]

    def source_of(self, span: Span) -> Span | None:
        """Return the shortest stretch of the decoded file that holds the characters of a span."""
        first = bisect_right(self.runs, span.start, key=lambda run: run.start + run.length)
        after = bisect_left(self.runs, span.end, key=lambda run: run.start)
        if first >= after:
            return None
        start, end = self.runs[first], self.runs[after - 1]
        return Span(_place(start, span.start), _place(end, span.end - 1, at_end=True))


def _place(run: Run, offset: int, *, at_end: bool = False) -> int:
    """Return the place of one character: where it starts, or where it ends."""
    if run.length != run.source_length:
        return run.source + (run.source_length if at_end else 0)
    inside = min(max(offset - run.start, 0), run.length - 1)
    return run.source + inside + at_end


def _rising(spans: Sequence[tuple[int, int]]) -> bool:
    return all(earlier[1] <= later[0] for earlier, later in pairwise(spans))


NO_MARKUP = Markup()
"""Plain text: the text is the input, offsets into it are offsets into the input."""
