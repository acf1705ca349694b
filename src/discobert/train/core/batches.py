"""Batch plans: which documents make up each step of a run, in an order that can be repeated."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from discobert.errors import ConfigError

POOL = 32
"""Batches' worth of documents that are sorted by length together."""


@dataclass(frozen=True, slots=True)
class PlannedBatch:
    """The documents of one step, and how many came before them in the run."""

    epoch: int
    documents: tuple[int, ...]
    seen: int


class BatchPlan(Protocol):
    """The batches of a whole run; iterating twice yields the same batches."""

    @property
    def n_documents(self) -> int:
        """Documents of the run; one that comes again in a later epoch counts again."""
        ...

    def __iter__(self) -> Iterator[PlannedBatch]: ...


@dataclass(frozen=True, slots=True)
class BudgetPlan:
    """Batches of similar lengths up to a budget; their order depends on seed and lengths alone."""

    lengths: Sequence[int]
    """Length of each document, in units or pieces."""
    budget: int
    """Most units or pieces of a batch, padding included."""
    epochs: float
    seed: int

    def __post_init__(self) -> None:
        for name in ("epochs", "budget"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be above 0, got {getattr(self, name)}")

    @property
    def n_documents(self) -> int:
        """Documents of the run."""
        return round(self.epochs * len(self.lengths))

    def __iter__(self) -> Iterator[PlannedBatch]:
        wanted = self.epochs * len(self.lengths)
        epoch = seen = 0
        while seen < wanted:
            rng = random.Random(f"batches {self.seed} {epoch}")
            for documents in budget_batches(self.lengths, budget=self.budget, rng=rng):
                if seen >= wanted:
                    return
                yield PlannedBatch(epoch, documents, seen)
                seen += len(documents)
            epoch += 1


def budget_batches(
    lengths: Sequence[int], *, budget: int, rng: random.Random
) -> list[tuple[int, ...]]:
    """Cut all documents into batches whose padded size keeps to a budget; each holds at least one.

    Documents are shuffled, sorted by length within large pools, cut, and the batches shuffled.
    """
    order = list(range(len(lengths)))
    rng.shuffle(order)
    typical = max(1, sum(lengths) // max(len(lengths), 1))
    pool = max(1, POOL * budget // typical)
    batches: list[tuple[int, ...]] = []
    for start in range(0, len(order), pool):
        batches += _cut(
            sorted(order[start : start + pool], key=lengths.__getitem__), lengths, budget
        )
    rng.shuffle(batches)
    return batches


def _cut(order: Sequence[int], lengths: Sequence[int], budget: int) -> Iterator[tuple[int, ...]]:
    batch: list[int] = []
    for document in order:  # the last one is the longest
        if batch and (len(batch) + 1) * lengths[document] > budget:
            yield tuple(batch)
            batch = []
        batch.append(document)
    if batch:
        yield tuple(batch)


@dataclass(frozen=True, slots=True)
class FixedSizePlan:
    """Batches of the same number of documents, shuffled; a batch may reach into the next epoch."""

    optional: Sequence[bool]
    """For each document, whether an epoch may leave it out."""
    optional_share: float
    """Probability that an epoch takes an optional document."""
    size: int
    epochs: float
    seed: int

    def __post_init__(self) -> None:
        if self.optional and all(self.optional) and self.optional_share <= 0:
            raise ConfigError(
                f"all {len(self.optional)} documents are optional and the share of them is "
                f"{self.optional_share}: no document is left to learn from"
            )

    @property
    def n_steps(self) -> int:
        """Batches of the run."""
        return math.ceil(self.epochs * len(self.optional) / self.size)

    @property
    def n_documents(self) -> int:
        """Documents of the run."""
        return self.n_steps * self.size

    def __iter__(self) -> Iterator[PlannedBatch]:
        rng = random.Random(self.seed + 1)
        order: list[int] = []
        epochs = 0
        for step in range(self.n_steps):
            while len(order) < self.size:
                order += self._epoch(rng)
                epochs += 1
            batch, order = order[: self.size], order[self.size :]
            yield PlannedBatch(epochs - 1, tuple(batch), step * self.size)

    def _epoch(self, rng: random.Random) -> list[int]:
        taken = [
            document
            for document, optional in enumerate(self.optional)
            if not optional or rng.random() < self.optional_share
        ]
        rng.shuffle(taken)
        return taken
