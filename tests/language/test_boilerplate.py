"""What is dropped from a news page, and what is not."""

import pytest

from discobert.language.boilerplate import without_boilerplate

STORY = "A ferry ran aground off the coast on Monday."
MORE = "Nobody was hurt."


@pytest.mark.parametrize(
    "header",
    [
        ["By", "Ann Example"],
        ["By", "Ann Example, Harbour Editor", "and Bob Sample"],
        ["By", "Ann Example", "PUBLISHED:", "18:35 EST, 4 March 2014", "|", "UPDATED:"],
        ["By", "Ann Example", "Last updated at 7:03 PM on 24th November 2011"],
        ["By", "Ann Example for the Gazette", "Follow @@ann_example"],
        ["By Ann Example and Bob Sample"],
        ["PUBLISHED:", "18:35 EST, 4 March 2014"],
        ["EXCLUSIVE By", "Ann Example"],
    ],
)
def test_a_byline_block_is_dropped(header: list[str]) -> None:
    assert without_boilerplate([*header, STORY, MORE]) == (STORY, MORE)


@pytest.mark.parametrize(
    "notice",
    [
        "Scroll down for video",
        "SCROLL DOWN FOR VIDEO...",
        "VIDEO Scroll down to watch the ferry being towed",
        "See below for video",
        "Watch video here:",
        "Write caption here",
        "Sorry we are not currently accepting comments on this article.",
        "Click here to read the full report",
        "© 2011 The Gazette. All rights reserved.",
        "The opinions expressed in this commentary are solely those of Ann Example.",
    ],
)
def test_notices_are_dropped_wherever_they_stand(notice: str) -> None:
    assert without_boilerplate([STORY, notice, MORE, notice]) == (STORY, MORE)


@pytest.mark.parametrize(
    "dateline",
    [
        "(CNN) -- ",
        "LONDON, England (CNN) -- ",
        "St. Paul, Minnesota (CNN)  -- ",
        "(CNN)",
        "(AP) — ",
    ],
)
def test_a_dateline_is_cut_off(dateline: str) -> None:
    assert without_boilerplate([dateline + STORY, MORE]) == (STORY, MORE)


@pytest.mark.parametrize(
    "opening",
    [
        "By the time help came, the ferry was half full of water.",
        "Follow the money, they say.",
        "Bob Sample (45) -- a fisherman -- saw it first.",
        "Watch the birds.",
    ],
)
def test_an_ordinary_opening_stays(opening: str) -> None:
    assert without_boilerplate([opening, STORY]) == (opening, STORY)


def test_a_caption_after_the_author_stays() -> None:
    caption = "Stranded: the ferry at low tide"
    assert without_boilerplate(["By", "Ann Example", caption, STORY]) == (caption, STORY)


def test_a_sentence_after_by_is_no_author() -> None:
    assert without_boilerplate(["By", "Nobody was hurt.", STORY]) == (MORE, STORY)


@pytest.mark.parametrize(
    "paragraphs", [[], ["By", "Ann Example"], ["Scroll down for video"], ["(CNN)"]]
)
def test_an_article_of_boilerplate_alone_stays(paragraphs: list[str]) -> None:
    assert without_boilerplate(paragraphs) == tuple(paragraphs)
