"""Candidate mentions: their spans, and features of mentions and pairs from the words alone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.language.wordlists import (
    DEFINITE_DETERMINERS,
    DEMONSTRATIVES,
    FEMININE_PRONOUNS,
    I_PRONOUNS,
    INDEFINITE_DETERMINERS,
    MASCULINE_PRONOUNS,
    NEUTER_PRONOUNS,
    PLURAL_PRONOUNS,
    POSSESSIVE_DETERMINERS,
    RELATIVE_PRONOUNS,
    WE_PRONOUNS,
    YOU_PRONOUNS,
)

IntArray = NDArray[np.int32]

MAX_WIDTH = 30
"""Longest candidate in words."""

HE, SHE, IT = range(3)
"""Kinds of pronouns that never corefer with each other."""
_PRONOUNS = (
    MASCULINE_PRONOUNS,
    FEMININE_PRONOUNS,
    NEUTER_PRONOUNS,
    PLURAL_PRONOUNS,
    I_PRONOUNS,
    YOU_PRONOUNS,
    WE_PRONOUNS,
    RELATIVE_PRONOUNS | {"that"},
    DEMONSTRATIVES - {"that"} | {"here", "there"},
)
"""By kind; the kinds are features of the network, so their numbers are part of a bundle."""
_KIND_OF_PRONOUN = {word: kind for kind, members in enumerate(_PRONOUNS) for word in members}
_DETERMINERS = DEFINITE_DETERMINERS | INDEFINITE_DETERMINERS
NAME, DEFINITE, INDEFINITE, POSSESSIVE, NUMBER, OTHER = 9, 10, 11, 12, 13, 14
N_KINDS = 16
N_DISTANCES = 12
_FAR = 256
"""Sentences apart from which on all distances count as one."""
N_MATCHES = 4


def candidate_spans(word_sentences: IntArray) -> tuple[IntArray, IntArray]:
    """List all (first, last) word pairs inside a sentence, at most ``MAX_WIDTH`` words long."""
    n_words = len(word_sentences)
    sentence_end = np.searchsorted(word_sentences, word_sentences, side="right")
    widths = np.minimum(sentence_end - np.arange(n_words), MAX_WIDTH)
    firsts = np.repeat(np.arange(n_words), widths)
    offsets = np.arange(len(firsts)) - np.repeat(np.cumsum(widths) - widths, widths)
    return firsts.astype(np.int32), (firsts + offsets).astype(np.int32)


@dataclass(frozen=True, slots=True)
class MentionTexts:
    """Features of candidate mentions by their words; one entry per mention."""

    kinds: IntArray
    whole: IntArray
    """Equal numbers for equal texts."""
    tail: IntArray
    """Equal numbers for equal last words."""


def describe_mentions(words: list[str], firsts: IntArray, lasts: IntArray) -> MentionTexts:
    """Classify mentions and number their texts."""
    lowered = [word.lower() for word in words]
    wholes: dict[str, int] = {}
    tails: dict[str, int] = {}
    kinds, whole, tail = [], [], []
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        end = _without_possessive(lowered, first, last)
        start = first + 1 if first < end and lowered[first] in _DETERMINERS else first
        text = " ".join(lowered[start : end + 1])
        kinds.append(_kind(words, lowered, first, end))
        whole.append(wholes.setdefault(text, len(wholes)))
        tail.append(tails.setdefault(lowered[end], len(tails)))
    return MentionTexts(*(np.asarray(values, dtype=np.int32) for values in (kinds, whole, tail)))


def _without_possessive(lowered: list[str], first: int, last: int) -> int:
    """Return the last word before a final 's."""
    if last - first >= 2 and lowered[last] == "s" and lowered[last - 1] in ("'", "’"):
        return last - 2
    if last > first and lowered[last] in ("'", "’"):
        return last - 1
    return last


def _kind(words: list[str], lowered: list[str], first: int, last: int) -> int:
    if first == last and lowered[first] in _KIND_OF_PRONOUN:
        return _KIND_OF_PRONOUN[lowered[first]]
    if words[last][:1].isupper():
        return NAME
    if lowered[first] in DEFINITE_DETERMINERS:
        return DEFINITE
    if lowered[first] in INDEFINITE_DETERMINERS:
        return INDEFINITE
    if lowered[first] in POSSESSIVE_DETERMINERS:
        return POSSESSIVE
    return NUMBER if words[first][:1].isdigit() else OTHER


@dataclass(frozen=True, slots=True)
class PairClasses:
    """Feature classes of mention pairs: rows are later mentions, columns earlier ones."""

    kinds: IntArray
    distances: IntArray
    matches: IntArray


def _distance_classes() -> IntArray:
    """Return the class of each distance: exact up to 4 sentences, then by powers of two."""
    apart = np.arange(_FAR + 1)
    later = 3 + np.log2(np.maximum(apart, 1))
    return np.minimum(np.where(apart < 5, apart, later), N_DISTANCES - 1).astype(np.int32)


_DISTANCES = _distance_classes()


def pair_classes(
    texts: MentionTexts, sentences: IntArray, rows: slice, columns: slice
) -> PairClasses:
    """Classify pairs by kinds, by distance in sentences, and by whether their words agree."""
    later, earlier = texts.kinds[rows, None], texts.kinds[None, columns]
    apart = np.abs(sentences[rows, None] - sentences[None, columns])
    distance = _DISTANCES.take(np.minimum(apart, _FAR))
    same_tail = texts.tail[rows, None] == texts.tail[None, columns]
    same_whole = texts.whole[rows, None] == texts.whole[None, columns]
    return PairClasses(
        kinds=later * N_KINDS + earlier,
        distances=distance * N_KINDS + later,
        matches=(same_tail + np.int32(2) * same_whole) * N_KINDS + later,
    )
