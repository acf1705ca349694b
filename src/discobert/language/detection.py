"""Whether a text looks like English, which the shipped models were trained on."""

import re
import unicodedata

ENGLISH = "en"

_WORD = re.compile(r"[^\W\d_]+")
_SEEN = 2_000
"""Words looked at, from the start and the middle of a text."""
_FEWEST = 20
"""Of fewer words nothing is said, if they are in Latin letters."""
_LEAST_SHARE = 0.04
"""Of all words, those below; English prose has about 0.17."""
_FUNCTION_WORDS = frozenset(
    "the and that it with they are were been this which who from you your their its would could "
    "should said about when than into because after other our him them these those then some only "
    "more while before where many just between through she what there did does".split()
)
"""Frequent words that hardly any other language writes."""


def looks_english(text: str) -> bool:
    """Tell whether a text may be English; the benefit of the doubt goes to short ones."""
    words = _sample(_WORD.findall(text))
    if not words:
        return True
    letters = "".join(words)
    if 2 * sum(map(_is_latin, letters)) < len(letters):
        return False
    if len(words) < _FEWEST:
        return True
    n_found = sum(word.lower() in _FUNCTION_WORDS for word in words)
    return n_found >= _LEAST_SHARE * len(words)


def _sample(words: list[str]) -> list[str]:
    if len(words) <= _SEEN:
        return words
    middle = len(words) // 2
    return words[: _SEEN // 2] + words[middle : middle + _SEEN // 2]


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")
