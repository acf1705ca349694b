"""A training loop that resumes exactly: steps, validation, early stopping, checkpoints, a curve."""

import logging
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from discobert.errors import ConfigError
from discobert.train.core.batches import PlannedBatch, plan
from discobert.train.core.checkpoint import MovingAverage, load_checkpoint, save_checkpoint
from discobert.train.core.curves import Curve
from discobert.train.core.machine import Machine

logger = logging.getLogger(__name__)

SMOOTHING = 0.95
"""How much of a logged loss is memory."""
LOWEST_RATE = 0.02
"""Where the learning rate ends, as a share of its peak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopConfig:
    """How long, how fast, and when to look."""

    epochs: float
    budget: int
    """Padded units (or pieces) of one step."""
    warmup_steps: int
    weight_decay: float
    clip: float
    average_decay: float
    """Decay of the moving average of weights; 0: none."""
    validate_every: int
    """Steps between two looks at the validation slice; 0: never."""
    patience: int
    """Looks without a better ROUGE-2 after which training stops; 0: never stop early."""
    checkpoint_minutes: float
    seed: int

    def __post_init__(self) -> None:
        for name in ("epochs", "budget"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)}")
        if not 0 <= self.average_decay < 1:
            raise ConfigError(f"average_decay must be in [0, 1), got {self.average_decay}")


@dataclass(frozen=True, slots=True)
class ParameterGroup:
    """Parameters that learn at one rate."""

    parameters: tuple[nn.Parameter, ...]
    rate: float


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands."""

    step: int
    documents: int
    total: int
    seconds: float
    losses: Mapping[str, float]


@dataclass(slots=True)
class Position:
    """What a checkpoint must know to go on."""

    step: int = 0
    documents: int = 0
    seconds: float = 0.0
    best: float = -1.0
    since_best: int = 0
    losses: dict[str, float] = field(default_factory=dict)


StepLosses = Callable[[nn.Module, PlannedBatch], dict[str, Tensor]]
"""Losses of one step by name; they are added up."""
Validate = Callable[[], tuple[float, float, float]]
"""ROUGE-1, ROUGE-2 and ROUGE-L of the network as it is."""


@dataclass(slots=True)
class Loop:
    """One run of training."""

    net: nn.Module
    groups: Sequence[ParameterGroup]
    lengths: Sequence[int]
    """Length of each document, in what the budget counts."""
    losses: StepLosses
    validate: Validate | None
    config: LoopConfig
    out: Path
    machine: Machine
    on_step: Callable[[Progress], None] = lambda progress: None
    tensorboard: bool = False
    max_steps: int | None = None
    """Stop here as if interrupted."""

    def run(self, *, resume: bool) -> None:
        """Train to the end and leave the best weights (or their average) in the network."""
        torch.manual_seed(self.config.seed)
        optimizer = self._optimizer()
        average = (
            MovingAverage.of(self.net, self.config.average_decay)
            if self.config.average_decay
            else None
        )
        position = self._restore(optimizer, average) if resume else Position()
        curve = Curve(self.out, after_step=position.step, tensorboard=self.tensorboard)
        wrapped, wrapped_optimizer = self.machine.prepare(self.net, optimizer)
        run = _Run(self, wrapped, wrapped_optimizer, average, position, curve)
        if run.train():
            run.finish()

    def _optimizer(self) -> torch.optim.AdamW:
        groups = [
            {"params": list(group.parameters), "lr": group.rate, "base": group.rate}
            for group in self.groups
            if group.parameters
        ]
        return torch.optim.AdamW(groups, weight_decay=self.config.weight_decay, fused=True)

    def _restore(self, optimizer: torch.optim.AdamW, average: MovingAverage | None) -> Position:
        folder = self.out / "checkpoint"
        if not folder.exists():
            return Position()
        stored = load_checkpoint(
            folder, module=self.net, optimizer=optimizer, average=average, rng=random.Random(0)
        )
        return Position(**stored)


