"""Whether a text looks like English prose, which the shipped models were trained on."""

import re
import unicodedata

ENGLISH = "en"

_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"@|://|\bwww\.")
_SAMPLE_SIZE = 2_000
"""Words sampled from the start and the middle of a text."""
_MIN_WORDS = 20
"""Texts of fewer words in Latin letters are judged by frequent words of other languages."""
_MIN_SHARE = 0.04
"""Smallest share of function words in English text; prose has about 0.17."""
_FUNCTION_WORDS = frozenset(
    "the and that it with they are were been this which who from you your their its would could "
    "should said about when than into because after other our him them these those then some only "
    "more while before where many just between through she what there did does".split()
)
"""Frequent English words that are rare in other languages."""

_SHORT_WORDS = frozenset(
    "of to in a is for as was on by at be an or have not but he his her we can will has had if no "
    "one all so up out do time also new two may any like first such over most how my i me us "
    "very".split()
)
"""Frequent English words, some of which other languages have, too."""
_KNOWN_WORDS = _FUNCTION_WORDS | _SHORT_WORDS
_FOREIGN_WORDS = frozenset(
    "der die das und ist nicht ein eine mit den dem von zu auf für im sich auch wird "
    "le la les des une est dans pour pas sur que qui avec il elle du au et "
    "el los las una es por con para del como más y "
    "il lo gli che di è un per non sono della het een van niet en op zijn "
    "och att det som är på inte och og ikke med "
    "não uma os dos é em no da".split()
) - {"no", "on", "as"}
_FEW_FOREIGN, _FEW_WORDS = 2, 5
_SAMPLE_CHARS = 20_000
_MIN_PROSE_WORDS = 8
"""Shorter texts count as prose."""
_SYMBOLS = frozenset('{}[]<>=;|\\/_"#$%&*+^~`@,')
_MIN_LETTERS = 0.7
"""Share of letters among what is no white space; the prose of 70 texts has 0.75 or more."""
_FEW_KNOWN = 0.25
"""Share of function words; prose has about 0.4, release notes in fragments 0.2."""
_MOST_SYMBOLS = 0.05


def looks_english(text: str) -> bool:
    """Return whether a text may be English; a few words in Latin letters always may."""
    if _ADDRESS.search(text):
        text = " ".join(part for part in text.split() if not _ADDRESS.search(part))
    words = _sample(_WORD.findall(text))
    if not words:
        return True
    letters = "".join(words)
    if not letters.isascii() and 2 * sum(map(_is_latin, letters)) < len(letters):
        return False
    if len(words) < _MIN_WORDS:
        return not _is_short_foreign(words)
    n_found = sum(word.lower() in _FUNCTION_WORDS for word in words)
    return n_found >= _MIN_SHARE * len(words)


def _is_short_foreign(words: list[str]) -> bool:
    """Return whether a few words have several frequent ones of other languages, no English one."""
    lowered = [word.lower() for word in words]
    n_foreign = sum(word in _FOREIGN_WORDS for word in lowered)
    is_english = any(word in _FUNCTION_WORDS or word in _SHORT_WORDS for word in lowered)
    return len(words) >= _FEW_WORDS and n_foreign >= _FEW_FOREIGN and not is_english


def looks_like_prose(text: str) -> bool:
    """Return whether a text may be prose rather than data, code or a log.

    Measured on the first characters: data has few letters, code has few function words and many
    symbols. Prose of other languages has letters and few symbols.
    """
    sample = text[:_SAMPLE_CHARS]
    shown = "".join(sample.split())
    words = _WORD.findall(sample)
    if len(words) < _MIN_PROSE_WORDS:
        return True
    n_known = sum(word.lower() in _KNOWN_WORDS for word in words)
    share = n_known / len(words)
    n_symbols = sum(map(shown.count, _SYMBOLS))
    has_letters = sum(map(str.isalpha, shown)) >= _MIN_LETTERS * len(shown)
    return has_letters and (share >= _FEW_KNOWN or n_symbols <= _MOST_SYMBOLS * len(shown))


def _sample(words: list[str]) -> list[str]:
    if len(words) <= _SAMPLE_SIZE:
        return words
    middle = len(words) // 2
    return words[: _SAMPLE_SIZE // 2] + words[middle : middle + _SAMPLE_SIZE // 2]


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")
