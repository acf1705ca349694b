"""The training loop: steps, learning rate, validation, early stopping, exact resumption, curve."""

import logging
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor, nn

from discobert.errors import ConfigError, InputError
from discobert.train.core.batches import BatchPlan, PlannedBatch
from discobert.train.core.checkpoint import (
    MovingAverage,
    averaged,
    copy_weights,
    find_checkpoint,
    load_checkpoint,
    save_checkpoint,
    trainable,
)
from discobert.train.core.curves import Curve
from discobert.train.core.machine import Machine
from discobert.train.core.weights_file import read_weights_file, write_weights_file

logger = logging.getLogger(__name__)

SMOOTHING = 0.95
"""Decay of the moving average of losses that is logged."""
LOWEST_RATE = 0.02
"""Final learning rate, as a share of its peak."""
BEST = "best.safetensors"
CHECKPOINT = "checkpoint"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopConfig:
    """Optimiser, weight average, and how often to log, validate and save."""

    warmup_steps: int
    weight_decay: float
    clip: float
    """Largest norm of all gradients."""
    average_decay: float
    """Decay of the moving average of weights; 0: none."""
    log_every: int = 0
    """Steps between two rows of the curve without validation; 0: none."""
    validate_every: int = 0
    """Steps between two validations; 0: only after the last step."""
    patience: int = 0
    """Validations without a better result after which training stops; 0: never stop early."""
    checkpoint_minutes: float
    seed: int

    def __post_init__(self) -> None:
        if not 0 <= self.average_decay < 1:
            raise ConfigError(f"average_decay must be in [0, 1), got {self.average_decay}")


@dataclass(frozen=True, slots=True)
class ParameterGroup:
    """Parameters that learn at one rate."""

    parameters: tuple[nn.Parameter, ...]
    rate: float


@dataclass(frozen=True, slots=True)
class Validation:
    """How the network is measured on held-out documents."""

    measure: Callable[[], Mapping[str, float]]
    """Figures of the network with its present weights, by column of the curve."""
    criterion: str
    """The figure that decides which weights are best."""
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    step: int
    documents: int
    total: int
    seconds: float
    losses: Mapping[str, float]
    """Moving averages by name."""


@dataclass(slots=True)
class Position:
    """The part of a run's state that a checkpoint stores beside weights and random numbers."""

    step: int = 0
    documents: int = 0
    seconds: float = 0.0
    best: float = -math.inf
    """Best value of the criterion so far; negated where lower is better."""
    since_best: int = 0
    """Validations since then."""
    losses: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("step", "documents", "since_best"):
            if type(getattr(self, name)) is not int or getattr(self, name) < 0:
                raise TypeError(f"{name} is no count")
        numbers = (self.seconds, self.best, *dict(self.losses).values())
        if not all(isinstance(number, int | float) for number in numbers):
            raise TypeError("seconds, best and losses are no numbers")


StepLosses = Callable[[nn.Module, PlannedBatch], dict[str, Tensor]]
"""Losses of one step by name; a batch without any label has none and changes no weight."""


@dataclass(slots=True)
class Loop:
    """One training run."""

    net: nn.Module
    groups: Sequence[ParameterGroup]
    plan: BatchPlan
    losses: StepLosses
    validation: Validation | None
    config: LoopConfig
    out: Path
    machine: Machine
    loss_weights: Mapping[str, float] = field(default_factory=dict)
    """Factors of losses in their sum, 1 where none is given; curves show losses without them."""
    rng: random.Random = field(default_factory=lambda: random.Random(0))
    """The generator that ``losses`` draws from, if it does: checkpoints store its state."""
    on_step: Callable[[Progress], None] = lambda progress: None
    tensorboard: bool = False
    max_steps: int | None = None
    """Stop after so many steps as if interrupted."""

    def run(self, *, resume: bool) -> None:
        """Train to the end; the network then holds the best weights, or else their average."""
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
        folder = find_checkpoint(self.out / CHECKPOINT)
        if folder is None:
            return Position()
        stored = load_checkpoint(
            folder, net=self.net, optimizer=optimizer, average=average, rng=self.rng
        )
        try:
            return Position(**stored)
        except (TypeError, ValueError) as error:
            message = (
                f"checkpoint {folder} has no valid position ({error}); remove it to start anew"
            )
            raise InputError(message) from error


