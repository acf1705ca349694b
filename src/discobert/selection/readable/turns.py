"""Who speaks in a conversation: turns, questions and answers of which a part says too little."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from discobert.data.document import Document

_SPEAKER = re.compile(r"(?:[A-Z][\w.’'-]*)(?: [A-Z][\w.’'-]*){0,3}:\s")
_ANSWER = re.compile(r"A(?:nswer)?:\s")
_QUESTION = re.compile(r"\?[\"'”’)\]]*\s*$")
_QUOTATION_MARKS = frozenset("\"'“‘")
_YES_OR_NO = re.compile(r"[\W_]*(?:yes|no|nope|yeah)\b\s*[,.!]", re.IGNORECASE)
"""Answers a question."""
_ELLIPTICAL = re.compile(
    r"[\W_]*(?:according to|because|by|for|if|not|only|to|when|with)\b", re.IGNORECASE
)
_ADDRESSES = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_SPEAKS_OF_SELF = re.compile(r"\b(?:I|[Mm]y|[Mm]e|[Mm]yself|[Ww]e|[Oo]ur|[Uu]s)\b")
_SPEAKS_OF_ONESELF = re.compile(r"\b(?:I|[Mm]y|[Mm]e|[Mm]yself)\b")
_SHORT_ANSWER = 20
"""Words up to which a sentence after a question counts as its answer."""
_FEWEST_TURNS = 3
"""Paragraphs that open with a speaker's name from which on a text is a conversation."""
_FEWEST_QUESTIONS, _FEWEST_OF_SELF = 2, 4
"""Questions put to somebody, and sentences with "I" or "we", from which on it is an interview."""
_LONG_QUESTION = 80
"""Words up to which a paragraph that ends with a question is the interviewer's."""
_LEADING_UP = 3
"""Most sentences before a question that may be its beginning where paragraphs do not say."""


def is_question(sentence: str) -> bool:
    """Return whether a sentence ends with a question mark, inside quotation marks or not."""
    return _QUESTION.search(sentence) is not None


def answers_a_question(sentence: str) -> bool:
    """Return whether a sentence opens with "Yes" or "No"."""
    return _YES_OR_NO.match(sentence) is not None


def elliptical_answers(document: Document) -> frozenset[int]:
    """Return the short sentences after a question that say nothing without it: "Only if …"."""
    text = document.text
    return frozenset(
        index
        for index, (question, answer) in enumerate(pairwise(document.sentences), start=1)
        if is_question(question.of(text))
        and _ELLIPTICAL.match(text, answer.start)
        and len(answer.of(text).split()) <= _SHORT_ANSWER
    )


def sentences_inside_turns(document: Document) -> frozenset[int]:
    """Return the sentences of a conversation that need the one before: its speaker, its question.

    In a text whose paragraphs open with the names of speakers, only the first sentence of a turn
    shows who speaks; an answer ("A: …") needs its question besides.
    """
    turns = _labelled_turns(document)
    inside = {sentence for turn in turns for sentence in turn[1:]}
    answers = {turn[0] for turn in turns if _ANSWER.match(document.text, _start(document, turn))}
    return frozenset(inside | answers)


def interview_questions(document: Document) -> tuple[int, ...]:
    """Return the questions of an interview in which nothing marks who speaks.

    There somebody says "I" again and again, and somebody is asked. A text with the names of
    speakers is no such interview, nor are the questions that readers have: "How do I join?"
    """
    texts = _texts(document)
    asked = tuple(index for index, text in enumerate(texts) if _asks_another(text))
    if len(asked) < _FEWEST_QUESTIONS or _labelled_turns(document):
        return ()
    to_somebody = sum(
        any(map(_ADDRESSES.search, texts[max(index - _LEADING_UP, 0) : index + 1]))
        for index in asked
    )
    of_self = sum(_SPEAKS_OF_SELF.search(text) is not None for text in texts)
    return asked if to_somebody >= _FEWEST_QUESTIONS and of_self >= _FEWEST_OF_SELF else ()


def interviewers_sentences(document: Document) -> frozenset[int]:
    """Return what the interviewer says before each question of such an interview.

    Beside an answer it would seem to be said by the one who answers.
    """
    texts, asked = _texts(document), interview_questions(document)
    before = (index for question in asked for index in _leading_up(document, texts, question))
    return frozenset(before) - set(asked)


def _asks_another(sentence: str) -> bool:
    """Return whether a sentence is a question, outside quotation marks and not of the speaker."""
    text = sentence.strip()
    is_open = text.endswith("?") and text[0] not in _QUOTATION_MARKS
    return is_open and not _SPEAKS_OF_ONESELF.search(text)


def _texts(document: Document) -> list[str]:
    return [span.of(document.text) for span in document.sentences]


def _labelled_turns(document: Document) -> list[range]:
    """Return the sentences of each turn; none in a text with fewer than three."""
    text = document.text
    turns = [each for each in _paragraphs(document) if _SPEAKER.match(text, _start(document, each))]
    return turns if len(turns) >= _FEWEST_TURNS else []


def _paragraphs(document: Document) -> Iterator[range]:
    for first, end in pairwise([*document.paragraphs, len(document.sentences)]):
        yield range(first, end)


def _start(document: Document, sentences: range) -> int:
    return document.sentences[sentences[0]].start


def _leading_up(document: Document, texts: Sequence[str], question: int) -> range:
    """Return the sentences with which the speaker of a question begins.

    That is the paragraph up to the question if it is short and addresses somebody; else what comes
    after one of the last few sentences of it that does so and says nothing of the speaker.
    """
    paragraph = next(each for each in _paragraphs(document) if question in each)
    words = sum(len(texts[index].split()) for index in paragraph)
    first = question
    if question == paragraph[-1] and words <= _LONG_QUESTION:
        asks_somebody = any(map(_ADDRESSES.search, texts[paragraph[0] : question + 1]))
        first = paragraph[0] if asks_somebody else question
    near = range(max(paragraph[0], first - _LEADING_UP), first)
    return range(next((index for index in near if _addresses_alone(texts[index])), first), question)


def _addresses_alone(sentence: str) -> bool:
    """Return whether a sentence speaks to somebody and not of the speaker."""
    return _ADDRESSES.search(sentence) is not None and not _SPEAKS_OF_SELF.search(sentence)
