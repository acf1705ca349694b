"""ROUGE-1, ROUGE-2 and ROUGE-Lsum, equal to ``rouge-score`` 0.1.2 with its stemmer.

A reference is counted once and then scored against any number of candidates. The union of longest
common subsequences runs on bit vectors: one integer holds a column of the table for all reference
lines together, and the columns alone decide which of several equally long subsequences
``rouge-score`` takes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TypeVar

from discobert.language.tokens import Tokens, tokenise

Gram = TypeVar("Gram")


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, from 0 to 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Rouge:
    """The three scores of one summary; ``rouge_l`` is ROUGE-Lsum."""

    rouge1: Score
    rouge2: Score
    rouge_l: Score


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference summary, counted once.

    In ``positions`` each token has a bit for each of its places; the lines lie one after the other,
    the first lowest, with an unused bit after each that catches carries. ``bounds`` holds the first
    bit of each line and the bit after its last.
    """

    tokens: Tokens
    unigrams: Mapping[str, int]
    bigrams: Mapping[tuple[str, str], int]
    positions: Mapping[str, int]
    bounds: tuple[tuple[int, int], ...]


def reference_of(lines: Iterable[str]) -> Reference:
    """Count a reference summary, one line per sentence or highlight."""
    return reference_of_tokens([tokenise(line) for line in lines])


def reference_of_tokens(lines: Sequence[Tokens]) -> Reference:
    """Count a reference summary that is cut into tokens already."""
    positions: dict[str, int] = {}
    bounds: list[tuple[int, int]] = []
    place = 0
    for line in lines:
        bounds.append((place, place + len(line)))
        for token in line:
            positions[token] = positions.get(token, 0) | 1 << place
            place += 1
        place += 1
    tokens = tuple(chain.from_iterable(lines))
    unigrams = {token: places.bit_count() for token, places in positions.items()}
    return Reference(tokens, unigrams, Counter(pairwise(tokens)), positions, tuple(bounds))


def rouge(reference: Reference, lines: Iterable[str]) -> Rouge:
    """Score a summary, one line per sentence."""
    return rouge_of_tokens(reference, [tokenise(line) for line in lines])


def rouge_of_tokens(reference: Reference, lines: Sequence[Tokens]) -> Rouge:
    """Score a summary that is cut into tokens already."""
    tokens = tuple(chain.from_iterable(lines))
    unigrams = Counter(tokens)
    bigrams = Counter(pairwise(tokens))
    n_candidate, n_reference = len(tokens), len(reference.tokens)
    return Rouge(
        rouge1=_score(_overlap(reference.unigrams, unigrams), n_candidate, n_reference),
        rouge2=_score(_overlap(reference.bigrams, bigrams), n_candidate - 1, n_reference - 1),
        rouge_l=_score(_union_lcs_hits(reference, lines, unigrams), n_candidate, n_reference),
    )


def _overlap(wanted: Mapping[Gram, int], found: Mapping[Gram, int]) -> int:
    return sum(min(count, found[gram]) for gram, count in wanted.items() if gram in found)


def _score(hits: int, n_candidate: int, n_reference: int) -> Score:
    if hits == 0:
        return Score(0.0, 0.0, 0.0)
    precision, recall = hits / n_candidate, hits / n_reference
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


def _union_lcs_hits(
    reference: Reference, lines: Sequence[Tokens], unigrams: Mapping[str, int]
) -> int:
    """Count reference tokens in the common subsequence of any line, clipped to the candidate."""
    union = 0
    for line in lines:
        union |= _common_subsequences(reference, line)
    positions = reference.positions
    return sum(
        min((union & positions[token]).bit_count(), count)
        for token, count in unigrams.items()
        if token in positions
    )


def _common_subsequences(reference: Reference, line: Tokens) -> int:
    """Mark the places of one longest common subsequence of ``line`` with each reference line.

    In each column of the table a walk back from the last row stops at the highest row that either
    matches the column's token or is longer than the row before it. ``rouge-score`` walks the same
    way: it takes a match, leaves the column where the length rises, and goes up a row otherwise.
    """
    matches = [reference.positions.get(token, 0) for token in line]
    stops = _stops(reference, matches)
    taken = 0
    for start, end in reference.bounds:
        row = end
        for match, stop in zip(reversed(matches), reversed(stops), strict=True):
            row = (stop & ((1 << row) - 1)).bit_length()
            if row <= start:
                break
            if match >> (row - 1) & 1:
                row -= 1
                taken |= 1 << row
    return taken


def _stops(reference: Reference, matches: Sequence[int]) -> list[int]:
    """Fill the table column by column (Hyyrö 2004): a level row is a 1, a rising one a 0."""
    rows = sum((1 << end) - (1 << start) for start, end in reference.bounds)
    level = rows
    stops = []
    for match in matches:
        if match:
            level = ((level + (level & match)) | (level & ~match)) & rows
        stops.append(match | (rows & ~level))
    return stops
