"""Summaries as JSON objects with a format version, and back.

The JSON does not repeat the text between units, so reading it takes the summary's document.
"""

from dataclasses import dataclass

from discobert.data.codecs.analysis import decode_cut, decode_model, encode_cut, encode_model
from discobert.data.codecs.fields import FORMAT, Field, refused, shown, versioned
from discobert.data.codecs.json_text import Json, JsonObject
from discobert.data.document import Document
from discobert.data.explanation import ENDS
from discobert.data.graph import DiscourseGraph, Edge
from discobert.data.summary import (
    Replacement,
    Scores,
    Selection,
    Summary,
    SummaryWarning,
    Unit,
)

_NEW = ("left_out",)
"""Members of units that files of earlier versions lack."""


def encode_summary(summary: Summary) -> JsonObject:
    """Write a summary with all units of its document and why each was chosen."""
    kind = summary.document.markup.kind
    return {
        "format": FORMAT,
        "id": summary.document.id,
        **({"extracted_from": kind} if kind else {}),
        "text": summary.text,
        "sentences": list(summary.sentences),
        "words": summary.words,
        "units": [_encode_unit(unit) for unit in summary.units],
        "warnings": [
            {"code": warning.code, "unit": warning.unit, "message": warning.message}
            for warning in summary.warnings
        ],
        "cuts": [encode_cut(cut) for cut in summary.cuts],
        "end": _encode_end(summary.end),
        "news": summary.is_news,
        "replacements": [_encode_replacement(change, summary) for change in summary.replacements],
        "request": dict(summary.request),
        "model": encode_model(summary.model),
    }


def _encode_unit(unit: Unit) -> JsonObject:
    return {
        "index": unit.index,
        "sentence": unit.sentence,
        "start": unit.start,
        "end": unit.end,
        "text": unit.text,
        "score": unit.score,
        "selected": unit.selected,
        "reason": unit.reason,
        "depends_on": list(unit.depends_on),
        "left_out": unit.left_out,
        **_encode_place(unit),
    }


def _encode_place(unit: Unit) -> JsonObject:
    """Write what the file says of a unit, as far as it says anything."""
    members: JsonObject = {}
    if unit.source is not None:
        members |= {"source_start": unit.source.start, "source_end": unit.source.end}
    kinds = {segment.kind.value for segment in unit.segments}
    speakers = {segment.speaker for segment in unit.segments}
    times = [segment.time for segment in unit.segments if segment.time is not None]
    if len(kinds) == 1:
        members["kind"] = kinds.pop()
    if len(speakers) == 1 and None not in speakers:
        members["speaker"] = speakers.pop()
    if times:
        members["time"] = [times[0][0], times[-1][1]]
    return members


def _encode_end(reason: str | None) -> Json:
    return None if reason is None else {"reason": reason, "message": ENDS[reason]}


def _encode_replacement(change: Replacement, summary: Summary) -> Json:
    return {
        "unit": change.unit,
        "start": change.start,
        "end": change.end,
        "text": summary.document.text[change.start : change.end],
        "by": change.by,
    }


def decode_summary(value: Json, document: Document) -> Summary:
    """Read a summary of a document; labels of dependencies are not part of the format."""
    root = versioned(value, "summary")
    units = root.member("units").items(_UnitChoice.of)
    chosen = [(index, unit.reason) for index, unit in enumerate(units) if unit.selected]
    edges = (Edge(index, head) for index, unit in enumerate(units) for head in unit.depends_on)
    with refused(root):
        summary = Summary(
            document=document,
            scores=Scores(tuple(unit.score for unit in units)),
            selection=Selection(
                tuple(index for index, _ in chosen), tuple(reason for _, reason in chosen)
            ),
            dependencies=DiscourseGraph(len(units), tuple(edges)).edges,
            sentences=root.member("sentences").items(Field.text),
            request=root.optional("request", {}).object(),
            model=decode_model(root.member("model")),
            warnings=root.member("warnings").items(_decode_warning),
            replacements=root.member("replacements").items(_decode_replacement),
            left=tuple(unit.left_out for unit in units if unit.left_out is not None),
            cuts=root.optional("cuts", []).items(decode_cut),
            is_news=_decode_optional_flag(root.optional("news", None)),
        )
    _refuse_difference(root, encode_summary(summary))
    return summary


def _decode_optional_flag(field: Field) -> bool | None:
    return None if field.value is None else field.flag()


@dataclass(frozen=True, slots=True)
class _UnitChoice:
    """The members of a unit that do not follow from its document."""

    score: float
    selected: bool
    reason: str
    depends_on: tuple[int, ...]
    left_out: str | None

    @classmethod
    def of(cls, unit: Field) -> "_UnitChoice":
        selected = unit.member("selected").flag()
        left_out = unit.optional("left_out", None)
        return cls(
            score=unit.member("score").number(),
            selected=selected,
            reason=unit.member("reason").text() if selected else "",
            depends_on=unit.member("depends_on").items(Field.integer),
            left_out=None if left_out.value is None else left_out.text(),
        )


def _decode_warning(field: Field) -> SummaryWarning:
    code, message = field.member("code").text(), field.member("message").text()
    unit = field.member("unit")
    return SummaryWarning(code, message, None if unit.value is None else unit.integer())


def _decode_replacement(field: Field) -> Replacement:
    return Replacement(
        unit=field.member("unit").integer(),
        start=field.member("start").integer(),
        end=field.member("end").integer(),
        by=field.member("by").text(),
    )


def _refuse_difference(root: Field, expected: JsonObject) -> None:
    """Refuse members that contradict the document, the lines, or the choice of units."""
    for key in ("id", "text", "words"):
        _expect(root.member(key), expected[key])
    expected_units = Field(expected["units"], "").items(Field.object)
    units = root.member("units").items(lambda unit: unit)
    for unit, expected_unit in zip(units, expected_units, strict=True):
        for key, value in expected_unit.items():
            _expect(unit.optional(key, None) if key in _NEW else unit.member(key), value)


def _expect(field: Field, value: Json) -> None:
    if field.value != value:
        raise field.error(f"{shown(value)} as in the document and its summary")
