"""Training and calibration of the networks that score cuts."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from discobert.analyser.cuts.head import CutFeatures, raw_logits
from discobert.nn.cuts import VIEWS, CutDropout, CutNetwork, network_tensors
from discobert.runtime.tensors import Array
from discobert.train.core.loop import ParameterGroup
from discobert.train.core.small_loop import SmallStep, optimise
from discobert.train.cuts.examples import CutExamples
from discobert.train.cuts.settings import CutTraining

logger = logging.getLogger(__name__)
Ints = NDArray[np.int64]

_LARGEST = 5
_SPREAD = 1e-2
"""Added to standard deviations, so that a feature that is nearly constant stays small."""
_LEAST_VARIANCE = 1e-6
_NEWTON_STEPS = 50


@dataclass(frozen=True, slots=True)
class Scaling:
    """Means and deviations of the training cuts."""

    mean: Array
    deviation: Array
    centres: Mapping[str, Tensor]
    """Mean of each view by kind, (V, H)."""
    scales: Mapping[str, Tensor]
    """Deviation of each view, one for all its columns, (V, 1)."""

    @classmethod
    def of(cls, features: CutFeatures, rows: Ints) -> "Scaling":
        """Measure some cuts."""
        scalars = features.scalars[rows]
        centres, scales = {}, {}
        for name in VIEWS:
            views = _views(features, name)[rows]
            centre = views.mean(axis=0)
            variance = ((views - centre) ** 2).mean(axis=(0, 2))
            centres[name] = torch.from_numpy(centre)
            scales[name] = torch.from_numpy(np.sqrt(variance + _LEAST_VARIANCE))[:, None]
        return cls(scalars.mean(axis=0), scalars.std(axis=0) + np.float32(_SPREAD), centres, scales)

    def scalars(self, features: CutFeatures, rows: Ints) -> Tensor:
        """Return standardised scalars, clipped."""
        scaled = (features.scalars[rows] - self.mean) / self.deviation
        return torch.from_numpy(np.clip(scaled, -_LARGEST, _LARGEST).astype(np.float32))

    def views(self, features: CutFeatures, rows: Ints) -> dict[str, Tensor]:
        """Return standardised views."""
        return {
            name: (torch.from_numpy(_views(features, name)[rows]) - self.centres[name])
            / self.scales[name]
            for name in VIEWS
        }


def _views(features: CutFeatures, name: str) -> Array:
    views: Array = getattr(features, name)
    return views


@dataclass(frozen=True, slots=True)
class TrainedNetwork:
    """A network and the scaling of its inputs."""

    net: CutNetwork
    scaling: Scaling

    def logits(self, features: CutFeatures, rows: Ints) -> Array:
        """Answer the four questions on some cuts, (N, 4)."""
        with torch.no_grad():
            scalars, views = (
                self.scaling.scalars(features, rows),
                self.scaling.views(features, rows),
            )
            found: Array = self.net(scalars, views).numpy()
        return found

    def tensors(self, number: int) -> dict[str, Tensor]:
        """Return the weights by the names of the bundle."""
        return network_tensors(self.net, self.scaling.centres, self.scaling.scales, number)


def train_network(
    training: CutTraining, examples: CutExamples, rows: Ints, *, seed: int
) -> TrainedNetwork:
    """Train one network on some of the examples."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    scaling = Scaling.of(examples.features, rows)
    net = CutNetwork(
        len(examples.names),
        _components(examples.features, rows, scaling, training.view_width),
        hidden=training.hidden,
        second=training.second,
        dropout=CutDropout(training.scalar_dropout, training.view_dropout, training.dropout),
    )
    size = min(training.cuts_per_step, len(rows))
    total = training.epochs * (len(rows) // size)

    def steps() -> Iterator[SmallStep]:
        step = 0
        for _ in range(training.epochs):
            order = rng.permutation(rows)
            for start in range(0, len(order) - size + 1, size):
                some = order[start : start + size]
                yield SmallStep(
                    1 - step / total, partial(_loss, net, scaling, examples, some, training)
                )
                step += 1

    net.train()
    optimise(_groups(net, training), steps(), weight_decay=training.weight_decay)
    return TrainedNetwork(net.eval(), scaling)


def _groups(net: CutNetwork, training: CutTraining) -> list[ParameterGroup]:
    """Let the projections of vectors learn at another rate."""
    slow = tuple(net.projections.parameters())
    fast = (value for name, value in net.named_parameters() if not name.startswith("projections"))
    return [
        ParameterGroup(tuple(fast), training.rate),
        ParameterGroup(slow, training.rate * training.view_rate_share),
    ]


def _loss(
    net: CutNetwork, scaling: Scaling, examples: CutExamples, rows: Ints, training: CutTraining
) -> Tensor:
    features = examples.features
    logits = net(scaling.scalars(features, rows), scaling.views(features, rows))
    share = training.smoothing
    targets = torch.from_numpy(examples.answers[rows]) * (1 - share) + share / 2
    losses = binary_cross_entropy_with_logits(logits, targets, reduction="none")
    weights = torch.tensor([training.question_weight] * 3 + [1.0])
    return (losses * weights).sum(1).mean()


def _components(
    features: CutFeatures, rows: Ints, scaling: Scaling, width: int
) -> dict[str, Tensor]:
    """Return the principal components of each view, scaled to halves: (V, H, K) by kind."""
    found: dict[str, Tensor] = {}
    for name in VIEWS:
        views = _views(features, name)[rows]
        columns = []
        for number in range(views.shape[1]):
            centred = views[:, number] - views[:, number].mean(axis=0)
            values, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
            lengths = np.sqrt(np.maximum(values[::-1][:width], 0) + _LEAST_VARIANCE)
            columns.append(vectors[:, ::-1][:, :width] / lengths / 2)
        start = torch.from_numpy(np.stack(columns).astype(np.float32))
        found[name] = start * scaling.scales[name][:, :, None]
    return found


@dataclass(frozen=True, slots=True)
class Calibration:
    """Slope and intercept on raw logits, and thresholds by precision, from held-out documents."""

    slope: float
    intercept: float
    thresholds: Mapping[str, float]
    """The least probability whose cuts, and all above, have this precision."""


def calibrate(training: CutTraining, examples: CutExamples) -> Calibration:
    """Cross-validate by document and fit the calibration to what was held out."""
    folds = _folds(examples.documents, training.folds, training.seed)
    logits = np.zeros(len(folds), dtype=np.float32)
    for fold in range(training.folds):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        trained = train_network(training, examples, inside, seed=training.seed - 1)
        logits[outside] = raw_logits(trained.logits(examples.features, outside))
        logger.info("cross-validated fold %d of %d", fold + 1, training.folds)
    truths = examples.answers[:, 3] > 0.5
    slope, intercept = fit_calibration(logits.astype(np.float64), truths)
    probabilities = 1 / (1 + np.exp(-(slope * logits + intercept)))
    precisions = (0.80, 0.85, 0.90)
    thresholds = {f"{p:.2f}": threshold_at(probabilities, truths, p) for p in precisions}
    return Calibration(slope, intercept, thresholds)


def _folds(documents: NDArray[np.str_], n_folds: int, seed: int) -> Ints:
    names, places = np.unique(documents, return_inverse=True)
    numbers = np.random.default_rng(seed).permutation(len(names)) % n_folds
    folds: Ints = numbers[places]
    return folds


def fit_calibration(logits: NDArray[np.float64], truths: NDArray[np.bool_]) -> tuple[float, float]:
    """Fit slope and intercept by logistic regression (Newton's method)."""
    inputs = np.stack([logits, np.ones_like(logits)], axis=1)
    weights = np.array([1.0, 0.0])
    ridge = 1e-6 * np.eye(2)
    for _ in range(_NEWTON_STEPS):
        shares = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (shares - truths) + ridge @ weights
        curvature = (inputs * (shares * (1 - shares))[:, None]).T @ inputs + ridge
        weights -= np.clip(np.linalg.solve(curvature, gradient), -1, 1)
    return float(weights[0]), float(weights[1])


def threshold_at(
    probabilities: NDArray[np.float64], truths: NDArray[np.bool_], precision: float
) -> float:
    """Return the lowest threshold of a precision; 1 if there is none."""
    order = np.argsort(-probabilities, kind="stable")
    good = np.cumsum(truths[order]) >= precision * np.arange(1, len(order) + 1)
    return float(probabilities[order][np.flatnonzero(good)[-1]]) if good.any() else 1.0
