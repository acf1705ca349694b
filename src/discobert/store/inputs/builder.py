"""Texts built block by block, white space evened out, with the place of every character."""

import re
from dataclasses import dataclass, field

from discobert.data.document import SourceText
from discobert.data.markup import Markup, ReadingNote, Run, Segment, SegmentKind
from discobert.data.span import Span

_CHUNK = re.compile(r"\s+|\S+(?: \S+)*")
_BLOCK_GAP = "\n\n"
"""Parts blocks; to the sentence splitter an empty line always ends a paragraph."""


@dataclass(frozen=True, slots=True)
class Role:
    """The role of a block, as ``Segment`` has it."""

    kind: SegmentKind
    speaker: str | None = None
    time: tuple[float, float] | None = None


@dataclass(slots=True)
class TextBuilder:
    """Collects the blocks of one text; parts of a block keep the space between them."""

    _parts: list[str] = field(default_factory=list)
    _runs: list[Run] = field(default_factory=list)
    _segments: list[Segment] = field(default_factory=list)
    _notes: list[ReadingNote] = field(default_factory=list)
    _length: int = 0
    _block: int = 0
    """Where the open block starts."""
    _space: tuple[str, int, int] | None = None
    """White space that is written if more follows: what is written, place and length."""

    @property
    def in_block(self) -> bool:
        """Whether the open block has text."""
        return self._length > self._block

    def add(self, text: str, source: int = -1, source_length: int | None = None) -> int:
        """Add text to the open block; return where its first word starts.

        ``source`` is its place, negative if unknown. A length other than that of the text says
        that it stands for the place as a whole.
        """
        first = -1
        whole = source_length is not None and source_length != len(text)
        for chunk in _CHUNK.finditer(text):
            if whole:
                place, length = source, source_length or 0
            else:
                place, length = source + chunk.start() if source >= 0 else -1, len(chunk[0])
            if chunk[0].isspace():
                self._hold_space(" ", place, length)
            else:
                self._write_space()
                first = self._length if first < 0 else first
                self._write(chunk[0], place, length)
        return first

    def add_line_end(self, source: int = -1, source_length: int = 1) -> None:
        """End the line, but not the block: the splitter finds out whether a sentence goes on."""
        self._space = None
        self._hold_space("\n", source, source_length)

    def drop_space(self) -> None:
        """Forget the white space since the last text."""
        self._space = None

    def end_block(self, role: Role | None = None) -> None:
        """End the open block, if it has text; a role makes it a segment."""
        self._space = None
        if not self.in_block:
            return
        if role is not None:
            self._mark(role, self._block)
        self._write(_BLOCK_GAP, -1, 0)
        self._block = self._length

    def mark(self, role: Role, start: int) -> None:
        """Make what was written from an offset on a segment, inside the open block."""
        if self._length > start:
            self._mark(role, start)

    def note(self, code: str, message: str) -> None:
        """Add a remark for the user."""
        self._notes.append(ReadingNote(code, message))

    def build(self, name: str, kind: str) -> SourceText:
        """Return the text, which ends in a line end."""
        self.end_block()
        text = "".join(self._parts).removesuffix(_BLOCK_GAP) + "\n"
        segments, runs = tuple(self._segments), tuple(self._runs)
        return SourceText(name, text, Markup(kind, segments, runs, tuple(self._notes)))

    def _mark(self, role: Role, start: int) -> None:
        span = Span(start, self._length)
        self._segments.append(Segment(span, role.kind, role.speaker, role.time))

    def _hold_space(self, written: str, source: int, length: int) -> None:
        if self.in_block and self._space is None:
            self._space = written, source, length

    def _write_space(self) -> None:
        if self._space is not None:
            self._write(*self._space)
            self._space = None

    def _write(self, text: str, source: int, length: int) -> None:
        if source >= 0:
            self._add_run(Run(self._length, len(text), source, length))
        self._parts.append(text)
        self._length += len(text)

    def _add_run(self, run: Run) -> None:
        """Add a run, or lengthen the last one if both are parts of one verbatim stretch."""
        last = self._runs[-1] if self._runs else None
        if last is not None and _joins(last, run):
            last = Run(last.start, last.length + run.length, last.source, last.length + run.length)
            self._runs[-1] = last
        else:
            self._runs.append(run)


def _joins(last: Run, run: Run) -> bool:
    verbatim = last.length == last.source_length and run.length == run.source_length
    return (
        verbatim
        and last.start + last.length == run.start
        and last.source + last.source_length == run.source
    )
