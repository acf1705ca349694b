"""Coreference: mentions and their antecedents from word vectors, in time linear in the text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from discobert.discourse.chains import Chains
from discobert.discourse.mentions import MAX_WIDTH, MentionTexts, describe_mentions, pair_classes
from discobert.runtime.matmul import matmul, matmul_transposed
from discobert.runtime.pieces import IntArray
from discobert.runtime.tensors import Array, GrowingRows, Stored, single

MENTIONS_PER_WORD = 0.4
MAX_ANTECEDENTS = 600
"""How many earlier candidates a mention is compared with."""
_ROWS = 256
_MOST_REFUSALS = 20
"""Chains tried for a mention before it stays alone: bounds the work on long lists of names."""
_MOST_KEPT = 4
"""Candidates kept, as a multiple of the budget, before the worst are dropped."""
STRETCH = 32_768
"""Words whose candidates compete: more than any article has; a book is read in several."""


@dataclass(frozen=True, slots=True)
class WordScores:
    """Outputs of the word heads for coreference."""

    mention_left: Array
    mention_right: Array
    start_score: Array
    end_score: Array
    link_start: Array
    link_end: Array


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """Matrices and tables of the coreference head that run in numpy."""

    lengths: Array
    later: Array
    later_bias: Array
    kinds: Array
    distances: Array
    matches: Array

    @classmethod
    def of(cls, tensors: Mapping[str, Stored]) -> "LinkWeights":
        """Pick them out of a bundle's tensors."""
        return cls(
            lengths=single(tensors["mentions.lengths.weight"][:, 0]),
            later=np.ascontiguousarray(single(tensors["links.later.weight"]).T),
            later_bias=single(tensors["links.later.bias"]),
            kinds=single(tensors["links.kinds.weight"][:, 0]),
            distances=single(tensors["links.distances.weight"][:, 0]),
            matches=single(tensors["links.matches.weight"][:, 0]),
        )


@dataclass(frozen=True, slots=True)
class _Candidates:
    firsts: IntArray
    lasts: IntArray
    scores: Array


class _Stretch:
    """Candidates of some words, and the vectors of the words, of which only a few are needed."""

    def __init__(self, first_word: int, n_words: int, width: int) -> None:
        self.end = first_word
        """The word after the last that was read."""
        self._first = first_word
        self._budget = int(MENTIONS_PER_WORD * n_words) + 1
        self._candidates: list[_Candidates] = []
        # Two blocks for the whole stretch can be given back; many small ones leave holes.
        self._starts: Array = np.empty((n_words, width), np.float32)
        self._ends: Array = np.empty((n_words, width), np.float32)

    def has_room(self, n_words: int) -> bool:
        """Return whether so many words fit."""
        return self.end + n_words <= self._first + len(self._starts)

    def add(self, found: _Candidates, views: WordScores) -> None:
        """Add words with their candidates; the worst are dropped when there are too many."""
        low = self.end - self._first
        high = low + len(views.link_start)
        self._starts[low:high], self._ends[low:high] = views.link_start, views.link_end
        self.end += len(views.link_start)
        self._candidates.append(found)
        if sum(len(part.scores) for part in self._candidates) > _MOST_KEPT * self._budget:
            self._candidates = [_best(_joined(self._candidates), self._budget)]

    def best(self) -> tuple[_Candidates, Array]:
        """Return the best candidates and their vectors."""
        found = _best(_joined(self._candidates), self._budget)
        return found, _ends(self._starts, self._ends, found, self._first)


class MentionResolver:
    """Takes the words of one text section by section, then resolves all of it."""

    def __init__(self, weights: LinkWeights, word_sentences: IntArray) -> None:
        self._weights = weights
        self._sentences = word_sentences
        self._stretch: _Stretch | None = None
        self._found: list[_Candidates] = []
        self._vectors = GrowingRows()

    def add(self, views: WordScores, first_word: int) -> None:
        """Score the spans of some whole sentences, the first of which starts at a word."""
        n_words = len(views.start_score)
        if not n_words:
            return
        if self._stretch is not None and not self._stretch.has_room(n_words):
            self._keep_best_of(self._stretch)
        if self._stretch is None:
            room = min(len(self._sentences) - first_word, max(STRETCH, n_words))
            self._stretch = _Stretch(first_word, room, views.link_start.shape[1])
        words = self._sentences[first_word : first_word + n_words]
        found = _joined(list(_sentence_candidates(self._weights, views, words)))
        shift = np.int32(first_word)
        found = _Candidates(found.firsts + shift, found.lasts + shift, found.scores)
        self._stretch.add(found, views)

    def _keep_best_of(self, stretch: _Stretch) -> None:
        """Keep the best candidates of a stretch and drop all else."""
        found, vectors = stretch.best()
        self._stretch = None
        self._found.append(found)
        self._vectors.add(vectors)

    def resolve(self, words: list[str], *, threshold: float = 0.0) -> list[list[tuple[int, int]]]:
        """Return clusters of mentions, each given by its first and last word, in reading order.

        A mention links to the best antecedent whose chain it agrees with, if their score is above
        ``threshold``. What was taken in is dropped.
        """
        if self._stretch is not None:
            self._keep_best_of(self._stretch)
        if not self._found or len(words) < 2:
            return []
        found, mentions = _joined(self._found), self._vectors.take()
        self._found = []
        texts = describe_mentions(words, found.firsts, found.lasts)
        chains = Chains(words, found.firsts, found.lasts, texts.kinds)
        sentences = self._sentences[found.firsts]
        for links in _scored(self._weights, mentions, found, texts, sentences):
            _link(chains, links, threshold)
        return list(chains.spans())


