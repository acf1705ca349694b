"""Features of sentences in texts of any genre: outline, cue phrases, place.

Training and the runtime compute them by the same function. N sentences.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from discobert.language.sentences import FINAL_STOP
from discobert.runtime.tensors import Array
from discobert.scorer.sentence_features import content_words

CUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # What a text is for.
        r"\b(?:we|this (?:paper|study|article|work|project|report|review)"
        r"|the (?:aim|purpose|goal|objective)s?)\b.{0,40}\b(?:present|propose|introduce|describe"
        r"|examine|investigate|explore|aim|study|report|review|develop|is|was|were|provides?"
        r"|offers?)\b",
        # What was found.
        r"\b(?:we|results?|findings?|data|analysis|study|our)\b.{0,30}\b(?:find|found|show|shows"
        r"|showed|demonstrate|suggest|indicate|reveal|observed|confirm)\w*\b",
        # What follows from it.
        r"\b(?:in conclusion|we conclude|to conclude|in summary|overall|in short|to sum up"
        r"|taken together|ultimately)\b",
        # What was decided, or must be done.
        r"\b(?:resolved|agreed|approved|adopted|decided|voted|carried|announced|elected|awarded"
        r"|appointed|granted|unanimously|will be|must|shall|required)\b",
        # What something is.
        r"^(?:\W*\w+\W+){1,7}?(?:is|are|was|were) (?:a|an|the|one)\b",
        # What matters.
        r"\b(?:best known|known for|famous|most important|main|major|first|largest|key"
        r"|significant|notable|important)\b",
        # Reasons, examples, contrasts.
        r"\b(?:because|since|therefore|thus|so that|in order to|due to|as a result)\b",
        r"\b(?:for example|for instance|e\.g\.|such as|i\.e\.)\b",
        r"\b(?:however|although|but|despite|unlike)\b",
        # Notes, years, lives.
        r"\[\d+\]",
        r"\b(?:19|20)\d\d\b",
        r"\b(?:died|born|married|graduated|moved|educated)\b",
    )
)
N_GENRE_FEATURES = len(CUES) + 14
"""Width of the features: cue phrases, then headings (4), place (6), content (4)."""

_HEADING_WORDS = 15
"""Most words of a line without a stop that counts as a heading."""
_TITLE_LINES = 3
_TELLING_HEADING = re.compile(
    r"\b(?:abstract|summary|conclusions?|results?|findings|decisions?|introduction|overview"
    r"|highlights|discussion|what)\b",
    re.IGNORECASE,
)
_FAR = 10
_NO_WORDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Outline:
    """Content words of all sentences, which of them are headings, and the words of the title."""

    words: tuple[frozenset[str], ...]
    is_heading: tuple[bool, ...]
    title: frozenset[str]
    frequencies: Counter[str]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """Find headings; without one at the start, the first sentence is the title."""
        words = tuple(frozenset(content_words(text)) for text in texts)
        headings = tuple(
            len(text.split()) <= _HEADING_WORDS and not FINAL_STOP.search(text) for text in texts
        )
        first = range(min(_TITLE_LINES, len(texts)))
        titles = (words[index] for index in first if headings[index] and words[index])
        title = next(titles, words[0] if words else _NO_WORDS)
        return cls(words, headings, title, Counter(word for each in words for word in each))

    @property
    def n_body(self) -> int:
        """Number of sentences that are no headings."""
        return len(self.is_heading) - sum(self.is_heading)


@dataclass(slots=True)
class _Section:
    """Where in the outline a sentence stands, read from the start of the text."""

    heading: frozenset[str] = _NO_WORDS
    is_telling: bool = False
    since: int = 0
    body: int = 0

    def read(self, text: str, words: frozenset[str], *, is_heading: bool) -> None:
        """Go on to the next sentence."""
        if is_heading:
            self.heading, self.since = words, 0
            self.is_telling = bool(_TELLING_HEADING.search(text))
        else:
            self.since += 1
            self.body += 1


def genre_features(texts: Sequence[str]) -> Array:
    """Describe the sentences of one text, (N, ``N_GENRE_FEATURES``)."""
    outline, section = _Outline.of(texts), _Section()
    features = np.zeros((len(texts), N_GENRE_FEATURES), dtype=np.float32)
    for index, text in enumerate(texts):
        words = outline.words[index]
        section.read(text, words, is_heading=outline.is_heading[index])
        features[index] = (
            *(bool(cue.search(text)) for cue in CUES),
            *_heading_features(outline, section, words),
            *_place_features(outline, section),
            *_content_features(outline, text, words),
        )
    return features


def _heading_features(
    outline: _Outline, section: _Section, words: frozenset[str]
) -> tuple[float, ...]:
    return (
        len(words & outline.title) / max(len(outline.title), 1),
        len(words & section.heading) / max(len(section.heading), 1),
        section.is_telling,
        section.since == 1 and bool(section.heading),
    )


def _place_features(outline: _Outline, section: _Section) -> tuple[float, ...]:
    n_body = outline.n_body
    return (
        min(section.since, _FAR) / _FAR,
        section.body / max(n_body, 1),
        section.body <= 1,
        section.body <= _TITLE_LINES,
        section.body >= n_body,
        section.body >= n_body - _TITLE_LINES,
    )


def _content_features(outline: _Outline, text: str, words: frozenset[str]) -> tuple[float, ...]:
    times = sum(outline.frequencies[word] for word in words) / max(len(words), 1)
    tokens = text.split()
    return (
        float(np.log(outline.n_body + 1)) / 4,
        float(np.log(times + 1)) / 3,
        max(0, len(words) - 8) / 20,
        sum(token[0].isupper() for token in tokens[1:]) / max(len(tokens), 1),
    )
