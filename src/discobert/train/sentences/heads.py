"""Heads for an editor's choice and for furniture, trained above the finished network."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from discobert.nn.sentences import N_FEATURES, EditorHeads, SentenceNet, average_heads
from discobert.runtime.tensors import Array
from discobert.scorer.sentence_network import sentence_inputs
from discobert.train.core.loop import ParameterGroup
from discobert.train.core.small_loop import SmallStep, optimise
from discobert.train.sentences.extracts import ExtractDocument
from discobert.train.sentences.settings import SentenceTraining

RATE, WEIGHT_DECAY, DROPOUT = 2e-3, 0.05, 0.3
BATCH = 16
GUM_WEIGHT, NEVER_WEIGHT, LIST_WEIGHT = 1.5, 0.5, 0.5


@dataclass(frozen=True, slots=True)
class _Example:
    """Inputs and targets of the heads for one extract."""

    rows: Tensor
    choice: Tensor
    never: Tensor
    shares: Tensor
    weight: float


def train_heads(
    net: SentenceNet,
    documents: Sequence[ExtractDocument],
    never: Sequence[Array],
    config: SentenceTraining,
) -> dict[str, Tensor]:
    """Train several heads on extracts and return their average, by the runtime's names."""
    rows = [head_inputs(net, doc, p) for doc, p in zip(documents, never, strict=True)]
    joined = torch.cat(rows)
    mean, scale = joined.mean(0), 1 / (joined.std(0, correction=0) + 0.05)
    examples = [
        _Example(
            (inputs - mean) * scale,
            torch.from_numpy(document.choice),
            torch.from_numpy(document.never),
            torch.from_numpy(document.shares),
            GUM_WEIGHT if document.extract.is_gum else 1.0,
        )
        for inputs, document in zip(rows, documents, strict=True)
    ]
    heads = [_fit(examples, config, config.seed + index) for index in range(config.head_seeds)]
    tensors = {"mean": mean, "scale": scale, **average_heads(heads)}
    return {f"editors.{name}": value for name, value in tensors.items()}


@torch.no_grad()
def head_inputs(net: SentenceNet, document: ExtractDocument, never: Array) -> Tensor:
    """Return what the heads read of each sentence: state, features and both logits."""
    inputs = sentence_inputs(document.attended, document.mean, document.surface, never)
    rows = torch.from_numpy(inputs.rows)[None]
    places = torch.from_numpy(inputs.places).long()[None]
    states = net.states(rows, places, torch.tensor([len(document)]))
    extra = net.standardised(rows)
    return torch.cat([states, extra[..., -N_FEATURES:], net.scores(states, extra) / 2], -1)[0]


def _fit(examples: Sequence[_Example], config: SentenceTraining, seed: int) -> EditorHeads:
    torch.manual_seed(seed)
    rng = random.Random(seed)
    width = examples[0].rows.shape[1]
    heads = EditorHeads(width, hidden=config.head_width, dropout=DROPOUT)

    def steps() -> Iterator[SmallStep]:
        n_batches = len(examples) // BATCH + 1
        n_steps, step = config.head_epochs * n_batches, 0
        for _ in range(config.head_epochs):
            order = rng.sample(range(len(examples)), len(examples))
            for some in np.array_split(order, min(n_batches, len(order))):
                batch = [examples[index] for index in some]
                yield SmallStep(1 - step / n_steps, partial(_loss, heads, batch))
                step += 1

    group = ParameterGroup(tuple(heads.parameters()), RATE)
    optimise([group], steps(), weight_decay=WEIGHT_DECAY)
    return heads.eval()


def _loss(heads: EditorHeads, examples: Sequence[_Example]) -> Tensor:
    logits = heads(torch.cat([example.rows for example in examples]))
    sizes = [len(example.rows) for example in examples]
    weights = torch.tensor([example.weight for example in examples])
    choice = torch.cat([example.choice for example in examples])
    never = torch.cat([example.never for example in examples])
    losses = _bce(logits[:, 0], choice) + NEVER_WEIGHT * _bce(logits[:, 1], never)
    single = (torch.repeat_interleave(weights, torch.tensor(sizes)) * losses).mean()
    parts = logits[:, 0].split(sizes)
    lists = [
        -example.weight * (example.shares * torch.log_softmax(part, 0)).sum()
        for example, part in zip(examples, parts, strict=True)
    ]
    return single + LIST_WEIGHT * torch.stack(lists).mean()


def _bce(logits: Tensor, wanted: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none")