def _ends(starts: Array, ends: Array, found: _Candidates, first_word: int) -> Array:
    """Put the vectors of first and last word of each mention side by side."""
    width = starts.shape[1]
    mentions = np.empty((len(found.firsts), 2 * width), dtype=np.float32)
    np.take(starts, found.firsts - first_word, axis=0, out=mentions[:, :width], mode="clip")
    np.take(ends, found.lasts - first_word, axis=0, out=mentions[:, width:], mode="clip")
    return mentions


def _joined(parts: list[_Candidates]) -> _Candidates:
    return _Candidates(
        firsts=np.concatenate([part.firsts for part in parts]),
        lasts=np.concatenate([part.lasts for part in parts]),
        scores=np.concatenate([part.scores for part in parts]),
    )


def _best(found: _Candidates, budget: int) -> _Candidates:
    """Keep the best spans, in reading order; of equal ones the first, on whatever processor."""
    budget = min(budget, len(found.scores))
    least = np.partition(found.scores, -budget)[-budget]
    better, equal = found.scores > least, np.flatnonzero(found.scores == least)
    kept = np.concatenate([np.flatnonzero(better), equal[: budget - np.count_nonzero(better)]])
    kept = kept[np.lexsort((found.lasts[kept], found.firsts[kept]))]
    return _Candidates(found.firsts[kept], found.lasts[kept], found.scores[kept])


def _sentence_candidates(
    weights: LinkWeights, views: WordScores, word_sentences: IntArray
) -> Iterator[_Candidates]:
    edges = np.flatnonzero(np.diff(word_sentences, prepend=-1, append=-1))
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        # Very long sentences in steps, so that no matrix grows with their square.
        for start in range(low, high, _ROWS):
            end = min(start + _ROWS, high)
            reach = min(end + MAX_WIDTH - 1, high)
            pair = matmul_transposed(
                views.mention_left[start:end], views.mention_right[start:reach]
            )
            pair += views.start_score[start:end, None] + views.end_score[None, start:reach]
            corners = _corners(end - start, reach - start)
            yield _Candidates(
                firsts=corners.firsts + np.int32(start),
                lasts=corners.lasts + np.int32(start),
                scores=pair.take(corners.places) + weights.lengths.take(corners.widths),
            )


@dataclass(frozen=True, slots=True)
class _Corners:
    """All spans of some words that are not too wide."""

    firsts: IntArray
    lasts: IntArray
    places: NDArray[np.intp]
    """Places in a matrix of first and last words, row after row."""
    widths: NDArray[np.intp]
    """Words after the first one."""


@lru_cache(maxsize=128)  # sentences of the same length are many
def _corners(n_firsts: int, n_lasts: int) -> _Corners:
    """Return the spans with any of the first words and any of the last ones."""
    widths = np.arange(n_lasts)[None] - np.arange(n_firsts)[:, None]
    places = np.flatnonzero((widths >= 0) & (widths < MAX_WIDTH))
    firsts, lasts = np.divmod(places, n_lasts)
    return _Corners(firsts.astype(np.int32), lasts.astype(np.int32), places, widths.take(places))


@dataclass(frozen=True, slots=True)
class _Links:
    """Scores of some mentions (rows) with those before them, above zero if more likely than none.

    Minus infinity stands where the column is not before the row.
    """

    first_row: int
    first_column: int
    scores: Array


def _scored(
    weights: LinkWeights,
    mentions: Array,
    found: _Candidates,
    texts: MentionTexts,
    sentences: IntArray,
) -> Iterator[_Links]:
    """Score each mention with all within reach, a few rows at a time."""
    scale = np.float32(mentions.shape[1] ** 0.5)
    for low in range(0, len(mentions), _ROWS):
        high = min(low + _ROWS, len(mentions))
        first = max(0, low - MAX_ANTECEDENTS)
        rows, columns = slice(low, high), slice(first, high)
        classes = pair_classes(texts, sentences, rows, columns)
        later = (matmul(mentions[rows], weights.later) + weights.later_bias) / scale
        links = matmul_transposed(later, mentions[columns])
        links += weights.kinds.take(classes.kinds)
        links += weights.distances.take(classes.distances)
        links += weights.matches.take(classes.matches)
        links += found.scores[rows, None] + found.scores[None, columns]
        links[np.arange(first, high)[None] >= np.arange(low, high)[:, None]] = -np.inf
        yield _Links(low, first, links)


def _link(chains: Chains, links: _Links, threshold: float) -> None:
    """Link each row to its best antecedent; a chain that does not agree is excluded whole."""
    first = links.first_column
    columns = slice(first, first + links.scores.shape[1])
    best = links.scores.argmax(1).tolist()
    for row, (scores, column) in enumerate(zip(links.scores, best, strict=True)):
        mention = links.first_row + row
        for _ in range(_MOST_REFUSALS):
            if scores[column] <= threshold:
                break
            if chains.admits(first + column, mention):
                chains.link(first + column, mention)
                break
            scores[chains.of[columns] == chains.of[first + column]] = -np.inf
            column = int(scores.argmax())
