"""Averaged weights, and checkpoints that resume exactly: no pickle, whole or not at all."""

import json
import random
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from discobert.errors import InputError, UsageError
from discobert.store.files import checksum

FORMAT = 1
STATE, STATE_SUM = "state.json", "state.sha256"


def trainable(net: nn.Module) -> dict[str, Tensor]:
    """Copy the weights that are trained."""
    return {
        name: p.detach().cpu().clone().contiguous()
        for name, p in net.named_parameters()
        if p.requires_grad
    }


def copy_weights(net: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Overwrite the parameters that ``weights`` names; others stay as they are."""
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name in weights:
                parameter.copy_(weights[name])


@dataclass(slots=True)
class MovingAverage:
    """An exponential moving average of a module's trainable weights."""

    decay: float
    values: dict[str, Tensor]
    steps: int = 0

    @classmethod
    def of(cls, net: nn.Module, decay: float) -> "MovingAverage":
        """Start an average at the module's present weights."""
        return cls(
            decay, {n: p.detach().clone() for n, p in net.named_parameters() if p.requires_grad}
        )

    def update(self, net: nn.Module) -> None:
        """Move towards the module's weights; early steps count more."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for name, parameter in net.named_parameters():
            if name in self.values:
                self.values[name].lerp_(parameter.detach(), 1 - decay)


@contextmanager
def averaged(net: nn.Module, average: MovingAverage | None) -> Iterator[None]:
    """Put a network into evaluation mode with the averaged weights; its own return afterwards."""
    own = trainable(net)
    was_training = net.training
    if average is not None:
        copy_weights(net, average.values)
    net.eval()
    try:
        yield
    finally:
        net.train(was_training)
        if average is not None:
            copy_weights(net, own)


def save_checkpoint(
    folder: Path,
    *,
    net: nn.Module,
    optimizer: torch.optim.Optimizer,
    average: MovingAverage | None,
    rng: random.Random,
    position: Mapping[str, Any],
) -> None:
    """Write a checkpoint beside the old one, then swap: a crash leaves one of them whole."""
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        fresh.mkdir(parents=True)
        _write_parts(fresh, net, optimizer, average, rng, position)
    except (OSError, SafetensorError) as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise UsageError(f"{folder}: the checkpoint cannot be written: {error}") from error
    old = _old(folder)
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        Path(folder).replace(old)
    Path(fresh).replace(folder)
    shutil.rmtree(old, ignore_errors=True)


def find_checkpoint(folder: Path) -> Path | None:
    """Return the checkpoint, or the old one if a crash fell between the two renames, or nothing."""
    return next((path for path in (folder, _old(folder)) if path.exists()), None)


def _old(folder: Path) -> Path:
    return folder.with_name(folder.name + ".old")


def _write_parts(
    fresh: Path,
    net: nn.Module,
    optimizer: torch.optim.Optimizer,
    average: MovingAverage | None,
    rng: random.Random,
    position: Mapping[str, Any],
) -> None:
    """Write weights and states, then the checksums of them."""
    save_file(trainable(net), fresh / "weights.safetensors")
    if average is not None:
        save_file(average.values, fresh / "average.safetensors")
    state = optimizer.state_dict()["state"]
    moments = {
        f"{i}.{name}": value for i, values in state.items() for name, value in values.items()
    }
    save_file({"torch_rng": torch.get_rng_state(), **moments}, fresh / "optimizer.safetensors")
    version, internal, gauss = rng.getstate()
    record = {
        "format": FORMAT,
        "position": position,
        "average_steps": average.steps if average else 0,
        "rng": [version, list(internal), gauss],
        "sha256": {path.name: checksum(path) for path in sorted(fresh.iterdir())},
    }
    (fresh / STATE).write_text(json.dumps(record), encoding="utf-8")
    (fresh / STATE_SUM).write_text(checksum(fresh / STATE), encoding="utf-8")


def load_checkpoint(
    folder: Path,
    *,
    net: nn.Module,
    optimizer: torch.optim.Optimizer,
    average: MovingAverage | None,
    rng: random.Random,
) -> dict[str, Any]:
    """Restore all that a checkpoint holds, in place, and return its position."""
    try:
        record = _read_state(folder)
        _compare_checksums(folder, record)
        weights = load_file(folder / "weights.safetensors")
        moments = load_file(folder / "optimizer.safetensors")
        averages = load_file(folder / "average.safetensors") if average is not None else {}
    except Exception as error:  # safetensors raises its own kinds for cut files
        message = f"checkpoint {folder} is damaged or incomplete ({error}); remove it to start anew"
        raise InputError(message) from error
    if record.get("format") != FORMAT:
        raise InputError(
            f"checkpoint {folder} has format {record.get('format')}, this version reads {FORMAT}"
        )
    try:
        _restore(
            record,
            net=net,
            optimizer=optimizer,
            average=average,
            rng=rng,
            files=(weights, moments, averages),
        )
    except Exception as error:  # whatever torch says about states of another shape
        message = f"checkpoint {folder} does not fit this run ({error}); remove it to start anew"
        raise InputError(message) from error
    position: dict[str, Any] = record["position"]
    return position


def _read_state(folder: Path) -> dict[str, Any]:
    """Read the state, which holds the checksums of all other files; its own lies beside it."""
    own = folder / STATE_SUM
    if own.exists() and own.read_text(encoding="utf-8") != checksum(folder / STATE):
        raise ValueError(f"the SHA-256 of {STATE} is not the recorded one")
    record: dict[str, Any] = json.loads((folder / STATE).read_text(encoding="utf-8"))
    return record


def _compare_checksums(folder: Path, record: Mapping[str, Any]) -> None:
    """Compare the files with their recorded checksums; older checkpoints have none."""
    for name, sha256 in record.get("sha256", {}).items():
        if checksum(folder / Path(name).name) != sha256:
            raise ValueError(f"the SHA-256 of {name} is not the recorded one")


def _restore(
    record: Mapping[str, Any],
    *,
    net: nn.Module,
    optimizer: torch.optim.Optimizer,
    average: MovingAverage | None,
    rng: random.Random,
    files: tuple[dict[str, Tensor], dict[str, Tensor], dict[str, Tensor]],
) -> None:
    if not isinstance(record["position"], dict):
        raise TypeError("its position is no object")
    weights, moments, averages = files
    learned = trainable(net)
    missing = learned.keys() - weights.keys()
    if missing:
        raise ValueError(f"{min(missing)} is missing")
    _check_shapes("weights", {name: weights[name] for name in learned}, learned)
    copy_weights(net, weights)
    torch.set_rng_state(moments.pop("torch_rng"))
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in moments.items():
        index, name = key.split(".", 1)
        state.setdefault(int(index), {})[name] = value
    _check_moments(optimizer, state)
    optimizer.load_state_dict(
        {"state": state, "param_groups": optimizer.state_dict()["param_groups"]}
    )
    if average is not None:
        _check_shapes("average", averages, average.values)
        steps = record["average_steps"]
        if not isinstance(steps, int) or steps < 0:
            raise TypeError("average_steps is no count")
        average.values, average.steps = averages, steps
    version, internal, gauss = record["rng"]
    rng.setstate((version, tuple(internal), gauss))


def _check_moments(
    optimizer: torch.optim.Optimizer, state: Mapping[int, Mapping[str, Tensor]]
) -> None:
    """Compare the optimizer's state with its weights, which torch would do at the next step."""
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    names = {name for values in state.values() for name in values}
    for index, values in state.items():
        like = {name: values["step"] if name == "step" else weights[index] for name in names}
        _check_shapes(f"optimizer, weight {index}", values, like)


def _check_shapes(part: str, found: Mapping[str, Tensor], like: Mapping[str, Tensor]) -> None:
    if found.keys() != like.keys():
        raise ValueError(f"{part}: {min(found.keys() ^ like.keys())} is missing or unknown")
    for name, values in found.items():
        if values.shape != like[name].shape or not values.is_floating_point():
            raise ValueError(f"{part}: {name} has another shape or type")
