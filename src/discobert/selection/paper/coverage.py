"""Selection by the words that a unit is expected to share with a summary, beside its score.

A score says of each unit alone whether an oracle would choose it, so units that say the same are
all chosen. Here a unit is worth what it adds: the probabilities of all words and pairs of words
that are not shown yet, for each word that it takes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import fsum
from typing import Any

from discobert.data.document import Document
from discobert.data.summary import Scores, SentenceSalience
from discobert.errors import BundleError
from discobert.language.tokens import tokenise
from discobert.selection.paper.greedy import Overflow
from discobert.selection.paper.ngrams import Gram, GramModel, ScoredText, pairs_of, words_of
from discobert.selection.partial import PartialSelection, whole_document
from discobert.selection.problem import Reasons, SelectionProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageModel:
    """The probabilities of n-grams, and what they count for beside the scores of units."""

    words: GramModel
    pairs: GramModel
    pair_weight: float
    """What a pair of words counts for, beside a word."""
    score_weight: float
    """What the score of a clause counts for, beside the mean of its new words."""
    sentence_weight: float
    """The same for whole sentences."""

    def settings(self) -> dict[str, Any]:
        """Return plain values for a bundle."""
        return {
            "words": self.words.settings(),
            "pairs": self.pairs.settings(),
            "pair_weight": self.pair_weight,
            "score_weight": self.score_weight,
            "sentence_weight": self.sentence_weight,
        }

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "CoverageModel":
        """Read plain values from a bundle."""
        try:
            return cls(
                words=GramModel.of(settings["words"]),
                pairs=GramModel.of(settings["pairs"]),
                pair_weight=float(settings["pair_weight"]),
                score_weight=float(settings["score_weight"]),
                sentence_weight=float(settings["sentence_weight"]),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BundleError(
                f"the expected words of a bundle cannot be read: {error!r}"
            ) from error

    def values(
        self, document: Document, scores: Scores, sentences: SentenceSalience
    ) -> dict[Gram, float]:
        """Return what each word and each pair of words of a text is worth in its summary."""
        text = ScoredText.of(document, scores, sentences)
        words, pairs = text.words(), text.pairs()
        values = dict(zip(words.grams, self.words.probabilities(words.rows).tolist(), strict=True))
        of_pairs = self.pair_weight * self.pairs.probabilities(pairs.rows)
        return values | dict(zip(pairs.grams, of_pairs.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class CoverageSearch:
    """Takes the unit of the highest worth with its whole closure, again and again."""

    values: Mapping[Gram, float] = field(repr=False)
    """What words and pairs of words are worth, each once."""
    score_weight: float
    overflow: Overflow = Overflow.SKIP
    max_steps: int | None = None
    """How many units may be chosen for their worth."""

    def choose(self, problem: SelectionProblem) -> Reasons:
        """Choose units by falling worth in view of what is shown."""
        whole = whole_document(problem) if self.max_steps is None else None
        if whole:
            return whole
        growing = _Growing(self, problem)
        n_steps = 0
        while n_steps != self.max_steps and (unit := growing.best()) is not None:
            if growing.add_if_fits(unit):
                n_steps += 1
            elif self.overflow is Overflow.STOP and growing.partial.reasons:
                break
        growing.partial.top_up(problem.order)
        return growing.partial.reasons


class _Growing:
    """A selection under construction, with the worth of all that may be added to it.

    Showing more words only lowers the worth of other units, but for units whose needs are met by
    that. So the units wait in a heap by an upper bound of their worth, and only those that come up
    are looked at again.
    """

    def __init__(self, search: CoverageSearch, problem: SelectionProblem) -> None:
        self.partial = PartialSelection(problem)
        self._search = search
        self._problem = problem
        document = problem.document
        texts = [document.edu_text(edu) for edu in range(len(document.edus))]
        self._grams = [self._valued(text) for text in texts]
        self._words = [len(text.split()) for text in texts]
        self._shown = set[Gram]()
        self._refused = set[int]()
        self._in_sentence: dict[int, list[int]] = {}
        for unit in problem.order:
            self._in_sentence.setdefault(document.edus[unit].sentence, []).append(unit)
        self._waiting = [(-self._worth(unit), unit) for unit in problem.order]
        heapify(self._waiting)

    def best(self) -> int | None:
        """Return the unit of the highest worth, the first of equals; None if there is none left."""
        while self._waiting:
            unit = heappop(self._waiting)[1]
            if unit in self._refused or not self.partial.missing(unit):
                continue
            now = (-self._worth(unit), unit)
            if not self._waiting or now <= self._waiting[0]:
                return unit
            heappush(self._waiting, now)
        return None

    def add_if_fits(self, unit: int) -> bool:
        """Choose a unit with all that it needs; one that does not fit will not be offered again."""
        new = self.partial.missing(unit)
        if not self.partial.add_if_fits(unit, new):
            self._refused.add(unit)
            return False
        for other in new:
            self._shown |= self._grams[other]
        sentences = {self._problem.document.edus[other].sentence for other in new}
        for sentence in sentences:
            self._offer_again(self._in_sentence.get(sentence, ()))
        return True

    def _offer_again(self, units: Iterable[int]) -> None:
        for unit in units:
            if unit not in self.partial.reasons and unit not in self._refused:
                heappush(self._waiting, (-self._worth(unit), unit))

    def _worth(self, unit: int) -> float:
        """Return the score of a unit and the mean value of the words that it brings."""
        new = self.partial.missing(unit)
        grams = frozenset[Gram]().union(*(self._grams[other] for other in new)) - self._shown
        added = fsum(self._search.values[gram] for gram in grams)
        n_words = max(1, sum(self._words[other] for other in new))
        return self._search.score_weight * self._problem.scores[unit] + added / n_words

    def _valued(self, text: str) -> frozenset[Gram]:
        tokens = tokenise(text)
        grams = (*words_of(tokens), *pairs_of(tokens))
        return frozenset(gram for gram in grams if gram in self._search.values)
