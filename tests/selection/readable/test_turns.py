"""Who speaks in a conversation."""

import pytest
from tests.builders import doc

from discobert.selection.readable.coherence import Coherence
from discobert.selection.readable.turns import (
    interview_questions,
    interviewers_sentences,
    sentences_inside_turns,
)

TALK = doc(
    "[Al: Many came, I hear.] || [Bo: Two hundred did.] | [The council offered a hall.] || "
    "[Al: Thanks.]"
)


def test_a_turn_keeps_its_speaker() -> None:
    assert sentences_inside_turns(TALK) == {2}
    talk = Coherence(TALK, ())
    assert talk.follows(1, (1,), (), ())
    assert not talk.follows(2, (2,), (0,), (0,))
    assert talk.follows(2, (2,), (1,), (1,))


def test_an_answer_needs_its_question() -> None:
    interview = doc("[Q: Why?] || [A: It rained.] || [Q: And then?] || [A: We left.]")
    assert sentences_inside_turns(interview) == {1, 3}


def test_a_label_or_two_make_no_conversation() -> None:
    assert sentences_inside_turns(doc("[Note: it rained.] | [We left.] || [It was late.]")) == set()


ANSWERS = "[I ran.] | [I fell.] | [We met my aunt.] | [My knee hurt.]"


def test_what_leads_up_to_a_question_is_the_interviewers() -> None:
    interview = doc(
        f"[You won in May.] | [How did you train?] || {ANSWERS} || [They lost.] | [Do you mind?]"
    )
    assert interview_questions(interview) == (1, 7)
    assert interviewers_sentences(interview) == {0, 6}
    talk = Coherence(interview, ())
    assert not talk.follows(0, (0,), (), ())
    assert not talk.follows(6, (6,), (5,), (5,))
    assert talk.follows(2, (2,), (), ())


def test_without_paragraphs_only_what_addresses_somebody_is_the_interviewers() -> None:
    long_paragraph = doc(
        f"[Rain fell.] | [You won in May.] | [Few did.] | [How did you train?] | {ANSWERS} | "
        "[I told you so.] | [Do you mind?] | [I do not.]"
    )
    assert interviewers_sentences(long_paragraph) == {1, 2}


def test_a_short_paragraph_that_asks_nobody_is_no_interviewers() -> None:
    interview = doc(
        f"[How did you train?] || {ANSWERS} || [It rained.] | [Why?] || [Did you win?] || [I did.]"
    )
    assert interview_questions(interview) == (0, 6, 7)
    assert interviewers_sentences(interview) == set()


@pytest.mark.parametrize(
    "text",
    [
        f"[How did you train?] | {ANSWERS}",
        f"[Why?] | [When?] | [Where?] | {ANSWERS}",
        f"[“How did you train?”] | [“Do you mind?”] | {ANSWERS}",
        "[How did you train?] | [Do you mind?] | [It rained.]",
        "[How do I join?] || [You sign.] | [We charge my aunt.] || [Can I stay?] || "
        "[We like you.] | [I do.] | [I may.]",
        f"[Al: Did you win?] || [Bo: Yes.] || [Al: Do you mind?] || {ANSWERS}",
    ],
)
def test_other_texts_are_no_such_interviews(text: str) -> None:
    assert interview_questions(doc(text)) == ()
    assert interviewers_sentences(doc(text)) == set()
