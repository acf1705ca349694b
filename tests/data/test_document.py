"""Spans nest, and every character that counts lies in exactly one EDU."""

import pytest
from hypothesis import given
from tests.builders import doc
from tests.strategies import documents

from discobert.data.document import Document, Edu, SentenceLayout, Span, check_coverage
from discobert.errors import InvalidSpan


def document(
    text: str,
    *edus: tuple[int, int, int],
    sentences: tuple[tuple[int, int], ...] = ((0, 9),),
    paragraphs: tuple[int, ...] = (0,),
) -> Document:
    units = tuple(Edu(Span(start, end), sentence) for start, end, sentence in edus)
    return Document("d", text, tuple(Span(*s) for s in sentences), units, paragraphs)


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (3, 2)])
def test_span_is_never_empty_or_negative(start: int, end: int) -> None:
    with pytest.raises(InvalidSpan, match="0 <= start < end"):
        Span(start, end)


def test_span_knows_what_it_holds() -> None:
    span = Span(2, 5)
    assert Span(2, 5) in span
    assert Span(3, 4) in span
    assert Span(1, 4) not in span
    assert Span(4, 6) not in span
    assert len(span) == 3
    assert span.of("abcdefg") == "cde"


def test_spans_that_touch_do_not_overlap() -> None:
    assert Span(0, 2).overlaps(Span(1, 3))
    assert not Span(0, 2).overlaps(Span(2, 3))
    assert not Span(2, 3).overlaps(Span(0, 2))


def test_builder_and_document_agree() -> None:
    built = doc("[One clause,] [~and another.] | [Next.] || [Last one.]")
    assert built.text == "One clause, and another. Next.\nLast one."
    assert [built.edu_text(i) for i in range(4)] == [
        "One clause,",
        "and another.",
        "Next.",
        "Last one.",
    ]
    assert [edu.has_subject for edu in built.edus] == [True, False, True, True]
    assert [span.of(built.text) for span in built.sentences] == [
        "One clause, and another.",
        "Next.",
        "Last one.",
    ]
    assert built.paragraphs == (0, 2)
    assert built.edus_by_sentence() == (range(2), range(2, 3), range(3, 4))


@given(documents())
def test_sentences_share_out_all_edus(drawn: Document) -> None:
    groups = drawn.edus_by_sentence()
    assert [edu for group in groups for edu in group] == list(range(len(drawn.edus)))
    for sentence, group in enumerate(groups):
        assert {drawn.edus[edu].sentence for edu in group} == {sentence}


def test_layout_is_plain_data() -> None:
    layout = SentenceLayout((Span(0, 3),), (0,))
    assert layout.sentences[layout.paragraphs[0]] == Span(0, 3)


def test_document_needs_an_edu() -> None:
    with pytest.raises(InvalidSpan, match="at least one EDU"):
        document("   ")


@pytest.mark.parametrize("sentence", [-1, 1])
def test_edu_names_a_sentence_that_exists(sentence: int) -> None:
    with pytest.raises(InvalidSpan, match=f"EDU 0 names sentence {sentence} of 1"):
        document("It rained", (0, 9, sentence))


def test_edu_stays_in_its_sentence() -> None:
    with pytest.raises(InvalidSpan, match="EDU 0 leaves sentence 0"):
        document("It rained", (0, 9, 0), sentences=((0, 5),))


@pytest.mark.parametrize(
    "sentences", [((0, 3), (2, 9)), ((3, 9), (0, 3)), ((0, 3), (3, 10)), ((0, 10),)]
)
def test_sentences_lie_apart_inside_the_text(sentences: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(InvalidSpan, match="sentences overlap, are out of order or leave"):
        document("It rained", (0, 2, 0), (3, 9, 0), sentences=sentences)


@pytest.mark.parametrize(
    ("edus", "sentences"),
    [
        ([(0, 2, 0)], ((0, 2), (3, 9))),
        ([(3, 9, 1)], ((0, 2), (3, 9))),
        ([(0, 2, 0), (6, 9, 2)], ((0, 2), (3, 5), (6, 9))),
        ([(3, 9, 1), (0, 2, 0)], ((0, 2), (3, 9))),
    ],
)
def test_every_sentence_needs_an_edu(
    edus: list[tuple[int, int, int]], sentences: tuple[tuple[int, int], ...]
) -> None:
    with pytest.raises(InvalidSpan, match="every sentence needs its EDUs"):
        document("It rained", *edus, sentences=sentences)


def test_an_edu_without_any_sentence_is_refused() -> None:
    with pytest.raises(InvalidSpan, match="names sentence 0 of 0"):
        document("It", (0, 2, 0), sentences=())


@pytest.mark.parametrize("paragraphs", [(), (1,), (0, 0), (0, 2)])
def test_paragraphs_start_at_rising_sentences(paragraphs: tuple[int, ...]) -> None:
    with pytest.raises(InvalidSpan, match="paragraph"):
        document(
            "It rained", (0, 2, 0), (3, 9, 1), sentences=((0, 2), (3, 9)), paragraphs=paragraphs
        )


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([(0, 2)], r"characters \[2, 9\) belong to no unit: 'rained'"),
        ([(3, 9)], "belong to no unit: 'It'"),
        ([(0, 2), (1, 9)], r"span \[1, 9\) is out of order"),
        ([(0, 10)], "outside the text"),
    ],
)
def test_uncovered_text_is_refused(spans: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(InvalidSpan, match=message):
        check_coverage("d", "It rained", [Span(*span) for span in spans])


def test_space_of_any_kind_needs_no_unit() -> None:
    check_coverage("d", "\r\nIt\u00a0\u2003rained ", [Span(2, 4), Span(6, 12)])
