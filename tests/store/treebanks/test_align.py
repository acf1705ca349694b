"""EDU texts found again in a raw text."""

import pytest
from hypothesis import given
from tests.builders import analysis, chain, doc, tree
from tests.strategies import documents

from discobert.data.document import Document, SentenceLayout, Span
from discobert.errors import FormatError
from discobert.store.treebanks import TreeFile, align, from_analysis, to_analysis
from discobert.store.treebanks.align import place_edus


class Fixed:
    """Sees sentences and paragraphs where a document has them."""

    def __init__(self, document: Document) -> None:
        self.layout = SentenceLayout(document.sentences, document.paragraphs)

    def split(self, text: str) -> SentenceLayout:
        return self.layout


def test_white_space_and_quotes_may_differ() -> None:
    text = "\r\n“It  rained,” — Ann said;we\u00a0stayed. \n"
    spans = align(text, ['" It rained , "', "- Ann said ;", "we stayed ."], name="a.dis")
    assert [span.of(text) for span in spans] == ["“It  rained,”", "— Ann said;", "we\u00a0stayed."]


@pytest.mark.parametrize(
    ("edus", "message"),
    [
        (
            ["It", "snowed."],
            "EDU 2 is not in the text at offset 3: wanted 'snowed.', found 'r",
        ),
        (
            ["It rained.", "We stayed."],
            "EDU 2 is not in the text at offset 10: wanted 'Westayed.'",
        ),
        (["It"], "a.dis: the text goes on after the last EDU at offset 3: 'rained.'"),
    ],
)
def test_texts_that_differ_are_refused(edus: list[str], message: str) -> None:
    with pytest.raises(FormatError) as error:
        align("It rained.", edus, name="a.dis")
    assert message in str(error.value)


@given(documents())
def test_every_document_is_found_again(drawn: Document) -> None:
    texts = [drawn.edu_text(index) for index in range(len(drawn.edus))]
    assert align(drawn.text, texts, name="a") == tuple(edu.span for edu in drawn.edus)


def test_tree_is_placed_on_its_raw_text() -> None:
    whole = analysis("[It rained,] [~so we stayed.] | [~Reading.] || [We slept.]")
    placed = to_analysis(
        from_analysis(whole),
        name="doc",
        splitter=Fixed(whole.document),
        text=whole.document.text,
        subjects=[True, False, False, True],
    )
    assert placed == whole


def test_sentence_ends_inside_an_edu_do_not_count() -> None:
    seen = doc("[Dr.] | [Ann left.] || [We] | [stayed.]", name="a")
    edus = [Span(0, 3), Span(4, 13), Span(14, 24)]
    kept = place_edus("a", seen.text, edus, [True] * 3, Fixed(seen).layout)
    assert [span.of(seen.text) for span in kept.sentences] == ["Dr.", "Ann left.", "We stayed."]
    assert kept.paragraphs == (0, 2)
    merged = place_edus("a", seen.text, [Span(0, 16), Span(17, 24)], [True] * 2, Fixed(seen).layout)
    assert [span.of(seen.text) for span in merged.sentences] == ["Dr. Ann left.\nWe", "stayed."]
    assert merged.paragraphs == (0,)


def test_without_a_text_the_edus_are_the_text() -> None:
    joined = doc("[It rained .] | [We stayed .]")
    tree_file = TreeFile(("It rained .", "We stayed ."), tree("NS", 0, 1))
    placed = to_analysis(tree_file, name="doc", splitter=Fixed(joined))
    assert placed.document == joined
    assert placed.rst == chain(2)