@dataclass(slots=True)
class _Run:
    loop: Loop
    net: nn.Module
    optimizer: torch.optim.Optimizer
    average: MovingAverage | None
    position: Position
    curve: Curve

    def train(self) -> bool:
        """Take all steps; return whether the run came to its end."""
        loop, position = self.loop, self.position
        started = saved = time.monotonic()
        before = position.seconds
        self.net.train()
        for batch in self._batches(skip=position.step):
            if loop.config.patience and position.since_best >= loop.config.patience:
                logger.info("no better result in %d validations: stop", position.since_best)
                break
            if loop.max_steps is not None and position.step >= loop.max_steps:
                self._save()
                return False
            self._step(batch)
            position.seconds = before + time.monotonic() - started
            loop.on_step(self._progress())
            self._record_if_due()
            if time.monotonic() - saved > 60 * loop.config.checkpoint_minutes:
                self._save()
                saved = time.monotonic()
        return True

    def finish(self) -> None:
        """Validate the last weights, then put the best ones in place."""
        validation = self.loop.validation
        if validation is None:
            if self.average is not None:
                copy_weights(self.loop.net, self.average.values)
        else:
            last = self.curve.rows[-1] if self.curve.rows else {}
            if last.get("step") != self.position.step or validation.criterion not in last:
                self._record(validate=True)
            copy_weights(self.loop.net, read_weights_file(self.loop.out / BEST))
        self.curve.draw()
        self._save()

    def _batches(self, *, skip: int) -> Iterator[PlannedBatch]:
        """Yield this process's share of the plan after its first ``skip`` batches."""
        machine = self.loop.machine
        first = skip * machine.n_processes + machine.rank
        yield from islice(self.loop.plan, first, None, machine.n_processes)

    def _step(self, batch: PlannedBatch) -> None:
        loop, position = self.loop, self.position
        self._set_rate(batch)
        with loop.machine.autocast():
            losses = loop.losses(self.net, batch)
        if losses:
            weighted = [loop.loss_weights.get(name, 1.0) * x for name, x in losses.items()]
            self.optimizer.zero_grad()
            loop.machine.backward(torch.stack(weighted).sum())
            loop.machine.clip(loop.net, loop.config.clip)
            self.optimizer.step()
            if self.average is not None:
                self.average.update(loop.net)
        position.step += 1
        position.documents = batch.seen + len(batch.documents)
        for name, loss in losses.items():
            value = float(loss.detach())
            before = position.losses.get(name, value)
            position.losses[name] = SMOOTHING * before + (1 - SMOOTHING) * value

    def _set_rate(self, batch: PlannedBatch) -> None:
        """Raise the learning rate linearly to its peak, then lower it linearly to the end."""
        warm = min(1.0, (self.position.step + 1) / max(self.loop.config.warmup_steps, 1))
        factor = warm * max(LOWEST_RATE, 1 - batch.seen / self.loop.plan.n_documents)
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * factor

    def _progress(self) -> Progress:
        position = self.position
        return Progress(
            step=position.step,
            documents=position.documents,
            total=self.loop.plan.n_documents,
            seconds=position.seconds,
            losses=position.losses,
        )

    def _record_if_due(self) -> None:
        config, step = self.loop.config, self.position.step
        validate = bool(config.validate_every) and step % config.validate_every == 0
        if validate or (config.log_every and step % config.log_every == 0):
            self._record(validate=validate)

    def _record(self, *, validate: bool) -> None:
        """Add a row to the curve; validation measures the averaged weights."""
        position, validation = self.position, self.loop.validation
        row = {
            "step": position.step,
            "documents": position.documents,
            "seconds": position.seconds,
            "rate": self.optimizer.param_groups[-1]["lr"],
            **position.losses,
        }
        if validate and validation is not None:
            with averaged(self.loop.net, self.average):
                figures = validation.measure()
                self._keep_best(validation, figures[validation.criterion])
            row |= figures
        self.curve.add(row)
        logger.info("%s", {name: round(value, 4) for name, value in row.items()})

    def _keep_best(self, validation: Validation, value: float) -> None:
        merit = value if validation.higher_is_better else -value
        self.position.since_best += 1
        if merit > self.position.best:
            self.position.best, self.position.since_best = merit, 0
            if self.loop.machine.rank == 0:
                write_weights_file(self.loop.out / BEST, trainable(self.loop.net))

    def _save(self) -> None:
        if self.loop.machine.rank == 0:
            save_checkpoint(
                self.loop.out / CHECKPOINT,
                net=self.loop.net,
                optimizer=self.optimizer,
                average=self.average,
                rng=self.loop.rng,
                position=asdict(self.position),
            )
