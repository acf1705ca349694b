"""The losses of one training step of the analyser, and the same losses on held-out documents."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from discobert.language.sentences import NewsSplitter
from discobert.nn.analyser import AnalyserNet
from discobert.store.treebanks.gum import GoldDocument
from discobert.train.analyser.encode import DocumentEncoder
from discobert.train.analyser.gold import GoldItem, gold_item
from discobert.train.analyser.losses import (
    NO_TEACHERS,
    Teachers,
    coref_losses,
    tag_losses,
    tree_loss,
    word_vectors,
)
from discobert.train.analyser.resegment import resegmented, sampled_starts
from discobert.train.analyser.settings import AnalyserTraining
from discobert.train.core.batches import PlannedBatch
from discobert.train.core.lower_layers import PieceEncoder


@dataclass(slots=True)
class AnalyserLosses:
    """Losses of the documents of one step by task, each a mean over those that have labels."""

    encoder: DocumentEncoder
    tokenizer: Tokenizer
    documents: Sequence[GoldDocument]
    tasks: tuple[str, ...]
    rng: random.Random
    teachers: Teachers = NO_TEACHERS

    @property
    def net(self) -> AnalyserNet:
        """The network that learns."""
        return self.encoder.net

    @property
    def training(self) -> AnalyserTraining:
        """Settings of the run."""
        return self.encoder.training

    def __call__(self, net: nn.Module, planned: PlannedBatch) -> dict[str, Tensor]:
        """Compute the losses of the planned documents."""
        items = [self._item(self.documents[index]) for index in planned.documents]
        vectors = self.encoder.vectors(items, self.rng)
        found: dict[str, list[Tensor]] = {}
        for item, pieces in zip(items, vectors, strict=True):
            for name, loss in self._losses(item, pieces).items():
                found.setdefault(name, []).append(loss)
        return {name: torch.stack(losses).mean() for name, losses in found.items()}

    def _item(self, gold: GoldDocument) -> GoldItem:
        """Lay a document out by gold sentences or, for some, by predicted ones."""
        predicted = self.rng.random() < self.training.predicted_sentences
        return gold_item(
            self.tokenizer,
            gold,
            sentences=NewsSplitter().split(gold.text) if predicted else None,
            relations=self.training.relations,
        )

    def _losses(self, item: GoldItem, pieces: Tensor) -> dict[str, Tensor]:
        losses: dict[str, Tensor] = {}
        if "boundary" in self.tasks:
            losses |= tag_losses(self.net, item, pieces)
        if "tree" in self.tasks and self._learns_tree(item):
            losses["tree"] = tree_loss(
                self.net,
                self._with_sampled_edus(item, pieces),
                pieces,
                self.rng,
                explore=self.training.explore,
                teachers=self.teachers,
            )
        if "link" in self.tasks and item.clusters:
            losses |= coref_losses(self.net, item, pieces)
        return losses

    def _learns_tree(self, item: GoldItem) -> bool:
        return item.oracle is not None and (self.training.silver_trees or bool(item.relations))

    def _with_sampled_edus(self, item: GoldItem, pieces: Tensor) -> GoldItem:
        """Replace the gold EDUs of some documents by a sample from the segmenter."""
        training = self.training
        if training.guessed_edus == 0 or self.rng.random() >= training.guessed_edus:
            return item
        with torch.no_grad():
            logits = self.net.tag(word_vectors(item, pieces))[:, 0].numpy()
        starts = sampled_starts(logits, self.rng, temperature=training.guess_temperature)
        return resegmented(item, starts)


@dataclass(slots=True)
class HeldOutLosses:
    """Losses on documents that are not learned from: gold layout, no exploration, no teachers."""

    net: AnalyserNet
    lower: PieceEncoder
    tokenizer: Tokenizer
    documents: Sequence[GoldDocument]
    training: AnalyserTraining
    tasks: tuple[str, ...]

    def __call__(self) -> Mapping[str, float]:
        """Return ``dev_`` and the name of each loss, and their weighted sum ``dev_loss``."""
        losses = AnalyserLosses(
            DocumentEncoder(self.net, self.lower, without_sampling(self.training)),
            self.tokenizer,
            self.documents,
            self.tasks,
            random.Random(0),
        )
        found: dict[str, list[float]] = {}
        with torch.no_grad():
            for index in range(len(self.documents)):
                for name, loss in losses(self.net, PlannedBatch(0, (index,), 0)).items():
                    found.setdefault(name, []).append(float(loss))
        means = {name: sum(values) / len(values) for name, values in found.items()}
        weights = self.training.loss_weights()
        total = sum(weights[name] * mean for name, mean in means.items())
        return {f"dev_{name}": mean for name, mean in means.items()} | {"dev_loss": total}


def without_sampling(training: AnalyserTraining) -> AnalyserTraining:
    """Turn off all settings that change a document at random."""
    return replace(
        training,
        explore=0.0,
        predicted_sentences=0.0,
        guessed_edus=0.0,
        piece_dropout=0.0,
        window_sizes=(max(training.window_sizes),),
    )
