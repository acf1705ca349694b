"""The losses of one training step of the summariser."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.nn.batch import Slice, join
from discobert.nn.ranker import Ranker, margin_loss
from discobert.nn.scorer import ScorerOutput, SummarizerNet
from discobert.runtime.pieces import piece_bounds, sentences_within
from discobert.selection.paper.ranked import CandidateOptions
from discobert.train.core.batches import PlannedBatch
from discobert.train.core.machine import Machine
from discobert.train.summarizer.features.cache import CachedDocument
from discobert.train.summarizer.features.items import cut
from discobert.train.summarizer.objective.ranking import batch_candidates
from discobert.train.summarizer.objective.risk import (
    SampleOptions,
    expected_risk,
    sampled_summaries,
)
from discobert.train.summarizer.objective.targets import mixed_targets
from discobert.train.summarizer.settings import SummarizerTraining, TrainedPart

RANKED_STEPS = CandidateOptions(min_steps=2, max_steps=8)
"""Candidates that a ranker is trained on."""


@dataclass(slots=True)
class SummaryLosses:
    """Binary cross-entropy of units, and margins between candidate summaries."""

    documents: Sequence[CachedDocument]
    training: SummarizerTraining
    net: SummarizerNet
    machine: Machine

    def __call__(self, net: nn.Module, planned: PlannedBatch) -> dict[str, Tensor]:
        """Compute the losses of the planned documents."""
        training, device = self.training, self.machine.device
        some = [self._window(index, planned.epoch) for index in planned.documents]
        batch = join([Slice(x.inputs, x.item.layout, x.item.units) for x in some], training.sizes())
        batch = batch.to(device)
        output = net(batch)
        losses: dict[str, Tensor] = {}
        if training.trained_part is not TrainedPart.RANKER:
            losses["loss"] = self._unit_loss(output.logits, some)
        if training.risk_weight > 0 and self._is_late(planned):
            losses["risk"] = training.risk_weight * self._risk(output.logits, some, planned)
        if self.net.document.ranker is not None:
            ranker = self.net.document.ranker
            losses["rank_loss"] = self._rank_loss(ranker, output, batch.documents, some)
        return losses

    def _window(self, index: int, epoch: int) -> CachedDocument:
        """Return a document as an epoch reads it; depends on no other random number."""
        rng = random.Random(f"{self.training.seed} {epoch} {index}")
        return random_window(self.documents[index], self.training, rng)

    def _unit_loss(self, logits: Tensor, some: Sequence[CachedDocument]) -> Tensor:
        options = self.training.targets()
        wanted = [mixed_targets(x.item.chosen, x.item.gains, options) for x in some]
        targets = torch.from_numpy(np.concatenate(wanted)).to(logits.device)
        return functional.binary_cross_entropy_with_logits(logits.float(), targets)

    def _is_late(self, planned: PlannedBatch) -> bool:
        n_documents = self.training.epochs * len(self.documents)
        return planned.seen >= (1 - self.training.risk_share) * n_documents

    def _risk(
        self, logits: Tensor, some: Sequence[CachedDocument], planned: PlannedBatch
    ) -> Tensor:
        """Average the expected loss of ROUGE over the documents of a step."""
        training = self.training
        rng = np.random.default_rng([training.seed, planned.seen])
        parts = torch.split(logits.float(), [len(x.item.units) for x in some])
        options = SampleOptions(n_samples=training.risk_samples, words=training.risk_words)
        risks = [
            expected_risk(part, sampled_summaries(x.item.rank, part, options, rng))
            for x, part in zip(some, parts, strict=True)
        ]
        return torch.stack(risks).mean()

    def _rank_loss(
        self,
        ranker: Ranker,
        output: ScorerOutput,
        documents: Tensor,
        some: Sequence[CachedDocument],
    ) -> Tensor:
        sizes = [len(x.item.units) for x in some]
        logits = torch.split(output.logits.detach().float().cpu(), sizes)
        found = batch_candidates(
            [x.item for x in some], [part.numpy() for part in logits], RANKED_STEPS
        ).to(documents.device)
        ranks = ranker(output.states, output.logits, documents, found)
        loss = margin_loss(ranks, found, margin=self.training.rank_margin)
        return self.training.rank_weight * loss


def random_window(
    document: CachedDocument, training: SummarizerTraining, rng: random.Random
) -> CachedDocument:
    """Cut a long document to its first window or, for a share of them, to a later one."""
    layout = document.item.layout
    cuts = training.later_windows > 0 and training.trained_part.caches_lower_layers
    if layout is None or not cuts:
        return document
    n_sentences = int(layout.block_sentences[-1]) + 1
    first, end = 0, sentences_within(layout, training.window_pieces)
    if end < n_sentences and rng.random() < training.later_windows:
        first = rng.randrange(1, n_sentences)
        end = sentences_within(layout, training.window_pieces, first=first)
    low, high = piece_bounds(layout, first, end)
    return CachedDocument(cut(document.item, first, end), document.inputs[low:high])


def step_length(document: CachedDocument, training: SummarizerTraining) -> int:
    """Return the length of a document in a step: units, or pieces of the window it is cut to."""
    if training.trained_part.caches_units:
        return len(document.item.units)
    pieces = document.item.n_pieces
    by_window = training.trained_part.caches_lower_layers and training.later_windows > 0
    return min(pieces, training.window_pieces) if by_window else pieces
