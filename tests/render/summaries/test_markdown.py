"""Summaries as Markdown."""

from dataclasses import replace

import pytest
from tests.builders import doc

from discobert.data.summary import (
    ModelId,
    Replacement,
    Scores,
    Selection,
    Summary,
    SummaryWarning,
)
from discobert.render.summaries.markdown import render_markdown


def summary(*sentences: str, warnings: tuple[SummaryWarning, ...] = ()) -> Summary:
    document = doc("[One.] | [Two.]", name="a_b.txt")
    scores, selection = Scores((1.0, 0.5)), Selection((0,), ("score",))
    return Summary(document, scores, selection, (), sentences, ModelId("m", "1"), warnings)


def test_summary_is_a_list_under_a_heading() -> None:
    assert render_markdown([summary("One.")]) == (
        "## a\\_b.txt\n\n- One.\n\n*1 of 2 words · m 1*\n\n### Source\n\nOne. ~~Two.~~\n"
    )


def test_several_summaries_follow_each_other() -> None:
    one = render_markdown([summary("One.")])
    assert render_markdown([summary("One.")] * 2) == f"{one}\n{one}"


def test_warnings_are_quoted() -> None:
    warned = summary("One.", warnings=(SummaryWarning("over-budget", "too long"),))
    assert "\n\n> **over-budget**: too long\n\n### Source\n" in render_markdown([warned])


def test_words_that_are_not_the_texts_own_are_told() -> None:
    changed = replace(summary("Ann."), replacements=(Replacement(0, 0, 3, "*Ann*"),))
    shown = render_markdown([changed])
    assert "\n> **not verbatim**: “\\*Ann\\*” stands for “One”\n" in shown


def test_what_is_left_out_is_struck_through() -> None:
    document = doc("[A *b*,] [c,] [d.] | [E.] || [1. F] [g—][h.]", name="a")
    selection = Selection((0, 5), ("score", "score"))
    found = Summary(document, Scores((0.0,) * 7), selection, (), ("A.",), ModelId("m", "1"))
    source = render_markdown([found]).partition("### Source\n\n")[2]
    assert source == "A \\*b\\*, ~~c, d. E.~~\n\n~~1\\. F~~ g—~~h.~~\n"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("*a* [b](c) <d>", r"\*a\* \[b\](c) \<d\>"),
        ("1. May", r"1\. May"),
        ("- dash", r"\- dash"),
        ("# sign", r"\# sign"),
        ("two\r\nlines", "two lines"),
        ("3.5 and -1", r"3\.5 and -1"),
    ],
)
def test_verbatim_text_is_no_markup(text: str, escaped: str) -> None:
    assert f"- {escaped}\n" in render_markdown([summary(text)])
