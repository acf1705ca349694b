"""One training run of the analyser: documents in, weights out."""

import json
import logging
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from discobert.language.sentences import NewsSplitter
from discobert.nn.analyser import AnalyserNet
from discobert.store.treebanks.gum import GoldDocument
from discobert.train.analyser.encode import branch_vectors, trunk_vectors
from discobert.train.analyser.gold import GoldItem, gold_item
from discobert.train.analyser.losses import (
    Teaching,
    coref_losses,
    tag_losses,
    tree_loss,
    word_vectors,
)
from discobert.train.analyser.network import save_weights
from discobert.train.analyser.resegment import drawn_starts, resegmented
from discobert.train.analyser.settings import AnalyserTraining
from discobert.train.core.checkpoint import MovingAverage, load_checkpoint, save_checkpoint
from discobert.train.summarizer.features import PieceEncoder

logger = logging.getLogger(__name__)

ENCODER = ("trunk.", "branch.")


class _Clock:
    """Tells how long a run has taken and when a checkpoint is due."""

    def __init__(self, minutes: float) -> None:
        self._minutes = minutes
        self._started = self._saved = time.monotonic()

    def seconds(self) -> float:
        return time.monotonic() - self._started

    def is_due(self) -> bool:
        due = time.monotonic() - self._saved > 60 * self._minutes
        if due:
            self._saved = time.monotonic()
        return due


