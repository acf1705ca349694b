"""Whether a text looks like English, which the shipped models were trained on."""

import re
import unicodedata

ENGLISH = "en"

_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE_SIZE = 2_000
"""Words sampled from the start and the middle of a text."""
_MIN_WORDS = 20
"""Texts of fewer words in Latin letters count as English."""
_MIN_SHARE = 0.04
"""Smallest share of function words in English text; prose has about 0.17."""
_FUNCTION_WORDS = frozenset(
    "the and that it with they are were been this which who from you your their its would could "
    "should said about when than into because after other our him them these those then some only "
    "more while before where many just between through she what there did does".split()
)
"""Frequent English words that are rare in other languages."""


def looks_english(text: str) -> bool:
    """Return whether a text may be English; short texts in Latin letters always may."""
    words = _sample(_WORD.findall(text))
    if not words:
        return True
    letters = "".join(words)
    if 2 * sum(map(_is_latin, letters)) < len(letters):
        return False
    if len(words) < _MIN_WORDS:
        return True
    n_found = sum(word.lower() in _FUNCTION_WORDS for word in words)
    return n_found >= _MIN_SHARE * len(words)


def _sample(words: list[str]) -> list[str]:
    if len(words) <= _SAMPLE_SIZE:
        return words
    middle = len(words) // 2
    return words[: _SAMPLE_SIZE // 2] + words[middle : middle + _SAMPLE_SIZE // 2]


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")
