"""What a rating sheet asks, in words: shared by the HTML page and the Markdown form."""

from dataclasses import dataclass

from discobert.data.rating import FaultKind, Question


@dataclass(frozen=True, slots=True)
class RatingItem:
    """A document of a panel and its summaries in the order in which they are shown."""

    number: int
    """Number in the panel, from 1; the same on every sheet."""
    text: str
    summaries: tuple[str, ...]

    def paragraphs(self) -> list[str]:
        """Return the lines of the text that are not blank."""
        return [line for line in self.text.splitlines() if line.strip()]


@dataclass(frozen=True, slots=True)
class Wording:
    """A question at length and as a reminder, and the ends of its scale."""

    title: str
    asks: str
    reminder: str
    low: str
    high: str


WORDING = {
    Question.OVERALL: Wording(
        title="Overall",
        asks="How good is it, all in all, as a summary of the article for a busy reader?",
        reminder="as a summary of the article",
        low="very poor",
        high="very good",
    ),
    Question.COHERENCE: Wording(
        title="Coherence",
        asks="Do its sentences belong together, and is it clear who or what each is about?",
        reminder="connected, clear who is who",
        low="not at all coherent",
        high="fully coherent",
    ),
    Question.GRAMMATICALITY: Wording(
        title="Grammaticality",
        asks="Is it correct English, with whole sentences and proper punctuation?",
        reminder="correct, whole sentences",
        low="full of errors",
        high="no errors",
    ),
    Question.INFORMATIVENESS: Wording(
        title="Informativeness",
        asks="Does it have the main point and the most important content of the article?",
        reminder="main point, important content",
        low="misses the point",
        high="has all that matters",
    ),
    Question.MISLEADING: Wording(
        title="Misleading",
        asks="Does any line state or imply something that the article does not say: a meaning "
        "changed by cutting, a pronoun that seems to mean somebody else, hearsay as fact, a lost "
        "condition or negation?",
        reminder="says what the article does not",
        low="no",
        high="yes",
    ),
}
"""The paper names its three questions but not their wording, which is ours."""

FAULTS = {
    FaultKind.BROKEN: "a broken sentence",
    FaultKind.FILLER: "a line without content",
    FaultKind.SENSELESS_CUT: "cut so that the sense is lost",
    FaultKind.CAPTION: "a caption, heading or notice",
    FaultKind.REPEAT: "a repetition",
    FaultKind.DANGLING: "a reference to nothing in the summary",
}

COUNTS = {2: "two", 3: "three"}
