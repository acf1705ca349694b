"""The model of furniture from surface features alone, trained in seconds."""

import math
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from discobert.nn.sentences import NeverNet
from discobert.runtime.tensors import Array
from discobert.scorer.sentence_features import never_inputs
from discobert.scorer.sentence_network import NeverModel
from discobert.train.core.loop import ParameterGroup
from discobert.train.core.small_loop import SmallStep, optimise
from discobert.train.sentences.extracts import ExtractDocument
from discobert.train.sentences.settings import SentenceTraining

RATE, WEIGHT_DECAY, BATCH = 2e-3, 1e-2, 256
FOLDS = 5


def train_never(
    documents: Sequence[ExtractDocument], config: SentenceTraining, *, seed: int
) -> dict[str, Tensor]:
    """Train on the furniture of extracts; return the tensors of ``NeverModel``."""
    torch.manual_seed(seed)
    rows = np.concatenate([never_inputs(document.surface) for document in documents])
    mean, scale = rows.mean(0), 1 / (rows.std(0) + np.float32(0.05))
    inputs = torch.from_numpy((rows - mean) * scale)
    wanted = torch.from_numpy(np.concatenate([document.never for document in documents]))
    net = NeverNet(hidden=config.never_width)

    def loss(some: Tensor) -> Tensor:
        return functional.binary_cross_entropy_with_logits(net(inputs[some]), wanted[some])

    def steps() -> Iterator[SmallStep]:
        for epoch in range(config.never_epochs):
            share = (1 + math.cos(math.pi * epoch / config.never_epochs)) / 2
            for some in torch.split(torch.randperm(len(inputs)), BATCH):
                yield SmallStep(share, partial(loss, some))

    group = ParameterGroup(tuple(net.parameters()), RATE)
    optimise([group], steps(), weight_decay=WEIGHT_DECAY)
    tensors = {"mean": torch.from_numpy(mean), "scale": torch.from_numpy(scale), **net.tensors()}
    return {f"surface.{name}": value.detach().float() for name, value in tensors.items()}


def never_model(tensors: dict[str, Tensor]) -> NeverModel:
    """Build the model that the runtime uses."""
    return NeverModel.of({name: value.numpy() for name, value in tensors.items()})


def held_out_never(documents: Sequence[ExtractDocument], config: SentenceTraining) -> list[Array]:
    """Return the probabilities of each extract from a model that has not seen it."""
    found: list[Array] = [document.never for document in documents]
    for fold in range(min(FOLDS, len(documents))):
        others = [document for i, document in enumerate(documents) if i % FOLDS != fold]
        model = never_model(train_never(others or documents, config, seed=config.seed + fold))
        for index in range(fold, len(documents), FOLDS):
            found[index] = model(documents[index].surface)
    return found
