"""Rollouts: sequences of shift-reduce states that the parser is trained on, with their targets."""

import random
from dataclasses import dataclass, field

import torch

from discobert.data.rst import Node
from discobert.discourse.transitions import (
    NUCLEARITIES,
    REDUCE,
    SHIFT,
    ActionOracle,
    Outline,
    TreeSpan,
    features,
    head_of,
    legal,
)
from discobert.nn.parser import StateBatch, StateTargets


@dataclass(slots=True)
class Rollout:
    """The states of one derivation and the right actions in each."""

    shape: Outline
    oracle: ActionOracle
    relations: tuple[str, ...]
    """The relations to learn; others, and all of a silver corpus, give no relation loss."""
    edus: list[list[int]] = field(default_factory=list)
    spans: list[list[int]] = field(default_factory=list)
    features: list[list[int]] = field(default_factory=list)
    legal: list[tuple[bool, bool]] = field(default_factory=list)
    allowed: list[tuple[bool, bool]] = field(default_factory=list)
    nuclearity: list[int] = field(default_factory=list)
    relation: list[int] = field(default_factory=list)

    def run(self, rng: random.Random, explore: float) -> None:
        """Follow the oracle; with probability ``explore`` take any legal action instead."""
        stack: list[TreeSpan] = []
        queue = 0
        while queue < self.shape.size or len(stack) > 1:
            gold = self._gold(stack)
            self._record(stack, queue, gold)
            options = self.legal[-1] if rng.random() < explore else self.allowed[-1]
            action = rng.choice([action for action in (SHIFT, REDUCE) if options[action]])
            if action == SHIFT:
                stack.append(TreeSpan(queue, queue + 1, queue))
                queue += 1
            else:
                below, top = stack[-2:]
                nuclearity = gold.nuclearity if gold else rng.choice(NUCLEARITIES)
                stack[-2:] = [TreeSpan(below.start, top.end, head_of(below, top, nuclearity))]

    def _gold(self, stack: list[TreeSpan]) -> Node | None:
        """Return the gold node that reducing the two upper spans would build, if there is one."""
        if len(stack) < 2:
            return None
        return self.oracle.by_span.get((stack[-2].start, stack[-1].end))

    def _record(self, stack: list[TreeSpan], queue: int, gold: Node | None) -> None:
        top = stack[-1] if stack else None
        below = stack[-2] if len(stack) > 1 else None
        may = legal(self.shape, below, top, queue)
        good = self.oracle.actions([span.start for span in stack], top) if top else (True, False)
        allowed = (may[0] and good[0], may[1] and good[1])
        self.edus.append(roles(below, top, queue, self.shape.size))
        self.spans.append([*_edges(below), *_edges(top)])
        self.features.append(features(self.shape, below, top, queue))
        self.legal.append(may)
        self.allowed.append(allowed if any(allowed) else may)
        labelled = gold if may[1] else None
        self.nuclearity.append(NUCLEARITIES.index(labelled.nuclearity) if labelled else -1)
        known = labelled and labelled.relation in self.relations
        self.relation.append(self.relations.index(labelled.relation) if labelled and known else -1)

    def states(self) -> StateBatch:
        """Return the states as tensors."""
        return StateBatch(
            torch.tensor(self.edus), torch.tensor(self.spans), torch.tensor(self.features)
        )

    def targets(self) -> StateTargets:
        """Return the targets as tensors."""
        return StateTargets(
            legal=torch.tensor(self.legal),
            allowed=torch.tensor(self.allowed),
            nuclearity=torch.tensor(self.nuclearity),
            relation=torch.tensor(self.relation),
        )


def _edges(span: TreeSpan | None) -> tuple[int, int]:
    return (span.start, span.end) if span else (0, 0)


def roles(below: TreeSpan | None, top: TreeSpan | None, queue: int, absent: int) -> list[int]:
    """First, last and head EDU of both spans, and the next EDU."""
    lower = [below.start, below.end - 1, below.head] if below else [absent] * 3
    upper = [top.start, top.end - 1, top.head] if top else [absent] * 3
    return [*lower, *upper, min(queue, absent)]
