"""Which documents are learned together: similar lengths, up to a budget, in an order of its own."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

POOL = 32
"""Batches' worth of documents that are sorted by length together."""


@dataclass(frozen=True, slots=True)
class PlannedBatch:
    """The documents of one step, and how many were met before it."""

    epoch: int
    documents: tuple[int, ...]
    seen: int


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


def plan(
    lengths: Sequence[int], *, budget: int, epochs: float, seed: int
) -> Iterator[PlannedBatch]:
    """Yield the batches of all epochs; the order depends on the seed and the lengths alone."""
    wanted = epochs * len(lengths)
    epoch = seen = 0
    while seen < wanted:
        rng = random.Random(f"batches {seed} {epoch}")
        for documents in budget_batches(lengths, budget=budget, rng=rng):
            if seen >= wanted:
                return
            yield PlannedBatch(epoch, documents, seen)
            seen += len(documents)
        epoch += 1
