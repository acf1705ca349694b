"""The heads for texts that are no news: an editor's choice, furniture, gain in ROUGE."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from discobert.metrics.ranking import area_under_curve
from discobert.nn.sentences import EditorHeads, average_heads
from discobert.scorer.genre_network import N_OUTPUTS, GenreNetwork
from discobert.train.core.loop import ParameterGroup
from discobert.train.core.small_loop import SmallStep, optimise
from discobert.train.genres.examples import GenreExample
from discobert.train.genres.settings import GenreTraining

BEST, NEVER, GAIN = range(N_OUTPUTS)
_LEAST_DEVIATION = 0.05


@dataclass(frozen=True, slots=True)
class _Targets:
    """Standardised inputs (N, I) of one text; targets that it does not have are None."""

    rows: Tensor
    weight: float
    choice: Tensor | None = None
    never: Tensor | None = None
    shares: Tensor | None = None
    gain: Tensor | None = None


def train_heads(examples: Sequence[GenreExample], config: GenreTraining) -> dict[str, Tensor]:
    """Train several heads and return their average, by the runtime's names."""
    joined = torch.cat([torch.from_numpy(example.inputs) for example in examples])
    mean, scale = joined.mean(0), 1 / (joined.std(0, correction=0) + _LEAST_DEVIATION)
    targets = [_targets(example, mean, scale, config) for example in examples]
    heads = [_fit(targets, config, config.seed + index) for index in range(config.seeds)]
    tensors = {"mean": mean, "scale": scale, **average_heads(heads)}
    return {f"heads.{name}": value for name, value in tensors.items()}


def _targets(example: GenreExample, mean: Tensor, scale: Tensor, config: GenreTraining) -> _Targets:
    rows = (torch.from_numpy(example.inputs) - mean) * scale
    weight = config.news_weight if example.is_news else 1.0
    document = example.extract
    choice = never = shares = gain = None
    if document is not None:
        choice, never = torch.from_numpy(document.choice), torch.from_numpy(document.never)
        shares = torch.from_numpy(document.shares)
    if example.gain is not None:
        relative = torch.from_numpy(example.gain) / max(float(example.gain.max()), 1e-3)
        gain = torch.softmax(config.gain_scale * relative, 0)
    return _Targets(rows, weight, choice, never, shares, gain)


def _fit(targets: Sequence[_Targets], config: GenreTraining, seed: int) -> EditorHeads:
    torch.manual_seed(seed)
    heads = EditorHeads(
        targets[0].rows.shape[1],
        hidden=config.width,
        dropout=config.dropout,
        outputs=N_OUTPUTS,
    )
    group = ParameterGroup(tuple(heads.parameters()), config.rate)
    steps = _steps(heads, targets, config, random.Random(seed))
    optimise([group], steps, weight_decay=config.weight_decay)
    return heads.eval()


def _steps(
    heads: EditorHeads, targets: Sequence[_Targets], config: GenreTraining, rng: random.Random
) -> Iterator[SmallStep]:
    n_batches = len(targets) // config.documents_per_step + 1
    n_steps, step = config.epochs * n_batches, 0
    for _ in range(config.epochs):
        order = rng.sample(range(len(targets)), len(targets))
        for some in np.array_split(order, min(n_batches, len(order))):
            batch = [targets[index] for index in some.tolist()]
            yield SmallStep(1 - step / n_steps, partial(_loss, heads, batch, config))
            step += 1


def _loss(heads: EditorHeads, batch: Sequence[_Targets], config: GenreTraining) -> Tensor:
    logits = heads(torch.cat([text.rows for text in batch]))
    single, lists, n_sentences = torch.zeros(()), torch.zeros(()), 0
    for text, part in zip(batch, logits.split([len(text.rows) for text in batch]), strict=True):
        if text.choice is not None and text.never is not None and text.shares is not None:
            losses = _bce(part[:, BEST], text.choice)
            losses = losses + config.never_weight * _bce(part[:, NEVER], text.never)
            single = single + text.weight * losses.sum()
            n_sentences += len(part)
            choice = _listwise(part[:, BEST], text.shares)
            lists = lists + config.list_weight * text.weight * choice
        if text.gain is not None:
            gain = _listwise(part[:, GAIN], text.gain)
            lists = lists + config.gain_weight * text.weight * gain
    return single / max(n_sentences, 1) + lists / len(batch)


def _bce(logits: Tensor, wanted: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none")


def _listwise(logits: Tensor, shares: Tensor) -> Tensor:
    return -(shares * torch.log_softmax(logits, 0)).sum()


@dataclass(frozen=True, slots=True)
class HeadAccuracy:
    """Areas under the curve, means over texts."""

    documents: int
    best: float
    never: float


def measure_heads(network: GenreNetwork, examples: Sequence[GenreExample]) -> HeadAccuracy:
    """Rank the sentences of extracts and compare with what an editor chose."""
    best, never = [], []
    for example in examples:
        if example.extract is None:
            continue
        logits = network.logits(example.inputs).astype(np.float64)
        best.append(area_under_curve(example.extract.choice == 1, logits[:, BEST]))
        never.append(area_under_curve(example.extract.never == 1, logits[:, NEVER]))
    return HeadAccuracy(len(best), float(np.mean(best)), float(np.mean(never)))
