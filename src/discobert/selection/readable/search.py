"""Beam search in reading order for the sentences of a readable summary."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from discobert.selection.readable.coherence import is_question
from discobert.selection.readable.content import content_stems
from discobert.selection.readable.variants import SentenceVariant
from discobert.selection.readable.weights import ReadableWeights

_BEAM = 32
_COST_STEP = 2
"""Partial selections with the same last sentence whose costs differ by less are compared."""
_QUESTION_AT_THE_END = 0.6
"""Cost of a summary that ends with a question."""
_MOST_ODDS = 30.0
"""Log-odds beyond which a probability is 0 or 1."""
_SAME, _FEW_WORDS = 0.9, 5
"""A sentence with at least so many content words is a repeat if this share of them is shown."""

Follows = Callable[[int, Sequence[int], Sequence[int], Sequence[int]], bool]


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
class SentenceTask:
    """What the search works on, for one document."""

    variants: tuple[tuple[SentenceVariant, ...], ...]
    values: tuple[float, ...]
    """Salience of each sentence, as log-odds."""
    eligible: tuple[bool, ...]
    """Whether a sentence may be selected."""
    texts: tuple[str, ...]
    n_words: Callable[[SentenceVariant], int]
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


def search(task: SentenceTask) -> tuple[SentenceVariant, ...]:
    """Return the best selection found, in reading order; empty if no sentence fits."""
    content = [content_stems(text) for text in task.texts]
    beam = [_Partial(0.0, 0, (), (), (), frozenset())]
    for sentence, offered in enumerate(task.variants):
        if not task.eligible[sentence]:
            continue
        grown = [
            _extended(task, partial, variant, content[sentence])
            for partial in beam
            for variant in _possible(task, partial, offered, content[sentence])
        ]
        beam = _best([*beam, *grown])
    return max(beam, key=lambda partial: _rank(task, partial)).chosen


def _rank(task: SentenceTask, partial: _Partial) -> tuple[bool, float, int]:
    """Compare complete selections; one that ends with a question is worth less."""
    ends_with_question = bool(partial.shown) and is_question(task.texts[partial.shown[-1]])
    score = partial.score - _QUESTION_AT_THE_END * ends_with_question
    if partial.shown and partial.shown[-1] in task.contrasted:
        score -= task.weights.contrast
    return bool(partial.chosen), score, -partial.cost


def _possible(
    task: SentenceTask,
    partial: _Partial,
    offered: Iterable[SentenceVariant],
    content: frozenset[str],
) -> Iterable[SentenceVariant]:
    if len(content) >= _FEW_WORDS and len(content & partial.words) >= _SAME * len(content):
        return
    for variant in offered:
        if task.at_most is not None and partial.cost + task.cost(variant) > task.at_most:
            continue
        opens = not partial.shown and variant.sentence == task.lead
        if opens or task.follows(variant.sentence, variant.edus, partial.shown, partial.shown_edus):
            yield variant


def _extended(
    task: SentenceTask, partial: _Partial, variant: SentenceVariant, content: frozenset[str]
) -> _Partial:
    weights, sentence = task.weights, variant.sentence
    chance = probability(task.values[sentence] + weights.bias)
    score = weights.word_value * task.n_words(variant) * (chance - weights.threshold)
    if sentence == task.lead:
        score += weights.first
    if partial.shown:
        score += _transition(task, partial.shown[-1], sentence)
    if content:
        score -= weights.repeat * len(content & partial.words) / len(content)
    if variant.is_cut:
        score -= weights.cut_cost * (1 - variant.harmless)
    return _Partial(
        partial.score + score,
        partial.cost + task.cost(variant),
        (*partial.chosen, variant),
        (*partial.shown, sentence),
        (*partial.shown_edus, *variant.edus),
        partial.words | content,
    )


def _transition(task: SentenceTask, last: int, sentence: int) -> float:
    """Return the bonus of the next sentence, or the cost of skipping some."""
    weights, skipped = task.weights, task.places[sentence] - task.places[last] - 1
    if skipped == 0:
        return weights.next
    jump = weights.jump * min(skipped, weights.max_jump)
    return -jump - weights.contrast * (last in task.contrasted)


def probability(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + math.exp(-min(max(log_odds, -_MOST_ODDS), _MOST_ODDS)))


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
