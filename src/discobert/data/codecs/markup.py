"""The markup of a text as a JSON object, and back."""

from discobert.data.codecs.fields import Field, refused
from discobert.data.codecs.json_text import Json, JsonObject
from discobert.data.markup import Markup, ReadingNote, Run, Segment, SegmentKind
from discobert.data.span import Span


def encode_markup(markup: Markup) -> JsonObject:
    """Write what a file says of its text; runs are lists of start, length and place in the file."""
    return {
        "kind": markup.kind,
        "segments": [_encode_segment(segment) for segment in markup.segments],
        "runs": [list(run) for run in markup.runs],
        "notes": [{"code": note.code, "message": note.message} for note in markup.notes],
    }


def _encode_segment(segment: Segment) -> Json:
    speaker: JsonObject = {} if segment.speaker is None else {"speaker": segment.speaker}
    time: JsonObject = {} if segment.time is None else {"time": list(segment.time)}
    start, end = segment.span.start, segment.span.end
    return {"start": start, "end": end, "kind": segment.kind.value, **speaker, **time}


def decode_markup(field: Field) -> Markup:
    """Read the markup of a document; an empty object is that of plain text."""
    kind = field.optional("kind", None)
    segments = field.optional("segments", []).items(_decode_segment)
    runs = field.optional("runs", []).items(_decode_run)
    notes = field.optional("notes", []).items(_decode_note)
    with refused(field):
        return Markup(None if kind.value is None else kind.text(), segments, runs, notes)


def _decode_segment(field: Field) -> Segment:
    start, end = field.member("start").integer(), field.member("end").integer()
    speaker, time = field.optional("speaker", None), field.optional("time", None)
    with refused(field):
        return Segment(
            Span(start, end),
            _decode_kind(field.member("kind")),
            None if speaker.value is None else speaker.text(),
            None if time.value is None else _decode_time(time),
        )


def _decode_kind(field: Field) -> SegmentKind:
    known = {kind.value: kind for kind in SegmentKind}
    if field.text() not in known:
        raise field.error(f"one of {', '.join(known)}")
    return known[field.text()]


def _decode_time(field: Field) -> tuple[float, float]:
    times = field.items(Field.number)
    if len(times) != 2:
        raise field.error("two numbers")
    return times[0], times[1]


def _decode_run(field: Field) -> Run:
    numbers = field.items(Field.integer)
    if len(numbers) != 4:
        raise field.error("four whole numbers")
    return Run(*numbers)


def _decode_note(field: Field) -> ReadingNote:
    return ReadingNote(field.member("code").text(), field.member("message").text())
