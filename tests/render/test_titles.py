"""Titles of documents, and which paragraphs look like headings."""

from dataclasses import replace

import pytest
from tests.builders import doc

from discobert.data.markup import Markup, Segment, SegmentKind
from discobert.render.titles import document_title, file_name, heading_edus, heading_paragraphs

LONG = "It rained on the old town and on its two bridges, which were closed to cars and even to"


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("[Keeping Hens] || [They need] [a dry house.] | [So do we.]", "Keeping Hens"),
        ("[tidewatch] || [A command that tells the tide.] || [Install] || [Run it.]", "tidewatch"),
        ("[It rained.] || [Weather] || [It rained again.]", "Weather"),
        ("[It rained,] [he said.] | [It stopped.]", "It rained, he said."),
        (f"[{LONG} carts.]", "It rained on the old town and on its two bridges…"),
        (f"[{LONG.replace(',', '')} carts.]", f"{LONG.replace(',', '')}…"),
        (f"[{'x' * 120}.]", f"{'x' * 91}…"),
        ("[***]", "notes.txt"),
    ],
)
def test_title_is_a_heading_or_the_first_sentence(markup: str, title: str) -> None:
    assert document_title(doc(markup, name="letters/notes.txt")) == title


def test_title_is_no_greeting() -> None:
    assert document_title(doc("[Ann: Good morning.] | [Today we talk about the bees.]")) == (
        "Today we talk about the bees."
    )
    assert document_title(doc("[Good morning.] | [They hum.]")) == "Good morning."


def test_a_text_without_words_or_name_is_untitled() -> None:
    assert document_title(doc("[***]", name="")) == "Untitled"


@pytest.mark.parametrize("name", ["notes.txt", "/a/notes.txt", "C:\\a\\notes.txt"])
def test_file_name_is_the_last_part_of_a_path(name: str) -> None:
    assert file_name(name) == "notes.txt"


@pytest.mark.parametrize(
    ("markup", "headings"),
    [
        ("[Bees] || [They fly.] | [They hum.] || [Wasps] || [They buzz.]", {0, 2}),
        ("[Bees] || [A Guide] || [They fly.]", {0, 1}),
        ("[Bees] || [Wasps] || [Ants] || [They fly.]", set()),  # a list
        ("[They fly.] || [Bees]", set()),  # nothing follows
        ("[They fly.] || [by hand] || [They hum.]", set()),
        ("[Bees fly.] || [They hum.]", set()),
        ("[Bees] | [Wasps] || [They fly.]", set()),  # two lines in one paragraph
    ],
)
def test_short_lines_before_a_text_are_headings(markup: str, headings: set[int]) -> None:
    assert heading_paragraphs(doc(markup)) == headings


def test_all_clauses_of_a_heading_belong_to_it() -> None:
    assert heading_edus(doc("[Bees,] [which fly] || [They hum.]")) == {0, 1}


def test_a_file_that_tells_its_headings_is_believed() -> None:
    found = doc("[Bees] || [They fly.] || [what for?] || [Nobody knows.]")
    heading = Segment(found.paragraph_spans()[2], SegmentKind.HEADING)
    told = replace(found, markup=Markup("markdown", (heading,)))
    assert heading_paragraphs(told) == {2}
    assert document_title(told) == "what for?"
