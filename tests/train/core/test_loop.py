"""The training loop on a linear regression: schedule, exact resumption, early stopping."""

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402 - after the check

from discobert.train.core.batches import FixedSizePlan, PlannedBatch  # noqa: E402
from discobert.train.core.curves import read_curve  # noqa: E402
from discobert.train.core.loop import (  # noqa: E402
    Loop,
    LoopConfig,
    ParameterGroup,
    Position,
    Validation,
)
from discobert.train.core.machine import PlainMachine  # noqa: E402

CONFIG = LoopConfig(
    warmup_steps=1,
    weight_decay=0.0,
    clip=10.0,
    average_decay=0.0,
    log_every=1,
    checkpoint_minutes=60.0,
    seed=1,
)
POINTS = torch.eye(4)
WANTED = torch.tensor([[1.0], [-2.0], [0.5], [3.0]])


class Regression:
    """Squared error of a linear map, with noise from the loop's generator."""

    def __init__(self, rng: random.Random, noise: float = 0.0) -> None:
        self.rng = rng
        self.noise = noise

    def __call__(self, net: nn.Module, planned: PlannedBatch) -> dict[str, Tensor]:
        rows = list(planned.documents)
        wanted = WANTED[rows] + self.noise * self.rng.gauss(0, 1)
        return {"loss": (net(POINTS[rows]) - wanted).square().mean()}


def network(dropout: float = 0.0) -> nn.Module:
    torch.manual_seed(3)
    return nn.Sequential(nn.Dropout(dropout), nn.Linear(4, 1))


def loop(
    out: Path,
    net: nn.Module,
    *,
    config: LoopConfig = CONFIG,
    epochs: float = 60.0,
    noise: float = 0.0,
    validation: Validation | None = None,
    max_steps: int | None = None,
) -> Loop:
    out.mkdir(exist_ok=True)
    rng = random.Random(5)
    return Loop(
        net=net,
        groups=[ParameterGroup(tuple(net.parameters()), 0.1)],
        plan=FixedSizePlan([False] * 4, 1.0, size=2, epochs=epochs, seed=1),
        losses=Regression(rng, noise),
        validation=validation,
        config=config,
        out=out,
        machine=PlainMachine(),
        rng=rng,
        max_steps=max_steps,
    )


def weights(net: nn.Module) -> Tensor:
    flat: Tensor = torch.cat([parameter.detach().flatten() for parameter in net.parameters()])
    return flat


def test_the_loss_falls_to_nothing(tmp_path: Path) -> None:
    net = network()
    loop(tmp_path, net).run(resume=False)
    rows = read_curve(tmp_path / "curve.csv")
    assert [row["step"] for row in rows] == list(range(1, 121))
    assert rows[-1]["loss"] < 0.1 * rows[0]["loss"]  # a moving average
    torch.testing.assert_close(net(POINTS).detach(), WANTED, atol=0.1, rtol=0)


def test_the_rate_rises_to_its_peak_and_falls_to_the_end(tmp_path: Path) -> None:
    config = replace(CONFIG, warmup_steps=5)
    loop(tmp_path, network(), config=config, epochs=10.0).run(resume=False)
    rates = [row["rate"] for row in read_curve(tmp_path / "curve.csv")]
    expected = [
        0.1 * min(1.0, (step + 1) / 5) * max(0.02, 1 - step / 20) for step in range(len(rates))
    ]
    assert rates == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("average_decay", [0.0, 0.9])
def test_an_interrupted_run_resumes_to_the_same_weights(
    average_decay: float, tmp_path: Path
) -> None:
    config = replace(CONFIG, average_decay=average_decay)
    whole, parts, again = network(0.3), network(0.3), network(0.3)
    loop(tmp_path / "whole", whole, config=config, noise=0.5).run(resume=False)
    cut = loop(tmp_path / "parts", parts, config=config, noise=0.5, max_steps=37)
    cut.run(resume=False)
    assert not torch.equal(weights(parts), weights(whole))
    loop(tmp_path / "parts", again, config=config, noise=0.5).run(resume=True)
    assert torch.equal(weights(again), weights(whole))
    first, second = (read_curve(tmp_path / name / "curve.csv") for name in ("whole", "parts"))
    assert [row["loss"] for row in first] == [row["loss"] for row in second]


class Scripted:
    """Returns given errors and notes the weights that each belongs to."""

    def __init__(self, net: nn.Module, errors: list[float]) -> None:
        self.net = net
        self.errors = iter(errors)
        self.seen: list[Tensor] = []

    def __call__(self) -> Mapping[str, float]:
        self.seen.append(weights(self.net))
        return {"error": next(self.errors)}


def test_training_stops_early_and_the_best_weights_are_kept(tmp_path: Path) -> None:
    net = network()
    measure = Scripted(net, [5.0, 2.0, 4.0, 3.0, 1.0])
    config = replace(CONFIG, validate_every=3, patience=2, log_every=0)
    lowest = Validation(measure, "error", higher_is_better=False)
    loop(tmp_path, net, config=config, validation=lowest).run(resume=False)
    rows = read_curve(tmp_path / "curve.csv")
    assert [(row["step"], row["error"]) for row in rows] == [(3, 5), (6, 2), (9, 4), (12, 3)]
    assert torch.equal(weights(net), measure.seen[1])
    assert not torch.equal(weights(net), measure.seen[3])


def test_resuming_a_run_that_stopped_early_takes_no_step(tmp_path: Path) -> None:
    config = replace(CONFIG, validate_every=3, patience=1, log_every=0)
    results = []
    for resume in (False, True):
        net = network()
        highest = Validation(Scripted(net, [1.0, 0.5, 9.0]), "error")
        loop(tmp_path, net, config=config, validation=highest).run(resume=resume)
        results.append(weights(net))
    assert torch.equal(*results)
    assert [row["step"] for row in read_curve(tmp_path / "curve.csv")] == [3, 6]


def test_validation_measures_the_averaged_weights_without_dropout(tmp_path: Path) -> None:
    net = network(0.5)
    modes: list[bool] = []

    def measure() -> Mapping[str, float]:
        modes.append(net.training)
        return {"error": 0.0}

    config = replace(CONFIG, validate_every=2, average_decay=0.9)
    loop(tmp_path, net, config=config, epochs=2.0, validation=Validation(measure, "error")).run(
        resume=False
    )
    assert modes == [False, False]
    assert net.training


def test_a_batch_without_losses_changes_nothing(tmp_path: Path) -> None:
    net = network()
    before = weights(net)
    made = loop(tmp_path, net, epochs=2.0)
    made.losses = lambda net, planned: {}
    made.run(resume=False)
    assert torch.equal(weights(net), before)
    assert read_curve(tmp_path / "curve.csv")[-1]["step"] == 4


def test_weights_of_losses_change_gradients_but_not_the_curve(tmp_path: Path) -> None:
    net = network()
    before = weights(net)
    made = loop(tmp_path, net, epochs=1.0)
    made.loss_weights = {"loss": 0.0}
    made.run(resume=False)
    assert torch.equal(weights(net), before)
    assert read_curve(tmp_path / "curve.csv")[0]["loss"] > 0


def test_checkpoints_of_earlier_versions_are_understood() -> None:
    assert Position(step=3).documents == 0
    earlier = {"step": 3, "documents": 6, "seconds": 1.0, "best": -1.0, "since_best": 0}
    assert Position(**earlier, losses={"loss": 1.0}).step == 3  # type: ignore[arg-type]