@dataclass(slots=True)
class _Run:
    loop: Loop
    net: nn.Module
    optimizer: torch.optim.Optimizer
    average: MovingAverage | None
    position: Position
    curve: Curve

    def train(self) -> bool:
        """Take all steps; tell whether the run came to its end."""
        loop, position, config = self.loop, self.position, self.loop.config
        total = round(config.epochs * len(loop.lengths))
        started = saved = time.monotonic()
        before = position.seconds
        self.net.train()
        for batch in self._batches(skip=position.step):
            if loop.max_steps is not None and position.step >= loop.max_steps:
                self._save()
                return False
            self._step(batch, total)
            position.seconds = before + time.monotonic() - started
            loop.on_step(
                Progress(
                    position.step, position.documents, total, position.seconds, position.losses
                )
            )
            if config.validate_every and position.step % config.validate_every == 0:
                self._look()
                if config.patience and position.since_best >= config.patience:
                    logger.info("no better ROUGE-2 for %d looks: stop", position.since_best)
                    break
            if time.monotonic() - saved > 60 * config.checkpoint_minutes:
                self._save()
                saved = time.monotonic()
        return True

    def finish(self) -> None:
        """Look once more, then put the best weights in place."""
        if self.loop.validate is None:
            if self.average is not None:
                self.average.copy_to(self.loop.net)
        else:
            if not self.curve.rows or self.curve.rows[-1]["step"] != self.position.step:
                self._look()
            _put(self.loop.net, load_file(self.loop.out / "best.safetensors"))
        self.curve.draw()
        self._save()

    def _batches(self, *, skip: int) -> Iterator[PlannedBatch]:
        """Yield this process's share of the plan, without what was done before."""
        loop, n = self.loop, self.loop.machine.n_processes
        config = loop.config
        planned = plan(loop.lengths, budget=config.budget, epochs=config.epochs, seed=config.seed)
        for number, batch in enumerate(planned):
            if number % n == loop.machine.rank and number // n >= skip:
                yield batch

    def _step(self, batch: PlannedBatch, total: int) -> None:
        loop, position, config = self.loop, self.position, self.loop.config
        warm = min(1.0, (position.step + 1) / max(config.warmup_steps, 1))
        factor = warm * max(LOWEST_RATE, 1 - position.documents / total)
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * factor
        with loop.machine.autocast():
            losses = loop.losses(self.net, batch)
        self.optimizer.zero_grad()
        loop.machine.backward(torch.stack(list(losses.values())).sum())
        loop.machine.clip(loop.net, config.clip)
        self.optimizer.step()
        if self.average is not None:
            self.average.update(loop.net)
        position.step += 1
        position.documents = batch.seen + len(batch.documents)
        for name, loss in losses.items():
            value = float(loss.detach())
            before = position.losses.get(name, value)
            position.losses[name] = SMOOTHING * before + (1 - SMOOTHING) * value

    def _look(self) -> None:
        """Validate the averaged weights and keep them if they are the best so far."""
        position, loop = self.position, self.loop
        row = {
            "step": position.step,
            "documents": position.documents,
            "seconds": position.seconds,
            "rate": self.optimizer.param_groups[-1]["lr"],
            **position.losses,
        }
        if loop.validate is not None:
            with averaged(loop.net, self.average):
                scores = loop.validate()
                self._keep_best(scores[1])
            row |= dict(zip(("rouge1", "rouge2", "rougeL"), scores, strict=True))
        self.curve.add(row)
        logger.info("%s", {name: round(value, 4) for name, value in row.items()})

    def _keep_best(self, rouge2: float) -> None:
        self.position.since_best += 1
        if rouge2 > self.position.best:
            self.position.best, self.position.since_best = rouge2, 0
            if self.loop.machine.rank == 0:
                save_file(trainable(self.loop.net), self.loop.out / "best.safetensors")

    def _save(self) -> None:
        if self.loop.machine.rank == 0:
            save_checkpoint(
                self.loop.out / "checkpoint",
                module=self.loop.net,
                optimizer=self.optimizer,
                average=self.average,
                rng=random.Random(0),
                position=asdict(self.position),
            )


def trainable(net: nn.Module) -> dict[str, Tensor]:
    """Copy the weights that learn."""
    return {
        name: p.detach().cpu().clone().contiguous()
        for name, p in net.named_parameters()
        if p.requires_grad
    }


def _put(net: nn.Module, weights: Mapping[str, Tensor]) -> None:
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name in weights:
                parameter.copy_(weights[name])


@contextmanager
def averaged(net: nn.Module, average: MovingAverage | None) -> Iterator[None]:
    """Lend a network the averaged weights, in evaluation mode."""
    own = trainable(net)
    was_training = net.training
    if average is not None:
        average.copy_to(net)
    net.eval()
    try:
        yield
    finally:
        net.train(was_training)
        if average is not None:
            _put(net, own)
