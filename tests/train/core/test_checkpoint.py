"""Checkpoints that are damaged, or of another run."""

import errno
import json
import random
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from discobert.errors import InputError
from discobert.train.core import checkpoint
from discobert.train.core.checkpoint import MovingAverage, load_checkpoint, save_checkpoint


class Run:
    """A little network that was trained for a step."""

    def __init__(self, width: int = 3) -> None:
        self.net = nn.Linear(width, 2)
        self.optimizer = torch.optim.AdamW(self.net.parameters())
        self.net(torch.ones(1, width)).sum().backward()
        self.optimizer.step()
        self.average = MovingAverage.of(self.net, 0.9)
        self.rng = random.Random(1)

    def parts(self) -> dict[str, Any]:
        return {
            "net": self.net,
            "optimizer": self.optimizer,
            "average": self.average,
            "rng": self.rng,
        }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "checkpoint"
    save_checkpoint(path, **Run().parts(), position={"step": 7})
    return path


def test_a_whole_checkpoint_is_restored(folder: Path) -> None:
    assert load_checkpoint(folder, **Run().parts()) == {"step": 7}


def test_a_checkpoint_without_checksums_is_restored(folder: Path) -> None:
    state = folder / "state.json"
    record = json.loads(state.read_text())
    del record["sha256"]
    state.write_text(json.dumps(record))
    assert load_checkpoint(folder, **Run().parts()) == {"step": 7}


@pytest.mark.parametrize("name", ["weights", "optimizer", "average"])
def test_a_flipped_bit_is_noticed(folder: Path, name: str) -> None:
    path = folder / f"{name}.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match=f"SHA-256 of {name}.safetensors is not the recorded one"):
        load_checkpoint(folder, **Run().parts())


@pytest.mark.parametrize(
    "change",
    [
        {"rng": [3, [1, 2], None]},
        {"rng": None},
        {"average_steps": None, "rng": "x"},
        {"sha256": {"../other": "0"}},
        {"sha256": []},
        {"format": 9},
    ],
)
def test_malformed_states_are_refused(folder: Path, change: dict[str, object]) -> None:
    state = folder / "state.json"
    state.write_text(json.dumps(json.loads(state.read_text()) | change))
    with pytest.raises(InputError, match="checkpoint"):
        load_checkpoint(folder, **Run().parts())


@pytest.mark.parametrize("content", ["", "[]", "null", "[" * 100_000, '{"format": 1}'])
def test_what_is_no_state_is_refused(folder: Path, content: str) -> None:
    (folder / "state.json").write_text(content)
    with pytest.raises(InputError, match="checkpoint"):
        load_checkpoint(folder, **Run().parts())


def test_weights_of_another_network_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="does not fit this run"):
        load_checkpoint(folder, **Run(width=4).parts())
    other = Run()
    other.net = nn.Sequential(other.net)  # type: ignore[assignment]
    with pytest.raises(InputError, match=r"0\.bias is missing"):
        load_checkpoint(folder, **other.parts())


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_checkpoint_is_replaced_whole_or_not_at_all(
    folder: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    calls = 0

    def save(*given: Any) -> None:  # noqa: ANN401 - as save_file
        nonlocal calls
        calls += 1
        if calls == place:
            raise OSError(errno.ENOSPC, "No space left on device")
        save_file(*given)

    monkeypatch.setattr(checkpoint, "save_file", save)
    with pytest.raises(OSError, match="No space left"):
        save_checkpoint(folder, **Run().parts(), position={"step": 8})
    assert load_checkpoint(folder, **Run().parts()) == {"step": 7}
