"""Places on pages to paragraphs."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discobert.data.markup import SegmentKind
from discobert.store.inputs.pdf_layout import Chunk, blocks_of

HEADING, CAPTION, ITEM = SegmentKind.HEADING, SegmentKind.CAPTION, SegmentKind.LIST_ITEM


def column(lines: Sequence[str], *, x: float = 72, y: float = 700, size: float = 10) -> list[Chunk]:
    return [Chunk(x, y - 12 * at, size, f"{line}\n") for at, line in enumerate(lines)]


def texts(*pages: Sequence[Chunk]) -> list[str]:
    return [text.strip() for _, text in blocks_of(pages)]


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["It is inter-", "nationally known."], "It is internationally known."),
        (["A well-", "known man."], "A well-known man."),
        (["The sea-bed is old. A sea-", "bed, too."], "The sea-bed is old. A sea-bed, too."),
        (["A rerun of the re-", "run."], "A rerun of the rerun."),
        (["It is short-", "and long-term."], "It is short- and long-term."),
        (["He saw Marie-", "Anne."], "He saw Marie-Anne."),
        (["In the years 1990-", "1995 it fell."], "In the years 1990-1995 it fell."),
        (["Soft\u00ad", "ware."], "Software."),
    ],
)  # fmt: skip
def test_words_cut_at_line_ends_are_mended(lines: list[str], joined: str) -> None:
    assert texts(column(lines)) == [joined]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("An ef ﬁcient oﬃce needs the ﬁrst ﬁle.", "An efficient office needs the first file."),
        ("Over ﬂow, or overﬂow, over the dam.", "Overflow, or overflow, over the dam."),
        ("A \x1cle \x16 it is \x10new\x11.", "A file — it is “new”."),
        ("A bell\x07 rang\x9f.", "A bell rang."),
        ("It is ﬁ ne; a linear ﬁlter.", "It is fine; a linear filter."),
        ("They con ﬁrm it, speci ﬁed or not.", "They confirm it, specified or not."),
    ],
)
def test_letters_are_ordinary_ones(line: str, shown: str) -> None:
    known = "It said the old thing."
    assert texts(column([line]), column([known])) == [shown, known]


def test_numbers_of_footnotes_are_dropped_and_exponents_are_not() -> None:
    noted = [
        Chunk(72, 700, 10, "They share buses"), Chunk(150, 703.6, 7, " 1"),
        Chunk(155, 700, 10, " . There are 10"), Chunk(230, 704, 7, "6"),
        Chunk(235, 700, 10, " of them in 2"), Chunk(300, 700, 10, " 3"),
        Chunk(305, 700, 10, " towns.\n"),
    ]  # fmt: skip
    assert texts(noted) == ["They share buses. There are 106 of them in 2 3 towns."]


def test_titles_captions_and_items_stand_apart() -> None:
    page = [
        *column(["The Old Bridge"], y=740, size=18),
        *column(["The bridge was closed on", "Monday after a storm."]),
        *column(["Figure 1: The bridge", "seen from the east."], y=640),
        *column(["• It is old.", "• It is long and", "narrow."], y=600),
        *column(["It will open again."], y=540),
        *column(["small print, ten years old"], y=500, size=7),
    ]
    assert [(kind, text.strip()) for kind, text in blocks_of([page])] == [
        (HEADING, "The Old Bridge"),
        (None, "The bridge was closed on Monday after a storm."),
        (CAPTION, "Figure 1: The bridge seen from the east."),
        (ITEM, "• It is old."),
        (ITEM, "• It is long and narrow."),
        (None, "It will open again."),
        (None, "small print, ten years old"),
    ]


LEFT = [f"Left line number {word} goes on" for word in "one two three four five six".split()]
RIGHT = [f"right line number {word} goes on" for word in "one two three four five six".split()]


def test_two_columns_are_read_one_after_the_other() -> None:
    whole = " ".join([*LEFT, *RIGHT])
    by_column = [*column(LEFT), *column(RIGHT, x=320)]
    assert texts(by_column) == [whole]
    pairs = zip(column(LEFT), column(RIGHT, x=320), strict=True)
    by_row = [
        chunk
        for left, right in pairs
        for chunk in (left._replace(text=left.text.rstrip("\n") + " "), right)
    ]
    assert texts(by_row) == [whole]


def test_a_sentence_goes_on_after_the_page_and_what_stands_at_its_foot() -> None:
    first = [
        *column(["It began on a Monday and went on", "until the river had"]),
        *column(["1 See the report."], y=60, size=7),
        *column(["17"], y=30),
    ]
    second = column(["reached the town.", "Then it fell."])
    assert texts(first, second) == [
        "It began on a Monday and went on until the river had reached the town. Then it fell.",
        "1 See the report.",
    ]


def test_a_finished_paragraph_ends_with_its_page() -> None:
    assert texts(column(["It fell."]), column(["It rose."])) == ["It fell.", "It rose."]


def test_running_heads_are_dropped() -> None:
    pages = [
        [*column([f"Report of the Port {number}"], y=760), *column([f"Page {word} has text here."])]
        for number, word in enumerate(["one", "two", "three"], start=1)
    ]
    assert texts(*pages) == [f"Page {word} has text here." for word in ("one", "two", "three")]


def test_indents_begin_paragraphs() -> None:
    lines = column(["It was late. They left", "for the town.", "Nobody saw them go", "that night."])
    lines[2] = lines[2]._replace(x=90)
    assert texts(lines) == [
        "It was late. They left for the town.",
        "Nobody saw them go that night.",
    ]


def test_no_text_gives_no_blocks() -> None:
    assert texts() == []
    assert texts([Chunk(0, 0, 0, "\n"), Chunk(0, 0, 0, " ")]) == []


def test_a_line_in_many_pieces_takes_no_time() -> None:
    pieces = [Chunk(float(at), 700, 10, "a ") for at in range(60_000)]
    assert [len(text) for text in texts(pieces)] == [119_999]


PLACES = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 72.0, 320.0])


@settings(max_examples=40)
@given(
    st.lists(
        st.lists(
            st.builds(Chunk, PLACES, PLACES, st.floats(0, 1e6), st.text("ab- .\n•1F", max_size=9)),
            max_size=30,
        ),
        max_size=2,
    )
)
def test_no_word_is_lost_whatever_the_places(pages: list[list[Chunk]]) -> None:
    """Of fewer than three pages: what stands at the edges of more is taken for running heads."""
    drawn = sorted(c for page in pages for chunk in page for c in chunk.text if c in "abF")
    assert sorted(c for text in texts(*pages) for c in text if c in "abF") == drawn


def test_text_of_unknown_size_is_no_heading() -> None:
    assert [kind for kind, _ in blocks_of([[Chunk(0, 0, 0, "The bridge fell.")]])] == [None]


def test_short_lines_of_a_title_page_stand_alone() -> None:
    title = column(["Version 4.19"])
    body = column(["This manual is for the tool in version", "4.19, which was made in August."])
    assert texts(title, body) == [
        "Version 4.19",
        "This manual is for the tool in version 4.19, which was made in August.",
    ]
