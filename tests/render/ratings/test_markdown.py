"""The rating sheet as Markdown: instructions, items, and an example that can be read."""

import json
import re

import pytest

from discobert.data.rating import FaultKind, PanelKey, Question, SheetKey
from discobert.evaluate.ratings.key import write_key_file
from discobert.evaluate.ratings.read import read_ratings
from discobert.render.ratings.form import RatingItem
from discobert.render.ratings.markdown import render_rating_markdown

ITEMS = [
    RatingItem(4, "A ferry sank.\n\nNobody was hurt.", ("A ferry sank.", "Nobody was hurt.", "")),
    RatingItem(2, "# It\nrained.", ("It  rained.", "# It", "Rained.")),
]


def test_items_have_number_text_and_summaries() -> None:
    text = render_rating_markdown(ITEMS)
    assert re.findall(r"^# Item (\d)$", text, re.MULTILINE) == ["4", "2"]
    assert "## Text\n\nA ferry sank.\n\nNobody was hurt.\n\n## Summary A\n" in text
    assert "## Summary C\n\n(This summary is empty.)\n" in text


def test_a_line_of_a_text_is_no_heading() -> None:
    text = render_rating_markdown(ITEMS)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    assert "It" not in headings
    assert "\n\\# It\n" in text


@pytest.mark.parametrize("n_systems", [2, 3])
def test_the_example_is_read_as_it_stands(n_systems: int) -> None:
    items = [RatingItem(item.number, item.text, item.summaries[:n_systems]) for item in ITEMS]
    text = render_rating_markdown(items)
    found = re.search(r"```\n(.*)\n```", text)
    assert found is not None
    panel = PanelKey(
        "p",
        tuple("xyz"[:n_systems]),
        tuple("abcdefg"),
        (tuple(range(n_systems)),) * 7,
    )
    files = {"k.json": write_key_file(SheetKey("p", panel, (0,))), "x.jsonl": found[1]}
    (ratings,) = read_ratings(files).ratings
    assert ratings.n_finished == 1
    assert len(ratings.ranks) == len(ratings.misleading) == len(ratings.faults) == n_systems
    assert json.loads(found[1])["rank"] == ">".join(reversed("ABC"[:n_systems]))


def test_instructions_name_every_question_and_kind_of_fault() -> None:
    head = render_rating_markdown(ITEMS).split("# Item")[0]
    for name in (*Question, *FaultKind):
        assert f"`{name.value}`" in head
    assert "2 items, each with a text and three summaries of it: A, B, C." in head
