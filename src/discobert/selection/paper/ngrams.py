"""Which words of a text its summary will have, and which pairs of words.

A logistic regression reads where an n-gram stands: how the clauses and sentences around it were
scored, how often it occurs, and how early. N n-grams, F features.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discobert.data.document import Document
from discobert.data.summary import Scores, SentenceSalience
from discobert.errors import BundleError
from discobert.language.stemmer import stem
from discobert.language.tokens import Tokens, tokenise
from discobert.language.wordlists import FUNCTION_WORDS

Gram = tuple[str, ...]
"""A word, or two words that follow each other in a clause, as stems."""
Rows = NDArray[np.float64]

_FUNCTION_STEMS = frozenset(map(stem, FUNCTION_WORDS)) | FUNCTION_WORDS
_LEAST, _MOST = 0.01, 0.99
"""Bounds of the scores of clauses."""
_EARLY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class GramFeatures:
    """What the regression reads of an n-gram; the names are those in a bundle."""

    clause: float
    """Log-odds of the best clause that has it."""
    clauses: float
    """Logarithm of 1 and the scores of all clauses that have it."""
    salience: float
    """Log-odds of the best sentence that has it: that it belongs into the best set."""
    gain: float
    """Log-odds of the ROUGE of the best sentence that has it."""
    count: float
    """Logarithm of how often it occurs."""
    sentences: float
    """Logarithm of the number of sentences that have it."""
    first: float
    """Logarithm of 1 and the number of sentences before the first of them."""
    in_lead: float
    """Whether the first sentence has it."""
    early: float
    """Whether one of the first three sentences has it."""
    places: float
    """Sum over these sentences of 1 / (1 + the number of sentences before)."""
    opens_function: float
    """Whether its first word is a function word."""
    ends_function: float
    """Whether its last word is one."""
    only_function: float
    """Whether all its words are."""
    letters: float
    """Logarithm of its length."""
    number: float
    """Whether it starts with a digit."""
    text: float
    """Logarithm of the number of sentences of the text."""


N_FEATURES = len(fields(GramFeatures))


@dataclass(frozen=True, slots=True)
class GramModel:
    """A logistic regression: the probability that the summary of a text has one of its n-grams."""

    bias: float
    weights: tuple[float, ...]
    """A weight for each of ``GramFeatures``."""

    def probabilities(self, rows: Rows) -> Rows:
        """Map features (N, F) to probabilities (N)."""
        odds: Rows = rows @ np.array(self.weights) + self.bias
        return 1 / (1 + np.exp(-odds))

    def settings(self) -> dict[str, Any]:
        """Return plain values for a bundle."""
        return asdict(self)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "GramModel":
        """Read plain values from a bundle."""
        model = cls(float(settings["bias"]), tuple(map(float, settings["weights"])))
        if len(model.weights) != N_FEATURES or not all(map(math.isfinite, model.weights)):
            raise BundleError(f"a regression over n-grams needs {N_FEATURES} finite weights")
        return model


@dataclass(frozen=True, slots=True)
class GramTable:
    """The n-grams of one text with their features."""

    grams: tuple[Gram, ...]
    rows: Rows


@dataclass(frozen=True, slots=True)
class ScoredText:
    """The clauses of one text as tokens, with their sentences and all scores."""

    tokens: tuple[Tokens, ...]
    sentence_of: tuple[int, ...]
    scores: tuple[float, ...]
    sentences: SentenceSalience

    @classmethod
    def of(cls, document: Document, scores: Scores, sentences: SentenceSalience) -> "ScoredText":
        """Read the tokens of all EDUs."""
        return cls(
            tuple(tokenise(document.edu_text(edu)) for edu in range(len(document.edus))),
            tuple(edu.sentence for edu in document.edus),
            scores.values,
            sentences,
        )

    def words(self) -> GramTable:
        """Return all words of the text with their features."""
        return self._table(words_of)

    def pairs(self) -> GramTable:
        """Return all pairs of words inside a clause with their features."""
        return self._table(pairs_of)

    def _table(self, grams_of: Callable[[Tokens], Iterable[Gram]]) -> GramTable:
        found: dict[Gram, list[int]] = {}
        for clause, tokens in enumerate(self.tokens):
            for gram in grams_of(tokens):
                found.setdefault(gram, []).append(clause)
        rows = [self._row(gram, clauses) for gram, clauses in found.items()]
        return GramTable(tuple(found), np.array(rows, dtype=np.float64).reshape(-1, N_FEATURES))

    def _row(self, gram: Gram, clauses: Sequence[int]) -> tuple[float, ...]:
        """Return the features of an n-gram, given the clause of each time that it occurs."""
        scores = [self.scores[clause] for clause in dict.fromkeys(clauses)]
        places = list(dict.fromkeys(self.sentence_of[clause] for clause in clauses))
        function = [word in _FUNCTION_STEMS for word in gram]
        return (
            _log_odds(max(scores)),
            math.log1p(math.fsum(scores)),
            max(self.sentences.salience[place] for place in places),
            max(self.sentences.gain[place] for place in places),
            math.log(len(clauses)),
            math.log(len(places)),
            math.log1p(places[0]),
            places[0] == 0,
            places[0] < _EARLY,
            math.fsum(1 / (1 + place) for place in places),
            function[0],
            function[-1],
            all(function),
            math.log(sum(map(len, gram))),
            gram[0][0].isdigit(),
            math.log(len(self.sentences.salience)),
        )


def words_of(tokens: Tokens) -> list[Gram]:
    """Return single words."""
    return [(token,) for token in tokens]


def pairs_of(tokens: Tokens) -> list[Gram]:
    """Return words that follow each other."""
    return list(pairwise(tokens))


def _log_odds(score: float) -> float:
    bounded = min(max(score, _LEAST), _MOST)
    return math.log(bounded / (1 - bounded))
