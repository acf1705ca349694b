"""Porter's suffix stripping with the extensions of NLTK, which ROUGE scores are compared with.

Porter, "An algorithm for suffix stripping", Program 14(3), 1980. Within a step the first suffix
that matches decides, whether or not its condition holds.
"""

Rules = tuple[tuple[str, str], ...]

_IRREGULAR = {
    "sky": "sky",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}
_PLURALS: Rules = (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", ""))
_DOUBLE_SUFFIXES: Rules = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
)
_ADJECTIVES: Rules = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_ENDINGS = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"),
    *("ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


def stem(word: str) -> str:
    """Strip the suffixes of a lower-case word of more than two letters."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    word = _without_participle(_without_plural(word))
    if word.endswith("y") and len(word) > 2 and _shape(word[:-1])[-1] == "c":
        word = word[:-1] + "i"
    word = _replaced(_without_double_suffix(word), _ADJECTIVES)
    return _tidied(_without_ending(word))


def _shape(word: str) -> str:
    """Write each letter as ``c`` or ``v``: ``y`` after a consonant is a vowel, a digit is none."""
    shape = "".join("v" if letter in "aeiou" else "c" for letter in word)
    if "y" not in word:
        return shape
    letters = list(shape)
    for place in range(1, len(word)):
        if word[place] == "y" and letters[place - 1] == "c":
            letters[place] = "v"
    return "".join(letters)


def _measure(word: str) -> int:
    """Count Porter's m, the vowel-consonant sequences."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Return whether a final e was probably lost (consonant, vowel, consonant but w, x, y)."""
    shape = _shape(word)
    return (shape.endswith("cvc") and word[-1] not in "wxy") or shape == "vc"


def _replaced(word: str, rules: Rules) -> str:
    """Apply the first rule whose suffix matches, if anything with a syllable is left."""
    for suffix, replacement in rules:
        if word.endswith(suffix):
            kept = word[: -len(suffix)]
            return kept + replacement if _measure(kept) > 0 else word
    return word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    for suffix, replacement in _PLURALS:
        if word.endswith(suffix):
            return word[: -len(suffix)] + replacement
    return word


def _without_participle(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        kept = word[: -len(suffix)]
        if word.endswith(suffix) and "v" in _shape(kept):
            return _with_lost_letter(kept)
    return word


def _with_lost_letter(kept: str) -> str:
    """Restore the e that -ed and -ing replaced, or drop the letter they doubled."""
    if kept.endswith(("at", "bl", "iz")):
        return kept + "e"
    if kept[-1] == kept[-2:-1] and _shape(kept)[-1] == "c":
        return kept if kept[-1] in "lsz" else kept[:-1]
    return kept + "e" if _measure(kept) == 1 and _ends_short(kept) else kept


def _without_double_suffix(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    # The l counts with the stem, so that short ones such as "geo" work like "archaeo".
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _DOUBLE_SUFFIXES)


def _without_ending(word: str) -> str:
    for suffix in _ENDINGS:
        if word.endswith(suffix):
            kept = word[: -len(suffix)]
            removable = _measure(kept) > 1 and (suffix != "ion" or kept[-1] in "st")
            return kept if removable else word
    return word


def _tidied(word: str) -> str:
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
