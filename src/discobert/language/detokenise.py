"""Tokens back to running text, where a corpus does not keep the spaces."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from discobert.language.wordlists import words

_OPENING = words("( [ { “ ‘ « „ `` ` “‘ ¿ ¡ $ £ € ¥ # US$ C$ A$ R$ HK$ NZ$")
_CLOSING = words(") ] } ” ’ » '' ’” , . ; : ? ! ?! !? !! !!! ?? % °")
_CLITICS = words("n't 's 're 've 'll 'd 'm 'n")
_SPLIT_WORDS = frozenset({("gon", "na"), ("wan", "na"), ("got", "ta"), ("can", "not")})
_BEFORE_QUOTE = words(', : ; ( [ { “ " -- — – -')


def guess_spaces(tokens: Sequence[str], sentence_starts: Collection[int] = (0,)) -> list[bool]:
    """Guess for each token whether a space follows it; before a new sentence one always does."""
    bounds = sorted({0, len(tokens), *sentence_starts})
    return [
        space for start, end in pairwise(bounds) for space in _spaces_of_sentence(tokens[start:end])
    ]


def _spaces_of_sentence(tokens: Sequence[str]) -> list[bool]:
    opening = _opening_quotes(tokens)
    spaces = [
        not _joins_next(tokens, index, opening) and not _joins_last(tokens, index + 1, opening)
        for index in range(len(tokens) - 1)
    ]
    return [*spaces, True]


def _joins_next(tokens: Sequence[str], index: int, opening: Collection[int]) -> bool:
    token = tokens[index]
    if token in _OPENING or index in opening:
        return True
    if token in {"-", "–"}:
        return _between_digits(tokens, index)
    return len(token) > 2 and token.endswith("-") and token[:-1].isalpha()


def _joins_last(tokens: Sequence[str], index: int, opening: Collection[int]) -> bool:
    token = tokens[index]
    if token in _CLOSING or token.lower().replace("’", "'") in _CLITICS:
        return True
    if token in {'"', "'", "_"}:
        return index not in opening
    if token in {"-", "–"}:
        return _between_digits(tokens, index)
    if token in {"C", "F"} and tokens[index - 1] == "°":
        return True
    before = tokens[index - 1].lower()
    return (before, token.lower()) in _SPLIT_WORDS or (token[0] == "-" and token[1:].isalpha())


def _between_digits(tokens: Sequence[str], index: int) -> bool:
    around = tokens[max(0, index - 1)][-1:], tokens[min(index + 1, len(tokens) - 1)][:1]
    return all(character.isdigit() for character in around)


def _opening_quotes(tokens: Sequence[str]) -> frozenset[int]:
    """Find the straight quotes and underscores that open; a sentence that only closes has none."""
    opening: set[int] = set()
    for mark in ('"', "'", "_"):
        places = [index for index, token in enumerate(tokens) if token == mark]
        inside = False
        for order, index in enumerate(places):
            more = order + 1 < len(places)
            inside = not inside and _opens(tokens, index, more=more)
            if inside:
                opening.add(index)
    return frozenset(opening)


def _opens(tokens: Sequence[str], index: int, *, more: bool) -> bool:
    if index == 0 or tokens[index - 1] in _BEFORE_QUOTE:
        return index + 1 < len(tokens)
    if tokens[index] == "'":
        # Otherwise it may be the apostrophe of a plural (the boys ' room) or of a dropped letter.
        return more and not tokens[index - 1].lower().endswith(("s", "in", "o"))
    return more
