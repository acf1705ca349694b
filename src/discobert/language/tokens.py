"""Tokens as ROUGE compares them: stems of ASCII letters and digits."""

import re
from functools import lru_cache

from discobert.language.stemmer import stem

Tokens = tuple[str, ...]

_WORD = re.compile("[a-z0-9]+")
_LONGEST_UNSTEMMED = 3
_STEMS_KEPT = 1 << 14
"""The words of some thousand articles, 4 MB; eight times as many would save a few words in each."""


def tokenise(text: str) -> Tokens:
    """Cut text into stems; all that is no ASCII letter or digit is a gap."""
    return tuple(map(_token, _WORD.findall(text.lower())))


@lru_cache(maxsize=_STEMS_KEPT)
def _token(word: str) -> str:
    return stem(word) if len(word) > _LONGEST_UNSTEMMED else word
