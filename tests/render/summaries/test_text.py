"""Summaries as plain text."""

from tests.builders import doc

from discobert.data.summary import ModelId, Scores, Selection, Summary
from discobert.render.summaries.text import length_facts, render_terminal, render_text


def summary(name: str, *sentences: str) -> Summary:
    document = doc("[One.] | [Two.]", name=name)
    scores, selection = Scores((1.0, 0.5)), Selection((0,), ("score",))
    return Summary(document, scores, selection, (), sentences, ModelId("m", "1"))


def test_one_summary_is_one_paragraph() -> None:
    assert render_text([summary("a", "One.", "Two.")]) == "One. Two.\n"


def test_several_summaries_carry_their_names() -> None:
    found = render_text([summary("a.txt", "One."), summary("b.txt", "Two.")])
    assert found == "==> a.txt <==\nOne.\n\n==> b.txt <==\nTwo.\n"


def test_length_is_told_as_a_share() -> None:
    assert length_facts(summary("a", "One.")) == "1 of 2 words (50 %), from 1 of 2 sentences"


def test_terminal_shows_a_header_and_whole_words() -> None:
    shown = render_terminal([summary("a", "One two-three four.")] * 2, width=24)
    one = "a: 3 of 2 words (150 %),\nfrom 1 of 2 sentences\n\nOne two-three four.\n"
    assert shown == f"{one}\n{one}"
