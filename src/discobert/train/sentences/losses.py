"""Losses of the sentence network: single sentences, lists of them, and the expected ROUGE."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.nn.sentences import PADDING
from discobert.runtime.tensors import Array
from discobert.train.core.batches import PlannedBatch
from discobert.train.sentences.documents import Targets, TrainingDocument, join
from discobert.train.sentences.settings import SentenceTraining

GAIN_WEIGHT = 0.3
TOP = 8
"""Sentences whose subsets are compared."""
SIZES = ((3, 0.6), (2, 0.2), (4, 0.2))
"""Sizes of subsets, and the weight of each."""


@dataclass(frozen=True, slots=True)
class SentenceLosses:
    """Losses of a step; in the last part of a run the expected ROUGE is one of them."""

    documents: Sequence[TrainingDocument]
    config: SentenceTraining
    n_documents: int
    """Documents of the whole run."""
    rng: random.Random

    def __call__(self, net: nn.Module, batch: PlannedBatch) -> dict[str, Tensor]:
        """Return weighted losses by name."""
        config = self.config
        documents = [self._cut(self.documents[index]) for index in batch.documents]
        joined = join(documents)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=config.half_precision):
            logits = net(joined.rows, joined.places, joined.lengths, config.dropout)
        logits = logits.float()
        is_late = batch.seen >= (1 - config.risk_share) * self.n_documents
        targets = [document.targets for document in documents]
        chosen, gains = _padded(targets, joined.rows.shape[1])
        losses = {
            "bce": config.bce_weights[is_late] * bce(logits, chosen, gains, joined.mask),
            "list": config.list_weights[is_late]
            * listwise(logits[..., 0], chosen, gains, joined.mask),
        }
        if is_late and config.risk_weight:
            losses["risk"] = config.risk_weight * risk(logits[..., 0], targets)
        return losses

    def _cut(self, document: TrainingDocument) -> TrainingDocument:
        limit = self.config.max_sentences
        if len(document) <= limit or self.rng.random() < self.config.long_share:
            return document
        return document.first(limit)


def _padded(targets: Sequence[Targets], length: int) -> tuple[Tensor, Tensor]:
    """Return whether sentences are in the oracle, and their gains, (B, T) each."""
    chosen, gains = torch.zeros(2, len(targets), length)
    for index, target in enumerate(targets):
        chosen[index, : len(target.order)] = torch.from_numpy(target.order > 0).float()
        gains[index, : len(target.gain)] = torch.from_numpy(target.gain)
    return chosen, gains


def bce(logits: Tensor, chosen: Tensor, gains: Tensor, mask: Tensor) -> Tensor:
    """Compare salience with the mean of oracle and gain, and the second output with the gain."""
    wanted = torch.stack([(chosen + gains) / 2, gains], -1)
    losses = functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
    return ((losses[..., 0] + GAIN_WEIGHT * losses[..., 1]) * mask).sum() / mask.sum()


def listwise(salience: Tensor, chosen: Tensor, gains: Tensor, mask: Tensor) -> Tensor:
    """Compare the softmax over a document with the shares of its oracle and best sentences."""
    wanted = (chosen + gains**3) * mask
    wanted = wanted / wanted.sum(1, keepdim=True).clamp(min=1e-6)
    found = torch.log_softmax(salience.masked_fill(mask == 0, PADDING), 1)
    return -(wanted * found).sum(1).mean()


def risk(salience: Tensor, targets: Sequence[Targets]) -> Tensor:
    """Return minus the expected ROUGE of the subsets of each document's best sentences.

    The probability of a subset is a softmax over sums of logits; ROUGE is relative to the mean.
    """
    total, n_counted = salience.new_zeros(()), 0
    for logits, target in zip(salience, targets, strict=True):
        n = min(TOP, len(target.order))
        if n < max(size for size, _ in SIZES):
            continue
        top = torch.argsort(-logits[: len(target.order)].detach(), stable=True)[:n]
        for size, weight in SIZES:
            members = _subsets(n, size)
            scores = _rouge(members, target, top.numpy())
            chances = torch.softmax(torch.from_numpy(members) @ logits[top], 0)
            total = total - weight * (chances * torch.from_numpy(scores - scores.mean())).sum()
        n_counted += 1
    return total / max(n_counted, 1)


@cache
def _subsets(n: int, size: int) -> Array:
    members = list(combinations(range(n), size))
    table = np.zeros((len(members), n), dtype=np.float32)
    table[np.arange(len(members))[:, None], np.array(members)] = 1
    return table


def _rouge(
    members: Array, target: Targets, top: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> Array:
    """Return ROUGE-1 + ROUGE-2 of each subset; bigrams across sentences do not count."""
    hits = np.minimum(members @ target.counts[top].astype(np.float32), target.wanted)
    both = members @ target.tokens[top] + target.reference_length
    unigrams, bigrams = hits[:, : target.n_unigrams], hits[:, target.n_unigrams :]
    scores: Array = 2 * unigrams.sum(1) / np.maximum(both, 1)
    scores += 2 * bigrams.sum(1) / np.maximum(both - 2, 1)
    return scores.astype(np.float32)
