"""Optimisation of small networks: everything is in memory, and no checkpoint is worth its file."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from discobert.train.core.loop import ParameterGroup


@dataclass(frozen=True, slots=True)
class SmallStep:
    """One step: the share of the learning rates that it is made with, and its loss."""

    share: float
    loss: Callable[[], Tensor]


def optimise(
    groups: Sequence[ParameterGroup], steps: Iterable[SmallStep], *, weight_decay: float
) -> None:
    """Make steps of AdamW; each group of parameters has a learning rate of its own."""
    optimizer = torch.optim.AdamW(
        [{"params": list(group.parameters)} for group in groups],
        lr=groups[0].rate,
        weight_decay=weight_decay,
    )
    for step in steps:
        for options, group in zip(optimizer.param_groups, groups, strict=True):
            options["lr"] = group.rate * step.share
        loss = step.loss()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
