"""Roles of segments, and offsets into the file that a text was extracted from."""

from dataclasses import replace

import pytest
from tests.builders import analysis

from discobert.data.codecs.analysis import decode_analysis, encode_analysis
from discobert.data.codecs.json_text import Json, dumps, loads
from discobert.data.codecs.summary import decode_summary, encode_summary
from discobert.data.document import Span
from discobert.data.markup import NO_MARKUP, Markup, ReadingNote, Run, Segment, SegmentKind
from discobert.data.summary import ModelId, Scores, Selection, Summary
from discobert.errors import FormatError, InvalidSpan

QUOTE = SegmentKind.QUOTE
FILE = "# Ann\n\nShe &amp; *Bo* left."
MARKUP = Markup(
    "markdown",
    segments=(Segment(Span(0, 3), SegmentKind.HEADING),),
    runs=(
        Run(0, 3, 2, 3),
        Run(4, 4, 7, 4),
        Run(8, 1, 11, 5),
        Run(9, 1, 16, 1),
        Run(10, 2, 18, 2),
        Run(12, 6, 21, 6),
    ),
    notes=(ReadingNote("tables-skipped", "1 table was left out"),),
)
RAIN = analysis("[Ann] || [She & Bo left.]")


@pytest.mark.parametrize(
    ("start", "end", "source"),
    [
        (0, 3, "Ann"),
        (4, 7, "She"),
        (5, 6, "h"),
        (8, 9, "&amp;"),
        (7, 9, " &amp;"),
        (8, 12, "&amp; *Bo"),
        (4, 18, "She &amp; *Bo* left."),
        (0, 18, "Ann\n\nShe &amp; *Bo* left."),
        (2, 5, "n\n\nS"),
        (3, 5, "S"),
        (2, 4, "n"),
    ],
)
def test_a_span_has_its_place_in_the_file(start: int, end: int, source: str) -> None:
    found = MARKUP.source_of(Span(start, end))
    assert found is not None
    assert found.of(FILE) == source


def test_what_is_not_in_the_file_has_no_place() -> None:
    assert MARKUP.source_of(Span(3, 4)) is None
    assert NO_MARKUP.source_of(Span(0, 1)) is None


def test_segments_of_a_span_have_characters_in_common_with_it() -> None:
    cues = tuple(Segment(Span(a, a + 5), SegmentKind.TURN) for a in (0, 5, 12))
    markup = Markup("vtt", segments=cues)
    assert markup.segments_of(Span(0, 5)) == cues[:1]
    assert markup.segments_of(Span(4, 13)) == cues
    assert markup.segments_of(Span(10, 12)) == ()
    assert markup.end == 17


@pytest.mark.parametrize(
    "parts",
    [
        {"segments": (Segment(Span(2, 4), QUOTE), Segment(Span(3, 5), QUOTE))},
        {"runs": (Run(4, 1, 0, 1), Run(0, 1, 9, 1))},
        {"runs": (Run(0, 0, 0, 1),)},
        {"runs": (Run(0, 1, -1, 1),)},
    ],
)
def test_disorder_is_refused(parts: dict[str, tuple[Segment, ...]]) -> None:
    with pytest.raises(InvalidSpan):
        Markup("text", **parts)  # type: ignore[arg-type] # the parts are of both kinds


def test_markup_stays_in_the_text() -> None:
    long = Markup("pdf", segments=(Segment(Span(0, 99), SegmentKind.CAPTION),))
    with pytest.raises(InvalidSpan, match="the markup goes on after the text"):
        replace(RAIN.document, markup=long)


def test_markup_survives_json() -> None:
    turns = Markup(
        "vtt", (Segment(Span(0, 3), SegmentKind.TURN, speaker="Ann", time=(1.5, 2.0)),), (), ()
    )
    for markup in (MARKUP, turns):
        read = replace(RAIN, document=replace(RAIN.document, markup=markup))
        assert decode_analysis(loads(dumps(encode_analysis(read)))) == read
    assert "markup" not in encode_analysis(RAIN)


@pytest.mark.parametrize(
    ("markup", "message"),
    [
        ({"segments": [{"start": 0, "end": 1, "kind": "odd"}]}, r"kind must be one of heading"),
        ({"segments": [{"start": 0, "end": 1, "kind": "turn", "time": [1]}]}, "two numbers"),
        ({"runs": [[0, 1, 2]]}, "four whole numbers"),
        ({"runs": [[0, 0, 0, 0]]}, "a run needs a length"),
    ],
)
def test_broken_markup_is_refused(markup: Json, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        decode_analysis({**encode_analysis(RAIN), "markup": markup})


def summary_of(markup: Markup) -> Summary:
    document = replace(RAIN.document, markup=markup)
    return Summary(
        document=document,
        scores=Scores((0.5,) * len(document.edus)),
        selection=Selection((1,), ("score",)),
        dependencies=(),
        sentences=("She & Bo left.",),
        model=ModelId("m", "1"),
    )


def units(markup: Markup) -> list[dict[str, Json]]:
    found = encode_summary(summary_of(markup))["units"]
    assert isinstance(found, list)
    return [unit for unit in found if isinstance(unit, dict)]


def test_units_tell_their_place_in_the_file() -> None:
    heading, body = units(MARKUP)
    assert heading["kind"] == "heading"
    assert (heading["source_start"], heading["source_end"]) == (2, 5)
    assert "kind" not in body
    assert FILE[7:27] == "She &amp; *Bo* left."
    assert (body["source_start"], body["source_end"]) == (7, 27)
    assert encode_summary(summary_of(MARKUP))["extracted_from"] == "markdown"
    kept = summary_of(MARKUP)
    assert decode_summary(encode_summary(kept), kept.document) == kept


def test_units_tell_speaker_and_time() -> None:
    turns = (
        Segment(Span(0, 3), SegmentKind.TURN, time=(0.0, 1.0)),
        Segment(Span(4, 9), SegmentKind.TURN, "Ann", (1.0, 2.5)),
        Segment(Span(9, 18), SegmentKind.TURN, "Ann", (2.5, 4.0)),
    )
    first, second = units(Markup("vtt", turns))
    assert first["time"] == [0.0, 1.0]
    assert "speaker" not in first
    assert (second["speaker"], second["time"]) == ("Ann", [1.0, 4.0])
    mixed = (*turns[:2], Segment(Span(9, 18), SegmentKind.QUOTE, "Bo"))
    assert not {"kind", "speaker"} & set(units(Markup("vtt", mixed))[1])


def test_plain_text_has_no_such_members() -> None:
    assert not {"source_start", "kind", "time", "speaker"} & set(units(NO_MARKUP)[0])
    assert "extracted_from" not in encode_summary(summary_of(NO_MARKUP))
