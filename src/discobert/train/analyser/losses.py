"""Losses of the analyser's heads on one document, given its piece vectors.

P pieces, W words, N EDUs, S candidate spans, M mentions, H encoder width.
"""

import random
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from discobert.analyser.coreference import MENTIONS_PER_WORD
from discobert.discourse.mentions import candidate_spans, describe_mentions, pair_classes
from discobert.nn.analyser import AnalyserNet
from discobert.nn.coref import PairClasses, link_loss
from discobert.nn.parser import distillation_loss, mean_scores, parser_loss
from discobert.runtime.pieces import IntArray
from discobert.train.analyser.gold import GoldItem
from discobert.train.analyser.rollout import Rollout

MAX_MENTIONS = 600
"""Most candidates of a training document: memory grows with their square."""


def word_vectors(item: GoldItem, pieces: Tensor) -> Tensor:
    """Return the first piece of each word, (W, H)."""
    return pieces[torch.from_numpy(item.layout.word_pieces[:, 0]).long()]


def tag_losses(net: AnalyserNet, item: GoldItem, pieces: Tensor) -> dict[str, Tensor]:
    """Losses of EDU starts and subjects, averaged over words."""
    logits = net.tag(word_vectors(item, pieces))  # (W, 2)
    named = (("boundary", item.boundaries), ("subject", item.subjects))
    return {
        name: functional.binary_cross_entropy_with_logits(logits[:, i], torch.from_numpy(targets))
        for i, (name, targets) in enumerate(named)
        if targets is not None
    }


def pooled_edus(pieces: Tensor, ranges: Tensor) -> Tensor:
    """Return first, last and mean piece of each EDU, (N, 3 H); zeros for one without pieces."""
    starts, ends = ranges[:, 0], ranges[:, 1]
    sums = functional.pad(pieces.cumsum(0), (0, 0, 1, 0))
    means = (sums[ends] - sums[starts]) / (ends - starts).clamp(min=1)[:, None]
    real = (ends > starts)[:, None]
    last = pieces[(ends - 1).clamp(min=0)]
    return torch.cat([pieces[starts] * real, last * real, means * real], -1)


@dataclass(frozen=True, slots=True)
class Teachers:
    """Networks over the same encoder whose parsers are imitated."""

    networks: tuple[AnalyserNet, ...] = ()
    share: float = 0.0
    """Weight of the distillation loss; the loss on gold trees has the rest."""


NO_TEACHERS = Teachers()


def tree_loss(
    net: AnalyserNet,
    item: GoldItem,
    pieces: Tensor,
    rng: random.Random,
    *,
    explore: float,
    teachers: Teachers = NO_TEACHERS,
) -> Tensor:
    """Loss of the parser on the states of one rollout."""
    if item.edu_pieces is None or item.shape is None or item.oracle is None:
        return pieces.new_zeros(())
    pooled = pooled_edus(pieces, torch.from_numpy(item.edu_pieces).long())  # (N, 3 H)
    rollout = Rollout(item.shape, item.oracle, item.relations)
    rollout.run(rng, explore)
    states, targets = rollout.states(), rollout.targets()
    scores = net.states(net.edus(pooled), states)
    loss = parser_loss(scores, targets)
    if not teachers.networks:
        return loss
    with torch.no_grad():
        teacher = mean_scores([t.states(t.edus(pooled), states) for t in teachers.networks])
    imitation = distillation_loss(scores, teacher, targets.legal)
    return (1 - teachers.share) * loss + teachers.share * imitation


def coref_losses(net: AnalyserNet, item: GoldItem, pieces: Tensor) -> dict[str, Tensor]:
    """Losses of mention detection and of antecedents."""
    if item.clusters is None:
        return {}
    words = word_vectors(item, pieces)
    firsts, lasts = candidate_spans(item.layout.word_sentences)
    scores = net.mentions(words, _long(firsts), _long(lasts))  # (S)
    gold = _gold_clusters(item.clusters, firsts, lasts)
    is_gold = torch.from_numpy(gold >= 0)
    detection = functional.binary_cross_entropy_with_logits(
        scores, is_gold.float(), reduction="sum"
    )
    kept = _kept(scores.detach() + 1000.0 * is_gold, item.layout.n_words, firsts, lasts)
    links = net.links(
        words, _long(firsts[kept]), _long(lasts[kept]), _classes(item, firsts[kept], lasts[kept])
    )
    chosen = scores[torch.from_numpy(kept)]
    return {
        "mention": detection / item.layout.n_words,
        "link": link_loss(links, chosen, torch.from_numpy(gold[kept])),
    }


def _long(values: IntArray) -> Tensor:
    return torch.from_numpy(values).long()


def _gold_clusters(
    clusters: list[list[tuple[int, int]]], firsts: IntArray, lasts: IntArray
) -> NDArray[np.int64]:
    """Return the cluster of each candidate, or -1."""
    number = {mention: i for i, cluster in enumerate(clusters) for mention in cluster}
    pairs = zip(firsts.tolist(), lasts.tolist(), strict=True)
    return np.fromiter((number.get(pair, -1) for pair in pairs), dtype=np.int64, count=len(firsts))


def _kept(ranked: Tensor, n_words: int, firsts: IntArray, lasts: IntArray) -> NDArray[np.int64]:
    """Return the best candidates in reading order."""
    budget = min(int(MENTIONS_PER_WORD * n_words) + 1, MAX_MENTIONS, len(ranked))
    best = ranked.topk(budget).indices.numpy()
    ordered: NDArray[np.int64] = best[np.lexsort((lasts[best], firsts[best]))]
    return ordered


def _classes(item: GoldItem, firsts: IntArray, lasts: IntArray) -> PairClasses:
    texts = describe_mentions(item.words, firsts, lasts)
    everything = slice(None)
    pairs = pair_classes(texts, item.layout.word_sentences[firsts], everything, everything)
    return PairClasses(_long(pairs.kinds), _long(pairs.distances), _long(pairs.matches))