@dataclass(slots=True)
class Trainer:
    """One run: documents in, weights out."""

    net: AnalyserNet
    lower: PieceEncoder
    """The trunk while it does not learn."""
    tokenizer: Tokenizer
    documents: list[GoldDocument]
    training: AnalyserTraining
    tasks: tuple[str, ...]
    out: Path
    teachers: tuple[AnalyserNet, ...] = ()
    """Networks over the same frozen encoder, whose parsers are to be imitated."""
    cache: dict[tuple[str, int, int], Tensor] = field(default_factory=dict)
    """Vectors of documents as the frozen part of the encoder gives them."""

    def run(self, *, resume: bool) -> None:
        """Train to the end, writing checkpoints on the way."""
        training = self.training
        rng = random.Random(training.seed)
        torch.manual_seed(training.seed)
        optimizer = self._optimizer()
        average = (
            MovingAverage.of(self.net, training.average_decay) if training.average_decay else None
        )
        n_steps = math.ceil(training.epochs * len(self.documents) / training.documents_per_step)
        step, checkpoint = 0, self.out / "checkpoint"
        if resume and checkpoint.exists():
            step = load_checkpoint(
                checkpoint, module=self.net, optimizer=optimizer, average=average, rng=rng
            )["step"]
        clock = _Clock(training.checkpoint_minutes)
        sums: dict[str, float] = {}
        self._set_mode()
        for batch in self._batches(n_steps, skip=step):
            self._set_rate(optimizer, step, n_steps)
            losses = self._step(batch, optimizer, rng)
            sums |= {n: 0.95 * sums.get(n, loss) + 0.05 * loss for n, loss in losses.items()}
            if average:
                average.update(self.net)
            step += 1
            if step % 10 == 0:
                self._log(step, n_steps, clock.seconds(), sums)
            if clock.is_due():
                save_checkpoint(
                    checkpoint,
                    module=self.net,
                    optimizer=optimizer,
                    average=average,
                    rng=rng,
                    position={"step": step},
                )
        if average:
            average.copy_to(self.net)
        save_weights(self.net, self.out)

    def _set_mode(self) -> None:
        """Train what learns; a frozen encoder also drops nothing out."""
        self.net.train()
        if self.training.freeze_encoder:
            self.net.branch.eval()

    def _set_rate(self, optimizer: torch.optim.Optimizer, step: int, n_steps: int) -> None:
        """Warm up, then fall linearly to the end."""
        rate = min(1.0, (step + 1) / self.training.warmup_steps) * max(0.02, 1 - step / n_steps)
        for group in optimizer.param_groups:
            group["lr"] = group["base"] * rate

    def _log(self, step: int, n_steps: int, seconds: float, sums: dict[str, float]) -> None:
        record = {"step": step, "of": n_steps, "seconds": round(seconds, 1)}
        record |= {name: round(value, 4) for name, value in sums.items()}
        logger.info("%s", record)
        with (self.out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(record) + "\n")

    def _optimizer(self) -> torch.optim.AdamW:
        encoder = [
            p for n, p in self.net.named_parameters() if p.requires_grad and n.startswith(ENCODER)
        ]
        heads = [p for n, p in self.net.named_parameters() if not n.startswith(ENCODER)]
        training = self.training
        rates = ((encoder, training.encoder_rate), (heads, training.head_rate))
        groups = [{"params": part, "lr": rate, "base": rate} for part, rate in rates if part]
        return torch.optim.AdamW(groups, weight_decay=training.weight_decay, fused=True)

    def _batches(self, n_steps: int, *, skip: int) -> Iterator[list[GoldDocument]]:
        """Yield the documents of each step; the order depends on the seed and the step alone."""
        size = self.training.documents_per_step
        order: list[int] = []
        shuffler = random.Random(self.training.seed + 1)
        for step in range(n_steps):
            while len(order) < size:
                fresh = [
                    index
                    for index, gold in enumerate(self.documents)
                    if gold.edus is not None or shuffler.random() < self.training.literature_share
                ]
                shuffler.shuffle(fresh)
                order += fresh
            batch, order = order[:size], order[size:]
            if step >= skip:
                yield [self.documents[index] for index in batch]

    def _items(self, batch: list[GoldDocument], rng: random.Random) -> list[GoldItem]:
        """Lay documents out by gold sentences or, for some, by our own."""
        share = self.training.predicted_sentences
        return [
            gold_item(
                self.tokenizer,
                gold,
                sentences=NewsSplitter().split(gold.text) if rng.random() < share else None,
                relations=self.training.relations,
            )
            for gold in batch
        ]

    def _vectors(self, items: list[GoldItem], rng: random.Random) -> list[Tensor]:
        """Encode documents; with a frozen encoder each layout only once."""
        if not self.training.freeze_encoder:
            return self._encode(items, rng.choice(self.training.window_sizes))
        found = []
        for item in items:
            key = (item.id, len(item.layout.ids), len(item.layout.blocks))
            if key not in self.cache:
                with torch.no_grad():
                    (vectors,) = self._encode([item], max(self.training.window_sizes))
                self.cache[key] = vectors.half()
            found.append(self.cache[key].float())
        return found

    def _encode(self, items: list[GoldItem], max_pieces: int) -> list[Tensor]:
        layouts = [item.layout for item in items]
        trunks = [self._with_gaps(self._trunk(item)) for item in items]
        return branch_vectors(self.net, layouts, trunks, max_pieces=max_pieces)

    def _with_gaps(self, pieces: Tensor) -> Tensor:
        """Silence some pieces (P, H), others each time."""
        share = self.training.piece_dropout
        if not share or self.training.freeze_encoder:
            return pieces
        return pieces * (torch.rand(len(pieces), 1) >= share)

    def _trunk(self, item: GoldItem) -> Tensor:
        """Run the trunk; one that does not learn says the same of a layout every time."""
        training = self.training
        if training.freeze_encoder:
            return torch.from_numpy(self.lower.vectors(item.layout))
        if training.train_trunk:
            return trunk_vectors(self.net.trunk, item.layout)
        key = (item.id, len(item.layout.ids), len(item.layout.blocks))
        if key not in self.cache:
            self.cache[key] = torch.from_numpy(self.lower.vectors(item.layout)).half()
        return self.cache[key].float()

    def _step(
        self, batch: list[GoldDocument], optimizer: torch.optim.Optimizer, rng: random.Random
    ) -> dict[str, float]:
        training = self.training
        items = self._items(batch, rng)
        pieces = self._vectors(items, rng)
        sums: dict[str, list[Tensor]] = {}
        for item, vectors in zip(items, pieces, strict=True):
            for name, loss in self._losses(item, vectors, rng).items():
                sums.setdefault(name, []).append(loss)
        means = {name: torch.stack(losses).mean() for name, losses in sums.items()}
        total = torch.stack(
            [getattr(training, f"{name}_weight") * loss for name, loss in means.items()]
        ).sum()
        optimizer.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(
            [p for p in self.net.parameters() if p.requires_grad], training.clip
        )
        optimizer.step()
        return {name: float(loss.detach()) for name, loss in means.items()}

    def _losses(self, item: GoldItem, pieces: Tensor, rng: random.Random) -> dict[str, Tensor]:
        losses: dict[str, Tensor] = {}
        if "boundary" in self.tasks:
            losses |= tag_losses(self.net, item, pieces)
        if "tree" in self.tasks and item.oracle is not None and self._trusts(item):
            parsed = self._as_guessed(item, pieces, rng)
            losses["tree"] = tree_loss(
                self.net,
                parsed,
                pieces,
                rng,
                explore=self.training.explore,
                teaching=Teaching(self.teachers, self.training.teacher_share),
            )
        if "link" in self.tasks and item.clusters:
            losses |= coref_losses(self.net, item, pieces)
        return losses

    def _trusts(self, item: GoldItem) -> bool:
        return self.training.silver_trees or bool(item.relations)

    def _as_guessed(self, item: GoldItem, pieces: Tensor, rng: random.Random) -> GoldItem:
        """Give some documents EDUs that the segmenter might find."""
        training = self.training
        if training.guessed_edus == 0 or rng.random() >= training.guessed_edus:
            return item
        with torch.no_grad():
            logits = self.net.tag(word_vectors(item, pieces))[:, 0].numpy()
        marks = drawn_starts(logits, rng, temperature=training.guess_temperature)
        return resegmented(item, marks)
