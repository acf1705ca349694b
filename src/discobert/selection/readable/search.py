"""Beam search in reading order for the sentences of a readable summary.

A summary is worth what a linear regression of blind ratings predicts. Every sentence adds counts of
the features (``weights.FEATURES``) that depend on itself and on what is shown before it, so that
the search and the regression read the same numbers.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import add, mul

from discobert.selection.readable.content import content_stems
from discobert.selection.readable.turns import is_question
from discobert.selection.readable.variants import SentenceVariant
from discobert.selection.readable.weights import FEATURES, ReadableWeights

_BEAM = 32
_COST_STEP = 2
"""Partial selections with the same last sentence whose costs differ by less are compared."""
_SAME, _FEW_WORDS = 0.9, 5
"""A sentence with at least so many content words is a repeat if this share of them is shown."""
_MOST_CENTRAL = 3.0
"""Bound of the logarithm of the number of sentences that have a word."""
_CONTRAST, _QUESTION = FEATURES.index("contrast"), FEATURES.index("question")

Follows = Callable[[int, Sequence[int], Sequence[int], Sequence[int]], bool]
Counts = tuple[float, ...]
"""A number for each of ``FEATURES``."""


@dataclass(frozen=True, slots=True)
class SentenceScores:
    """What the networks say of one sentence: log-odds, and the probability of furniture."""

    best: float
    gain: float
    salience: float
    never: float


@dataclass(frozen=True, slots=True)
class _Partial:
    """A selection up to some sentence."""

    score: float
    cost: int
    chosen: tuple[SentenceVariant, ...]
    shown: tuple[int, ...]
    shown_edus: tuple[int, ...]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Offer:
    """A variant that may be added to many selections, with its cost and its content words."""

    variant: SentenceVariant
    cost: int
    content: frozenset[str]

    def repeats(self, shown: frozenset[str]) -> bool:
        """Return whether most of the content words are shown already."""
        n_words = len(self.content)
        return n_words >= _FEW_WORDS and len(self.content & shown) >= _SAME * n_words


_NOTHING = _Partial(0.0, 0, (), (), (), frozenset())


@dataclass(frozen=True)
class SentenceTask:
    """What the search works on, for one document."""

    variants: tuple[tuple[SentenceVariant, ...], ...]
    scores: tuple[SentenceScores, ...]
    bonus: tuple[float, ...]
    """Added to the value of each sentence: for the focus, and where nothing stands out."""
    eligible: tuple[bool, ...]
    """Whether a sentence may be selected."""
    texts: tuple[str, ...]
    verbatim: Callable[[SentenceVariant], str]
    """The text of a variant."""
    cost: Callable[[SentenceVariant], int]
    """What a variant takes of the limit."""
    follows: Follows
    at_most: int | None
    weights: ReadableWeights
    lead: int | None
    """The first sentence that may be selected."""
    places: tuple[int, ...]
    """Number of sentences that may be selected before each one."""
    contrasted: frozenset[int]
    """Sentences after which one follows that limits or contradicts them ("But …")."""
    _content: dict[SentenceVariant, tuple[frozenset[str], int]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _stems: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def coefficients(self) -> Counts:
        """The weight of each feature."""
        return self.weights.coefficients()

    @cached_property
    def centrality(self) -> Mapping[str, float]:
        """The logarithm of the number of sentences that have a content word."""
        found = Counter(
            word
            for text, may in zip(self.texts, self.eligible, strict=True)
            if may
            for word in self._stems_of(text)
        )
        return {word: min(math.log(count), _MOST_CENTRAL) for word, count in found.items()}

    def content(self, variant: SentenceVariant) -> tuple[frozenset[str], int]:
        """Return content words and length of a variant."""
        known = self._content.get(variant)
        if known is None:
            text = self.verbatim(variant)
            known = self._content[variant] = (self._stems_of(text), len(text.split()))
        return known

    def _stems_of(self, text: str) -> frozenset[str]:
        """Return the content words of a text; most variants are whole sentences."""
        if text not in self._stems:
            self._stems[text] = content_stems(text)
        return self._stems[text]


def search(task: SentenceTask) -> tuple[SentenceVariant, ...]:
    """Return the best selection found, in reading order; empty if no sentence fits."""
    beam = [_NOTHING]
    for sentence, offered in enumerate(task.variants):
        if not task.eligible[sentence]:
            continue
        offers = [_offer(task, variant) for variant in offered]
        grown = [
            _extended(task, partial, offer)
            for partial in beam
            for offer in offers
            if _is_possible(task, partial, offer)
        ]
        beam = _best([*beam, *grown])
    return max(beam, key=lambda partial: _rank(task, partial)).chosen


def summary_counts(task: SentenceTask, chosen: Iterable[SentenceVariant]) -> Counts:
    """Count the features of a whole summary, for the regression."""
    total: Counts = (0.0,) * len(FEATURES)
    last: int | None = None
    words: frozenset[str] = frozenset()
    for variant in chosen:
        total = tuple(map(add, total, _counts(task, last, words, variant)))
        last, words = variant.sentence, words | task.content(variant)[0]
    return tuple(map(add, total, _end_counts(task, last)))


def _rank(task: SentenceTask, partial: _Partial) -> tuple[bool, float, int]:
    """Compare complete selections."""
    end = _end_counts(task, partial.shown[-1] if partial.shown else None)
    score = partial.score + sum(map(mul, task.coefficients, end))
    return bool(partial.chosen), score, -partial.cost


def _offer(task: SentenceTask, variant: SentenceVariant) -> _Offer:
    return _Offer(variant, task.cost(variant), task.content(variant)[0])


def _is_possible(task: SentenceTask, partial: _Partial, offer: _Offer) -> bool:
    """Return whether a variant fits, is no repeat and can come after what is selected."""
    if task.at_most is not None and partial.cost + offer.cost > task.at_most:
        return False
    if offer.repeats(partial.words) or _is_shown(task, partial, offer):
        return False
    variant = offer.variant
    opens = not partial.shown and variant.sentence == task.lead
    return opens or task.follows(variant.sentence, variant.edus, partial.shown, partial.shown_edus)


def _is_shown(task: SentenceTask, partial: _Partial, offer: _Offer) -> bool:
    """Return whether the very same words are selected already, however few they are."""
    if not partial.chosen or not offer.content <= partial.words:
        return False
    words = task.verbatim(offer.variant).split()
    return any(words == task.verbatim(each).split() for each in partial.chosen)


def _extended(task: SentenceTask, partial: _Partial, offer: _Offer) -> _Partial:
    variant = offer.variant
    last = partial.shown[-1] if partial.shown else None
    counts = _counts(task, last, partial.words, variant)
    score = sum(map(mul, task.coefficients, counts)) + task.bonus[variant.sentence]
    return _Partial(
        partial.score + score,
        partial.cost + offer.cost,
        (*partial.chosen, variant),
        (*partial.shown, variant.sentence),
        (*partial.shown_edus, *variant.edus),
        partial.words | offer.content,
    )


def _counts(
    task: SentenceTask, last: int | None, shown: frozenset[str], variant: SentenceVariant
) -> Counts:
    """Count the features of one more sentence after ``last``, given the content words shown."""
    sentence = variant.sentence
    scores, (content, n_words) = task.scores[sentence], task.content(variant)
    new = content - shown
    n_cut = len(task.texts[sentence].split()) - n_words if variant.is_cut else 0
    centrality = task.centrality
    return (
        scores.best,
        scores.gain,
        scores.salience,
        1.0,
        n_words,
        len(new),
        math.fsum(centrality.get(word, 0.0) for word in new),
        sentence == task.lead,
        *_transition_counts(task, last, sentence),
        len(content & shown) / max(len(content), 1),
        scores.never,
        variant.is_cut,
        n_cut,
        0.0,
    )


def _transition_counts(task: SentenceTask, last: int | None, sentence: int) -> Counts:
    """Count neighbours, jumps, sentences skipped and contrasts left behind."""
    if last is None:
        return (0.0, 0.0, 0.0, 0.0)
    skipped = task.places[sentence] - task.places[last] - 1
    if skipped <= 0:
        return (1.0, 0.0, 0.0, 0.0)
    return (0.0, 1.0, min(skipped, task.weights.max_jump), last in task.contrasted)


def _end_counts(task: SentenceTask, last: int | None) -> Counts:
    """Count what only the end of a summary shows: a question, a contrast left behind."""
    counts = [0.0] * len(FEATURES)
    if last is not None:
        counts[_QUESTION] = is_question(task.texts[last])
        counts[_CONTRAST] = last in task.contrasted
    return tuple(counts)


def _best(partials: list[_Partial]) -> list[_Partial]:
    """Keep the best partial selections, of equal last sentence and cost only the best one."""
    kept: dict[tuple[int, int], _Partial] = {}
    for partial in sorted(partials, key=lambda each: (-each.score, each.cost, each.shown)):
        key = (partial.shown[-1] if partial.shown else -1, partial.cost // _COST_STEP)
        kept.setdefault(key, partial)
        if len(kept) == _BEAM:
            break
    empty = next(partial for partial in partials if not partial.shown)
    found = list(kept.values())
    return found if empty in found else [*found, empty]
