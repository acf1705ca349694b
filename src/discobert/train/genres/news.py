"""The logistic regression that tells news from other texts."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from discobert.scorer.genre_network import NewsDetector
from discobert.train.genres.examples import GenreExample

_ITERATIONS = 100
_LEAST_DEVIATION = 0.02


def train_news(examples: Sequence[GenreExample], *, ridge: float) -> dict[str, Tensor]:
    """Fit the regression to the mean vectors of texts; return the tensors of ``NewsDetector``."""
    rows = np.stack([example.means.mean(0) for example in examples])
    mean, scale = rows.mean(0), 1 / (rows.std(0) + np.float32(_LEAST_DEVIATION))
    inputs = torch.from_numpy((rows - mean) * scale)
    wanted = torch.tensor([float(example.is_news) for example in examples])
    weights = torch.zeros(inputs.shape[1] + 1, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=_ITERATIONS)

    def loss() -> Tensor:
        optimizer.zero_grad()
        logits = inputs @ weights[:-1] + weights[-1]
        fit = functional.binary_cross_entropy_with_logits(logits, wanted)
        total: Tensor = fit + ridge * (weights[:-1] ** 2).sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    found = weights.detach()
    return {
        "news.mean": torch.from_numpy(mean),
        "news.scale": torch.from_numpy(scale),
        "news.weight": found[None, :-1].clone(),
        "news.bias": found[-1:].clone(),
    }


def news_accuracy(tensors: dict[str, Tensor], examples: Sequence[GenreExample]) -> float:
    """Return the share of texts that the regression tells right."""
    detector = NewsDetector.of({name: value.numpy() for name, value in tensors.items()})
    right = [detector(example.means) == example.is_news for example in examples]
    return sum(right) / max(len(right), 1)
