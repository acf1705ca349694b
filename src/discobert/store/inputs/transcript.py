"""Transcripts: SubRip (.srt) and WebVTT (.vtt), with the speaker and the time of every cue."""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from discobert.data.document import SourceText
from discobert.data.markup import SegmentKind
from discobert.errors import InputError
from discobert.store.inputs.builder import Role, TextBuilder

_CLOCK = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})"
_TIMES = re.compile(rf"[ \t]*{_CLOCK}[ \t]+-->[ \t]+{_CLOCK}(?=\s|\Z)")
_LINE = re.compile(r"[^\r\n]+|\r\n|\r|\n")
_VOICE = re.compile(r"<v(?:\.[\w.]*)?[ \t]+([^<>]{1,80})>", re.IGNORECASE)
_TAG = re.compile(
    r"</?[a-z\d][^<>\n]{0,99}>|\{\\[^{}\n]{0,99}\}|(?P<entity>&(?:\#\w{1,7}|[a-z]{2,8});)",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:[-–]\s*|>>\s*)?([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}):\s+")
_MARK = re.compile(r"[-–]\s+|>>\s*")
_PAUSE = 3.0
"""Seconds without speech after which a new paragraph begins."""
_FINISHED = re.compile(r"[.!?…][\"'”’)\]]*\s*\Z")


class Cue(NamedTuple):
    """What is said from one time to another; lines are offsets into the file."""

    time: tuple[float, float]
    lines: tuple[tuple[int, int], ...]


def read_transcript(text: str, name: str = "text") -> SourceText:
    """Return what is said: a paragraph for each speaker, or up to a pause.

    A turn begins with the name of its speaker.
    """
    builder = TextBuilder()
    speaker: str | None = None
    before: Cue | None = None
    shown = ""
    for cue in _cues(text):
        if before is not None and _parts(before, cue, shown):
            builder.end_block()
        for start, end in cue.lines:
            label, words = _speaker(text, start, end)
            said = None if label is None else text[label[0] : label[1]].strip()
            first = -1
            if label is not None and said != speaker:
                builder.end_block()
                speaker = said
                first = builder.add(f"{said}:", label[0], label[1] - label[0])
            _write(builder, text, (words, end), Role(SegmentKind.TURN, speaker, cue.time), first)
            shown = text[words:end]
        before = cue
    if before is None:
        raise InputError(f"{name}: no cues with times (00:00:01,000 --> 00:00:02,000) in it")
    return builder.build(name, "transcript")


def _cues(text: str) -> Iterator[Cue]:
    """Yield the cues: lines from one with times to an empty one; notes and styles are none."""
    time: tuple[float, float] | None = None
    lines: list[tuple[int, int]] = []
    ends = 1
    for match in _LINE.finditer(text):
        is_end = match[0][0] in "\r\n"
        ends = ends + 1 if is_end else 0
        times = None if is_end else _TIMES.match(match[0])
        if (ends > 1 or times) and time is not None:
            yield Cue(time, tuple(lines))
            time, lines = None, []
        if times:
            time = _seconds(times.groups()[:4]), _seconds(times.groups()[4:])
        elif time is not None and match[0].strip():
            lines.append(match.span())
    if time is not None:
        yield Cue(time, tuple(lines))


def _seconds(clock: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, fraction = clock
    whole = 3600 * int(hours or 0) + 60 * int(minutes or 0) + int(seconds or 0)
    return whole + int((fraction or "0").ljust(3, "0")) / 1000


def _speaker(text: str, start: int, end: int) -> tuple[tuple[int, int] | None, int]:
    """Return the place of the speaker's name, if a line has one, and where the words begin."""
    named = _VOICE.match(text, start, end) or _NAME.match(text, start, end)
    if named:
        return named.span(1), named.end()
    mark = _MARK.match(text, start, end)
    return None, mark.end() if mark else start


def _parts(before: Cue, cue: Cue, shown: str) -> bool:
    """Return whether a paragraph ends between two cues."""
    return cue.time[0] - before.time[1] >= _PAUSE and bool(_FINISHED.search(shown))


def _write(builder: TextBuilder, text: str, words: tuple[int, int], role: Role, first: int) -> None:
    """Add the words of a line without its tags, and mark them with speaker and time.

    ``first`` is where the line starts if something of it has been written already.
    """
    builder.add(" ")
    position, end = words
    for tag in (*_TAG.finditer(text, *words), None):
        stop = tag.start() if tag else end
        at = builder.add(text[position:stop], position)
        first = at if first < 0 else first
        if tag and tag["entity"]:
            at = builder.add(unescape(tag[0]), tag.start(), len(tag[0]))
            first = at if first < 0 else first
        position = tag.end() if tag else end
    if first >= 0:
        builder.mark(role, first)
