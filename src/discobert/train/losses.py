"""What the analyser is trained to do on one document, given its piece vectors."""

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from discobert.logic.mentions import N_MATCHES, candidate_spans, describe, pair_classes
from discobert.logic.transitions import (
    NUCLEARITIES,
    REDUCE,
    SHIFT,
    Piece,
    features,
    head_of,
    legal,
)
from discobert.nn.analyser import AnalyserNet
from discobert.nn.coref import PairClasses, link_loss
from discobert.nn.parser import StateBatch, StateTargets, parser_loss
from discobert.train.gold import GoldItem

RELATIONS = (
    "adversative",
    "attribution",
    "causal",
    "context",
    "contingency",
    "elaboration",
    "evaluation",
    "explanation",
    "joint",
    "mode",
    "organization",
    "purpose",
    "restatement",
    "same-unit",
    "topic",
)
MENTIONS_PER_WORD = 0.4
MAX_MENTIONS = 600

StepPolicy = Callable[[int, int], int]


def tag_losses(net: AnalyserNet, item: GoldItem, pieces: Tensor) -> dict[str, Tensor]:
    """Losses of EDU starts and subjects, averaged over words."""
    words = pieces[torch.from_numpy(item.layout.word_pieces[:, 0]).long()]  # (W, H)
    logits = net.tag(words)  # (W, 2)
    losses = {}
    for column, (name, targets) in enumerate((("boundary", item.boundaries), ("subject", item.subjects))):
        if targets is not None:
            loss = functional.binary_cross_entropy_with_logits(logits[:, column], torch.from_numpy(targets))
            losses[name] = loss
    return losses


def pooled_edus(pieces: Tensor, ranges: Tensor) -> Tensor:
    """Return first, last and mean piece of each EDU, (N, 3 H); zeros for an EDU without pieces."""
    starts, ends = ranges[:, 0], ranges[:, 1]
    sums = functional.pad(pieces.cumsum(0), (0, 0, 1, 0))
    means = (sums[ends] - sums[starts]) / (ends - starts).clamp(min=1)[:, None]
    real = (ends > starts)[:, None]
    return torch.cat([pieces[starts] * real, pieces[(ends - 1).clamp(min=0)] * real, means * real], -1)


@dataclass(slots=True)
class _Walk:
    """States met on the way to a tree, and what should be done in each."""

    edus: list[list[int]]
    spans: list[list[int]]
    features: list[list[int]]
    legal: list[tuple[bool, bool]]
    allowed: list[tuple[bool, bool]]
    nuclearity: list[int]
    relation: list[int]


def walk(item: GoldItem, rng: random.Random, explore: float) -> _Walk:
    """Follow the oracle through a document; with probability ``explore`` take a random legal action instead."""
    shape, oracle = item.shape, item.oracle
    if shape is None or oracle is None:
        message = f"{item.id} has no tree"
        raise ValueError(message)
    n, queue = shape.size, 0
    stack: list[Piece] = []
    seen = _Walk([], [], [], [], [], [], [])
    while queue < n or len(stack) > 1:
        top = stack[-1] if stack else None
        below = stack[-2] if len(stack) > 1 else None
        may = legal(shape, below, top, queue)
        good = oracle.actions([piece.start for piece in stack], top) if top else (True, False)
        allowed = (may[0] and good[0], may[1] and good[1])
        if not any(allowed):
            allowed = may
        options = may if rng.random() < explore else allowed
        action = rng.choice([a for a in (SHIFT, REDUCE) if options[a]])
        seen.edus.append(_roles(below, top, queue, n))
        seen.spans.append([below.start, below.end] if below else [0, 0])
        seen.spans[-1] += [top.start, top.end] if top else [0, 0]
        seen.features.append(features(shape, below, top, queue))
        seen.legal.append(may)
        seen.allowed.append(allowed)
        node = None
        if below and top:
            node = oracle.by_span.get((below.start, top.end))
        wanted = node is not None and may[1]
        seen.nuclearity.append(NUCLEARITIES.index(node.nuclearity) if node and wanted else -1)
        known = node and wanted and item.has_relations
        seen.relation.append(RELATIONS.index(node.relation) if node and known else -1)
        if action == SHIFT:
            stack.append(Piece(queue, queue + 1, queue))
            queue += 1
        elif below and top:
            chosen = node.nuclearity if node else rng.choice(NUCLEARITIES)
            stack[-2:] = [Piece(below.start, top.end, head_of(below, top, chosen))]
    return seen


def _roles(below: Piece | None, top: Piece | None, queue: int, absent: int) -> list[int]:
    """First, last and head EDU of both spans, and the next EDU."""
    lower = [below.start, below.end - 1, below.head] if below else [absent] * 3
    upper = [top.start, top.end - 1, top.head] if top else [absent] * 3
    return [*lower, *upper, min(queue, absent)]


def tree_loss(net: AnalyserNet, item: GoldItem, pieces: Tensor, rng: random.Random, explore: float) -> Tensor:
    """Loss of the parser along one walk."""
    if item.edu_pieces is None:
        return pieces.new_zeros(())
    ranges = torch.from_numpy(item.edu_pieces).long()
    edus = net.edus(pooled_edus(pieces, ranges))  # (N, D)
    seen = walk(item, rng, explore)
    states = StateBatch(torch.tensor(seen.edus), torch.tensor(seen.spans), torch.tensor(seen.features))
    targets = StateTargets(
        legal=torch.tensor(seen.legal),
        allowed=torch.tensor(seen.allowed),
        nuclearity=torch.tensor(seen.nuclearity),
        relation=torch.tensor(seen.relation),
    )
    return parser_loss(net.states(edus, states), targets)


def coref_losses(net: AnalyserNet, item: GoldItem, pieces: Tensor) -> dict[str, Tensor]:
    """Losses of mention detection and of antecedents."""
    if item.clusters is None:
        return {}
    layout = item.layout
    words = pieces[torch.from_numpy(layout.word_pieces[:, 0]).long()]
    firsts, lasts = candidate_spans(layout.word_sentences)
    scores = net.mentions(words, torch.from_numpy(firsts).long(), torch.from_numpy(lasts).long())  # (S)
    cluster_of = {mention: number for number, cluster in enumerate(item.clusters) for mention in cluster}
    pairs = zip(firsts.tolist(), lasts.tolist(), strict=True)
    gold = np.fromiter((cluster_of.get(pair, -1) for pair in pairs), dtype=np.int64, count=len(firsts))
    is_gold = torch.from_numpy(gold >= 0)
    detection = functional.binary_cross_entropy_with_logits(scores, is_gold.float(), reduction="sum")
    budget = min(int(MENTIONS_PER_WORD * layout.n_words) + 1, MAX_MENTIONS, len(firsts))
    ranked = scores.detach() + is_gold * 1000.0
    kept = np.sort(ranked.topk(budget).indices.numpy())
    order = np.lexsort((lasts[kept], firsts[kept]))
    kept = kept[order]
    classes = pair_classes(
        describe(item.words, firsts[kept], lasts[kept]),
        layout.word_sentences[firsts[kept]],
        slice(None),
        slice(None),
    )
    links = net.links(
        words,
        torch.from_numpy(firsts[kept]).long(),
        torch.from_numpy(lasts[kept]).long(),
        PairClasses(*(torch.from_numpy(a).long() for a in (classes.kinds, classes.distances, classes.matches))),
    )
    chosen = scores[torch.from_numpy(kept)]
    return {
        "mention": detection / layout.n_words,
        "link": link_loss(links, chosen, torch.from_numpy(gold[kept])),
    }


N_MATCH_CLASSES = N_MATCHES
