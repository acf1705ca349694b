"""Coreference: mentions and their antecedents from word vectors, in time linear in the text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discobert.logic.mentions import MAX_WIDTH, MentionTexts, describe, pair_classes
from discobert.stages.pieces import IntArray
from discobert.stages.tensors import Array

MENTIONS_PER_WORD = 0.4
MAX_ANTECEDENTS = 600
"""How many earlier candidates a mention is compared with."""
_ROWS = 256


@dataclass(frozen=True, slots=True)
class WordViews:
    """What the word graph says of each word for coreference."""

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
    def of(cls, tensors: Mapping[str, Array]) -> "LinkWeights":
        """Pick them out of a bundle's tensors."""
        return cls(
            lengths=tensors["mentions.lengths.weight"][:, 0],
            later=tensors["links.later.weight"].T.copy(),
            later_bias=tensors["links.later.bias"],
            kinds=tensors["links.kinds.weight"][:, 0],
            distances=tensors["links.distances.weight"][:, 0],
            matches=tensors["links.matches.weight"][:, 0],
        )


@dataclass(frozen=True, slots=True)
class Candidates:
    """Spans of words that may be mentions, each by its first and last word."""

    firsts: IntArray
    lasts: IntArray
    scores: Array


@dataclass(frozen=True, slots=True)
class WordSection:
    """What is kept of a run of whole sentences until all of a text was read."""

    first_word: int
    candidates: Candidates
    link_start: Array
    link_end: Array


@dataclass(frozen=True, slots=True)
class _Antecedents:
    mentions: NDArray[np.int64]
    scores: Array
    """Above zero: more likely than none at all; minus infinity for the first mention."""


def word_section(
    weights: LinkWeights, views: WordViews, word_sentences: IntArray, *, first_word: int = 0
) -> WordSection:
    """Score the spans of whole sentences; ``first_word`` is where they start in the text."""
    parts = list(_sentence_candidates(weights, views, word_sentences))
    found = Candidates(
        firsts=np.concatenate([part.firsts for part in parts]) + np.int32(first_word),
        lasts=np.concatenate([part.lasts for part in parts]) + np.int32(first_word),
        scores=np.concatenate([part.scores for part in parts]),
    )
    return WordSection(first_word, found, views.link_start, views.link_end)


def resolve(
    weights: LinkWeights,
    sections: list[WordSection],
    words: list[str],
    word_sentences: IntArray,
    *,
    threshold: float = 0.0,
) -> list[list[tuple[int, int]]]:
    """Return clusters of mentions, each given by its first and last word, in reading order.

    A mention links to its best antecedent if their score is above ``threshold``. The list of
    sections is emptied on the way: those of a book are large.
    """
    if len(words) < 2:
        return []
    found = _best_candidates(sections, len(words))
    mentions = _mention_vectors(sections, found)
    texts = describe(words, found.firsts, found.lasts)
    scored = _antecedents(weights, mentions, found, texts, word_sentences[found.firsts])
    return _clusters(found, np.where(scored.scores > threshold, scored.mentions, -1))


def _best_candidates(sections: list[WordSection], n_words: int) -> Candidates:
    """Keep the best spans of the whole text, in reading order."""
    firsts = np.concatenate([section.candidates.firsts for section in sections])
    lasts = np.concatenate([section.candidates.lasts for section in sections])
    scores = np.concatenate([section.candidates.scores for section in sections])
    budget = min(int(MENTIONS_PER_WORD * n_words) + 1, len(scores))
    kept = np.argpartition(-scores, budget - 1)[:budget]
    kept = kept[np.lexsort((lasts[kept], firsts[kept]))]
    return Candidates(firsts[kept], lasts[kept], scores[kept])


def _mention_vectors(sections: list[WordSection], found: Candidates) -> Array:
    """Gather the vectors of first and last word of each mention, letting go of all others."""
    width = sections[0].link_start.shape[1]
    mentions = np.empty((len(found.firsts), 2 * width), dtype=np.float32)
    end = len(mentions)
    while sections:
        section = sections.pop()
        start = int(np.searchsorted(found.firsts, section.first_word))
        mentions[start:end, :width] = section.link_start[
            found.firsts[start:end] - section.first_word
        ]
        mentions[start:end, width:] = section.link_end[found.lasts[start:end] - section.first_word]
        end = start
    return mentions


def _sentence_candidates(
    weights: LinkWeights, views: WordViews, word_sentences: IntArray
) -> Iterator[Candidates]:
    edges = np.flatnonzero(np.diff(word_sentences, prepend=-1, append=-1))
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        # Very long sentences in steps, so that no matrix grows with their square.
        for start in range(low, high, _ROWS):
            end = min(start + _ROWS, high)
            reach = min(end + MAX_WIDTH - 1, high)
            pair = views.mention_left[start:end] @ views.mention_right[start:reach].T
            pair += views.start_score[start:end, None] + views.end_score[None, start:reach]
            width = np.arange(start, reach)[None] - np.arange(start, end)[:, None]
            row, column = np.nonzero((width >= 0) & (width < MAX_WIDTH))
            yield Candidates(
                firsts=(row + start).astype(np.int32),
                lasts=(column + start).astype(np.int32),
                scores=pair[row, column] + weights.lengths[width[row, column]],
            )


def _antecedents(
    weights: LinkWeights,
    mentions: Array,
    found: Candidates,
    texts: MentionTexts,
    sentences: IntArray,
) -> _Antecedents:
    """Find the best antecedent of each mention."""
    scale = np.float32(mentions.shape[1] ** 0.5)
    chosen = np.zeros(len(mentions), dtype=np.int64)
    scores = np.zeros(len(mentions), dtype=np.float32)
    for low in range(0, len(mentions), _ROWS):
        high = min(low + _ROWS, len(mentions))
        first = max(0, low - MAX_ANTECEDENTS)
        rows, columns = slice(low, high), slice(first, high)
        classes = pair_classes(texts, sentences, rows, columns)
        later = (mentions[rows] @ weights.later + weights.later_bias) / scale
        links = later @ mentions[columns].T
        links += weights.kinds[classes.kinds]
        links += weights.distances[classes.distances]
        links += weights.matches[classes.matches]
        links += found.scores[rows, None] + found.scores[None, columns]
        links[np.arange(first, high)[None] >= np.arange(low, high)[:, None]] = -np.inf
        best = links.argmax(1)
        chosen[rows] = best + first
        scores[rows] = links[np.arange(high - low), best]
    return _Antecedents(chosen, scores)


def _clusters(found: Candidates, antecedents: NDArray[np.int64]) -> list[list[tuple[int, int]]]:
    """Gather chains of antecedents."""
    number: dict[int, int] = {}
    clusters: list[list[int]] = []
    for mention, antecedent in enumerate(antecedents.tolist()):
        if antecedent < 0:
            continue
        if antecedent not in number:
            number[antecedent] = len(clusters)
            clusters.append([antecedent])
        number[mention] = number[antecedent]
        clusters[number[mention]].append(mention)
    spans = list(zip(found.firsts.tolist(), found.lasts.tolist(), strict=True))
    return [[spans[mention] for mention in cluster] for cluster in clusters]
