"""Subtitles with speakers and times."""

import pytest

from discobert.data.document import SourceText, Span
from discobert.errors import InputError
from discobert.store.inputs import read_documents

SRT = """\ufeff1\r
00:00:01,000 --> 00:00:02,500\r
ANN: Hello <i>there</i>,\r
how are you?\r
\r
2\r
00:00:03,000 --> 00:00:04,000\r
- Bo Lee: I am fine.\r
\r
3\r
00:01:10,000 --> 01:00:14,250\r
{\\an8}Really fine, as I said\r
\r
4
00:00:14,000 --> 00:00:15,000
before.
"""
VTT = """WEBVTT - A talk

NOTE not said

STYLE
::cue { color: red }

one
00:01.000 --> 00:02.000 align:start
<v.loud Ann Lee>Welcome &amp; <c.x>hello</c>.

00:02.000 --> 00:03.000
<v Ann Lee>All of you.</v>
00:03.000 --> 00:04.000
<v Bo>Thanks.</v>
"""


def read(text: str, name: str) -> SourceText:
    (found,) = read_documents(text.encode(), name=name)
    return found


def cues(source: SourceText) -> list[tuple[str, str | None, tuple[float, float] | None]]:
    segments = source.markup.segments
    return [(each.span.of(source.text), each.speaker, each.time) for each in segments]


def test_subrip_has_a_paragraph_for_each_speaker_or_up_to_a_pause() -> None:
    found = read(SRT, "a.srt")
    assert found.text == (
        "ANN: Hello there, how are you?\n\nBo Lee: I am fine.\n\nReally fine, as I said before.\n"
    )
    assert cues(found) == [
        ("ANN: Hello there,", "ANN", (1.0, 2.5)),
        ("how are you?", "ANN", (1.0, 2.5)),
        ("Bo Lee: I am fine.", "Bo Lee", (3.0, 4.0)),
        ("Really fine, as I said", "Bo Lee", (70.0, 3614.25)),
        ("before.", "Bo Lee", (14.0, 15.0)),
    ]


def test_webvtt_has_voices() -> None:
    found = read(VTT, "a.vtt")
    assert found.text == "Ann Lee: Welcome & hello. All of you.\n\nBo: Thanks.\n"
    assert cues(found) == [
        ("Ann Lee: Welcome & hello.", "Ann Lee", (1.0, 2.0)),
        ("All of you.", "Ann Lee", (2.0, 3.0)),
        ("Bo: Thanks.", "Bo", (3.0, 4.0)),
    ]


@pytest.mark.parametrize(
    ("said", "place"), [("hello", "hello"), ("& hello", "&amp; <c.x>hello"), ("Bo:", "Bo")]
)
def test_words_have_their_place_in_the_file(said: str, place: str) -> None:
    found = read(VTT, "a.vtt")
    start = found.text.index(said)
    there = found.markup.source_of(Span(start, start + len(said)))
    assert there is not None
    assert there.of(VTT) == place


def test_a_file_without_cues_is_refused() -> None:
    with pytest.raises(InputError, match=r"a\.srt: no cues with times"):
        read("Just a text.\n", "a.srt")
    with pytest.raises(InputError, match="no cues"):
        read("", "a.vtt")
