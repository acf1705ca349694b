"""RST parsing: beam search over shift-reduce states, first inside sentences, then over them.

Every sentence is one subtree, and what happens inside it depends on nothing before it. So all
sentences are parsed side by side; then they are shifted whole, each in its best few ways.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from discobert.analyser.parser_states import State, StateLayers, StateScorer, StateWeights
from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree
from discobert.discourse.transitions import NUCLEARITIES, Outline, TreeSpan, head_of, legal
from discobert.runtime.tensors import Array

Label = tuple[Nuclearity, str]

MOST_DEPTH = 1_000
"""Spans on the stack from which on they are joined before more is shifted. No article comes near;
all of them are kept in memory, and a list of a million lines would be a million spans."""


class _Stack(NamedTuple):
    """A persistent stack: beam items share what they have in common."""

    span: TreeSpan
    tree: RstTree
    rest: "_Stack | None"
    depth: int


class _Item(NamedTuple):
    score: float
    stack: _Stack | None
    queue: int


class _Unit(NamedTuple):
    """What can be shifted: an EDU, or one way to parse a sentence."""

    score: float
    span: TreeSpan
    tree: RstTree


_Units = Callable[[int], Sequence[_Unit]]
"""The units that start at an EDU, at least one."""
_View = tuple[TreeSpan | None, TreeSpan | None, int]
"""What the network reads of an item: the two upper spans of its stack, and the next EDU."""


class _ActionCosts(NamedTuple):
    """What may be done in a state, and what it costs: minus the log-probability."""

    shift: float | None
    """None if it is not legal."""
    reduce: float | None
    label: Label | None
    """Of the node that reducing makes."""


_SHIFT = _ActionCosts(0.0, None, None)
"""Where nothing else may be done."""


@dataclass(frozen=True)
class BeamParser:
    """Finds the best tree for EDU vectors under an outline."""

    weights: StateWeights
    relations: tuple[str, ...]
    beam: int = 4

    @cached_property
    def _layers(self) -> StateLayers:
        return StateLayers(self.weights)

    def parse(self, edus: Array, shape: Outline) -> RstTree:
        """Return the best tree found; linear in the number of EDUs."""
        scorer = StateScorer(self._layers, edus, shape)
        search = _Search(scorer, _ActionScores(scorer, shape, self.relations), self.beam)
        return search.tree(_sentences(shape))


class _Search:
    """The search for the tree of one document."""

    def __init__(self, scorer: StateScorer, actions: "_ActionScores", beam: int) -> None:
        self._scorer = scorer
        self._actions = actions
        self._beam = beam
        self._parsed: dict[int, list[_Unit]] = {}
        """Sentences by their first EDU, those that some item has yet to shift."""
        self._passed = 0
        """The EDUs before it need not be kept any more."""

    def tree(self, sentences: Sequence[range]) -> RstTree:
        """Parse sentences and join them."""
        items, n_parsed = [_Item(0.0, None, 0)], 0
        for _ in range(2 * len(sentences) - 1):
            reached = max(item.queue for item in items)
            if n_parsed < len(sentences) and reached == sentences[n_parsed].start:
                n_parsed += self._parse_some(items, sentences, n_parsed)
            items = self._advance(items, self._actions.costs(items), self._parsed.__getitem__)
            self._forget(min(item.queue for item in items))
        stack = items[0].stack
        if stack is None:
            raise RuntimeError("a text has at least one sentence")
        return stack.tree

    def _parse_some(self, outer: list[_Item], sentences: Sequence[range], start: int) -> int:
        """Parse as many sentences as fit at once from one on, at least that; return their number.

        They follow one another without a gap.
        """
        scorer = self._scorer
        first = _Item(0.0, None, sentences[start].start)
        if sentences[start].stop >= scorer.end:
            self._load(outer, [first])
        end = bisect_left(sentences, scorer.end, lo=start, key=lambda sentence: sentence.stop)
        some = sentences[start : max(end, start + 1)]
        beams = [[first._replace(queue=sentence.start)] for sentence in some]
        for step in range(2 * max(map(len, some)) - 1):
            going = [n for n, sentence in enumerate(some) if step < 2 * len(sentence) - 1]
            inner = [item for n in going for item in beams[n]]
            if max(item.queue for item in inner) >= scorer.end:
                self._load(outer, inner)
            costs = iter(self._actions.costs(inner))
            for n in going:
                beams[n] = self._advance(beams[n], list(islice(costs, len(beams[n]))), _edu)
        units = [_units(beam) for beam in beams]
        self._parsed |= {found[0].span.start: found for found in units}
        neighbours = pairwise(found[0] for found in units)
        self._actions.costs([_shifted(_shifted(first, 0.0, a), 0.0, b) for a, b in neighbours])
        return len(some)

    def _load(self, outer: Sequence[_Item], inner: Sequence[_Item]) -> None:
        """Load more EDUs; those that no state can reach any more are dropped."""
        pieces = [unit.span for units in self._parsed.values() for unit in units]
        pieces += [span for item in (*outer, *inner) for span in _spans(item)]
        seen = {edu for span in pieces for edu in (span.start, span.end - 1, span.head)}
        seen.update(range(min(item.queue for item in inner), self._scorer.end))
        self._scorer.load(seen, self._scorer.end)

    def _forget(self, queue: int) -> None:
        """Drop what lies before an EDU."""
        for passed in range(self._passed, queue):
            self._parsed.pop(passed, None)
            self._actions.forget(passed)
        self._passed = queue

    def _advance(
        self, items: list[_Item], costs: Sequence["_ActionCosts"], units: _Units
    ) -> list[_Item]:
        """Take one step with every item, at these costs, and keep the best."""
        found: list[tuple[float, int, int, _Unit | None]] = []
        for number, (item, action_costs) in enumerate(zip(items, costs, strict=True)):
            shifts = units(item.queue) if _may_shift(item, action_costs) else ()
            for order, unit in enumerate(shifts):
                cost = (action_costs.shift or 0.0) - unit.score - item.score
                found.append((cost, number, order, unit))
            if action_costs.reduce is not None:
                found.append((action_costs.reduce - item.score, number, len(shifts), None))
        found.sort()  # no two have the same number and order
        return [
            _shifted(items[number], -cost, unit)
            if unit is not None
            else _reduced(items[number], -cost, costs[number])
            for cost, number, _, unit in found[: self._beam]
        ]


class _ActionScores:
    """Costs of shifting and reducing by state; a state that several items reach is scored once."""

    def __init__(self, scorer: StateScorer, shape: Outline, relations: tuple[str, ...]) -> None:
        self._scorer = scorer
        self._shape = shape
        self._relations = relations
        self._known: dict[int, dict[_View, _ActionCosts]] = {}
        """By next EDU, so that passed states can be dropped."""

    def costs(self, items: Iterable[_Item]) -> list[_ActionCosts]:
        """Return the costs of the states of some items; those that are new are scored together.

        A state in which only a shift is legal needs no score.
        """
        views = [_view(item) for item in items]
        fresh: dict[State, bool] = {}
        for view in views:
            below, top, queue = view
            known = self._known.setdefault(queue, {})
            if view in known:
                continue
            may_shift, may_reduce = legal(self._shape, below, top, queue)
            if below is None or top is None or not may_reduce:
                known[view] = _SHIFT
            else:
                fresh[below, top, queue] = may_shift
        if fresh:
            self._score(fresh)
        return [self._known[view[2]][view] for view in views]

    def _score(self, fresh: Mapping[State, bool]) -> None:
        """Score states, given with whether a shift is legal."""
        outputs = self._scorer.score(list(fresh))
        gaps = (outputs[:, 1] - outputs[:, 0]).tolist()
        labels = self._labels(outputs)
        for (state, may_shift), gap, label in zip(fresh.items(), gaps, labels, strict=True):
            shift, reduce = _costs(gap) if may_shift else (None, 0.0)
            self._known[state[2]][state] = _ActionCosts(shift, reduce, label)

    def forget(self, queue: int) -> None:
        """Drop the states whose next EDU is this one."""
        self._known.pop(queue, None)

    def _labels(self, outputs: Array) -> list[Label]:
        """Pick the most probable pair of nuclearity and relation for each state."""
        n_states, n_relations = len(outputs), len(self._relations)
        given = outputs[:, 5:].reshape(n_states, 3, n_relations)
        # Given the nuclearity, relations are probabilities; its own scale moves no maximum.
        joint = outputs[:, 2:5, None] + given - _logsumexp(given)
        best = joint.reshape(n_states, -1).argmax(1).tolist()
        return [(NUCLEARITIES[i // n_relations], self._relations[i % n_relations]) for i in best]


def _may_shift(item: _Item, action_costs: _ActionCosts) -> bool:
    """Return whether an item may take in more: not if its stack is full and can be reduced."""
    is_full = item.stack is not None and item.stack.depth >= MOST_DEPTH
    can_reduce = action_costs.reduce is not None
    return action_costs.shift is not None and not (is_full and can_reduce)


def _costs(gap: float) -> tuple[float, float]:
    """Return minus the log-probability of shifting and of reducing."""
    likely = math.log1p(math.exp(-abs(gap)))
    return max(gap, 0.0) + likely, max(-gap, 0.0) + likely


def _reduced(item: _Item, score: float, action_costs: _ActionCosts) -> _Item:
    top = item.stack
    below = top.rest if top else None
    if top is None or below is None or action_costs.label is None:
        raise RuntimeError("reduce needs two spans on the stack")
    nuclearity, relation = action_costs.label
    span = TreeSpan(below.span.start, top.span.end, head_of(below.span, top.span, nuclearity))
    tree = Branch(relation, nuclearity, below.tree, top.tree)
    return _Item(score, _Stack(span, tree, below.rest, below.depth), item.queue)


def _logsumexp(rows: Array) -> Array:
    highest = np.maximum.reduce(rows, -1, keepdims=True)
    powers = np.exp(rows - highest)
    summed: Array = highest + np.log(np.add.reduce(powers, -1, keepdims=True))
    return summed


def _view(item: _Item) -> _View:
    top = item.stack
    below = top.rest if top else None
    return below.span if below else None, top.span if top else None, item.queue


def _shifted(item: _Item, score: float, unit: _Unit) -> _Item:
    depth = item.stack.depth + 1 if item.stack else 1
    return _Item(score, _Stack(unit.span, unit.tree, item.stack, depth), unit.span.end)


@lru_cache(maxsize=1024)  # the items of a beam shift the same one, and so do all texts
def _edu(edu: int) -> tuple[_Unit]:
    return (_Unit(0.0, TreeSpan(edu, edu + 1, edu), Leaf(edu)),)


def _units(beam: Sequence[_Item]) -> list[_Unit]:
    """Return finished sentences, the best first: the best of each head, as no state sees more."""
    found: dict[TreeSpan, _Unit] = {}
    for item in beam:
        if item.stack is not None:
            unit = _Unit(item.score, item.stack.span, item.stack.tree)
            found.setdefault(unit.span, unit)
    return list(found.values())


def _spans(item: _Item) -> Iterator[TreeSpan]:
    entry = item.stack
    while entry is not None:
        yield entry.span
        entry = entry.rest


def _sentences(shape: Outline) -> list[range]:
    """Return the EDUs of each sentence."""
    opening = [edu for edu in range(shape.size) if shape.opens[edu]]
    return [range(start, end) for start, end in pairwise([*opening, shape.size])]
