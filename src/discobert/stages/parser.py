"""RST parsing: beam search over shift-reduce states.

Every sentence is one subtree, so what happens inside one hardly depends on the rest. Sentences are
looked at side by side first; the search over the whole text then finds most states judged.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree
from discobert.logic.transitions import NUCLEARITIES, Outline, Piece, head_of, legal
from discobert.stages.encoder import Graph
from discobert.stages.parser_states import State, StateScorer, StateWeights, upper_layers
from discobert.stages.tensors import Array

Label = tuple[Nuclearity, str]


class _Stack(NamedTuple):
    """A persistent stack: beam items share what they have in common."""

    piece: Piece
    tree: RstTree
    rest: "_Stack | None"


class _Item(NamedTuple):
    score: float
    stack: _Stack | None
    queue: int


_View = tuple[Piece | None, Piece | None, int]
"""What can be seen of an item: the two upper spans of its stack, and the next EDU."""


class _Verdict(NamedTuple):
    """What may be done in a state, and what it costs: minus the log-probability."""

    shift: float | None
    """None if it is not legal."""
    reduce: float | None
    label: Label | None
    """Of the node that reducing makes."""


@dataclass(frozen=True)
class BeamParser:
    """Finds the best tree for EDU vectors under an outline."""

    weights: StateWeights
    relations: tuple[str, ...]
    beam: int = 4

    @cached_property
    def _upper(self) -> Graph:
        return Graph(upper_layers(self.weights))

    def parse(self, edus: Array, shape: Outline) -> RstTree:
        """Return the best tree found; linear in the number of EDUs."""
        scorer = StateScorer(self.weights, self._upper, edus, shape)
        judge = _Judge(scorer, shape, self.relations)
        items = [_Item(0.0, None, 0)]
        for _ in range(2 * shape.size - 1):
            reached = max(item.queue for item in items)
            if reached >= scorer.end:
                first = scorer.end
                scorer.load(_in_play(items, first), reached)
                self._foresee(judge, _sentences(shape, range(first, scorer.end)))
            items = self._advance(items, judge)
            judge.forget(min(item.queue for item in items))
        stack = items[0].stack
        if stack is None:
            return Leaf(0)
        return stack.tree

    def _foresee(self, judge: "_Judge", sentences: Sequence[range]) -> None:
        """Judge the states inside sentences, all sentences side by side, and where two meet."""
        beams = [[_Item(0.0, None, sentence.start)] for sentence in sentences]
        for step in range(2 * max(map(len, sentences), default=0) - 1):
            going = [n for n, sentence in enumerate(sentences) if step < 2 * len(sentence) - 1]
            judge.hear(item for n in going for item in beams[n])
            for n in going:
                beams[n] = self._advance(beams[n], judge)
        best = [beam[0] for beam in beams]
        judge.hear(
            _Item(0.0, _Stack(later.stack.piece, later.stack.tree, earlier.stack), later.queue)
            for earlier, later in pairwise(best)
            if later.stack is not None
        )

    def _advance(self, items: list[_Item], judge: "_Judge") -> list[_Item]:
        judge.hear(items)
        verdicts = [judge.verdict(item) for item in items]
        found: list[tuple[float, int, bool]] = []
        for number, (item, verdict) in enumerate(zip(items, verdicts, strict=True)):
            if verdict.shift is not None:
                found.append((item.score - verdict.shift, number, False))
            if verdict.reduce is not None:
                found.append((item.score - verdict.reduce, number, True))
        found.sort(key=lambda entry: (-entry[0], entry[1], entry[2]))
        return [
            _reduced(items[number], score, verdicts[number])
            if reduces
            else _shifted(items[number], score)
            for score, number, reduces in found[: self.beam]
        ]


class _Judge:
    """What the network says of states: each is scored once, though most come again."""

    def __init__(self, scorer: StateScorer, shape: Outline, relations: tuple[str, ...]) -> None:
        self._scorer = scorer
        self._shape = shape
        self._relations = relations
        self._known: dict[int, dict[_View, _Verdict]] = {}
        """By next EDU, as what lies behind can be forgotten."""

    def hear(self, items: Iterable[_Item]) -> None:
        """Score the states that are new; where one can only shift, nobody need ask."""
        fresh: dict[State, bool] = {}
        for item in items:
            below, top, queue = view = _view(item)
            known = self._known.setdefault(queue, {})
            if view in known:
                continue
            may_shift, may_reduce = legal(self._shape, below, top, queue)
            if below is None or top is None or not may_reduce:
                known[view] = _Verdict(0.0, None, None)
            else:
                fresh[below, top, queue] = may_shift
        if fresh:
            outputs = self._scorer.score(list(fresh))
            gaps = (outputs[:, 1] - outputs[:, 0]).tolist()
            labels = self._labels(outputs)
            for (state, may_shift), gap, label in zip(fresh.items(), gaps, labels, strict=True):
                shift, reduce = _costs(gap) if may_shift else (None, 0.0)
                self._known[state[2]][state] = _Verdict(shift, reduce, label)

    def verdict(self, item: _Item) -> _Verdict:
        """Look up the state of an item that was heard."""
        return self._known[item.queue][_view(item)]

    def forget(self, queue: int) -> None:
        """Let go of the states before an EDU."""
        for passed in [earlier for earlier in self._known if earlier < queue]:
            del self._known[passed]

    def _labels(self, outputs: Array) -> list[Label]:
        """Pick the most probable pair of nuclearity and relation for each state."""
        n_states, n_relations = len(outputs), len(self._relations)
        given = outputs[:, 5:].reshape(n_states, 3, n_relations)
        nuclearities = outputs[:, 2:5] - _logsumexp(outputs[:, 2:5])
        joint = nuclearities[:, :, None] + given - _logsumexp(given)
        best = joint.reshape(n_states, -1).argmax(1).tolist()
        return [(NUCLEARITIES[i // n_relations], self._relations[i % n_relations]) for i in best]


def _costs(gap: float) -> tuple[float, float]:
    """Return minus the log-probability of shifting and of reducing."""
    likely = math.log1p(math.exp(-abs(gap)))
    return max(gap, 0.0) + likely, max(-gap, 0.0) + likely


def _reduced(item: _Item, score: float, verdict: _Verdict) -> _Item:
    top = item.stack
    below = top.rest if top else None
    if top is None or below is None or verdict.label is None:
        raise RuntimeError("reduce needs two spans on the stack")
    nuclearity, relation = verdict.label
    piece = Piece(below.piece.start, top.piece.end, head_of(below.piece, top.piece, nuclearity))
    tree = Branch(relation, nuclearity, below.tree, top.tree)
    return _Item(score, _Stack(piece, tree, below.rest), item.queue)


def _logsumexp(rows: Array) -> Array:
    highest = rows.max(-1, keepdims=True)
    summed: Array = highest + np.log(np.exp(rows - highest).sum(-1, keepdims=True))
    return summed


def _view(item: _Item) -> _View:
    top = item.stack
    below = top.rest if top else None
    return below.piece if below else None, top.piece if top else None, item.queue


def _shifted(item: _Item, score: float) -> _Item:
    edu = item.queue
    return _Item(score, _Stack(Piece(edu, edu + 1, edu), Leaf(edu), item.stack), edu + 1)


def _in_play(items: Sequence[_Item], end: int) -> set[int]:
    """Return the EDUs before ``end`` that states of these items or of later ones can see."""
    found = set(range(min(item.queue for item in items), end))
    for item in items:
        entry = item.stack
        while entry is not None:
            piece = entry.piece
            found |= {piece.start, piece.end - 1, piece.head}
            entry = entry.rest
    return found


def _sentences(shape: Outline, edus: range) -> list[range]:
    """Return the sentences inside a range of EDUs that has another EDU, or the end, after them."""
    opening = [edu for edu in edus if edu == shape.size or shape.opens[edu]]
    return [range(start, end) for start, end in pairwise(opening)]
