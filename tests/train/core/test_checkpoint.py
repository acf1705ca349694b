"""Checkpoints that are damaged, or of another run."""

import errno
import json
import random
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from discobert.errors import InputError, UsageError
from discobert.train.core import checkpoint
from discobert.train.core.checkpoint import (
    MovingAverage,
    find_checkpoint,
    load_checkpoint,
    save_checkpoint,
)
from discobert.train.core.loop import Position
from discobert.train.core.weights_file import read_weights_file, write_weights_file


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
    (folder / "state.sha256").unlink()
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
        {"average_steps": "1"},
        {"average_steps": -1},
        {"sha256": {"../other": "0"}},
        {"sha256": []},
        {"format": 9},
    ],
)
def test_malformed_states_are_refused(folder: Path, change: dict[str, object]) -> None:
    state = folder / "state.json"
    state.write_text(json.dumps(json.loads(state.read_text()) | change))
    (folder / "state.sha256").unlink()
    with pytest.raises(InputError, match="checkpoint"):
        load_checkpoint(folder, **Run().parts())


@pytest.mark.parametrize("values", [None, torch.ones(1), torch.ones(()), torch.ones(2, 3).int()])
@pytest.mark.parametrize(
    ("file", "name"),
    [("weights", "weight"), ("average", "weight"), ("optimizer", "0.exp_avg")],
)
def test_parts_of_other_shapes_are_refused(
    folder: Path, file: str, name: str, values: torch.Tensor | None
) -> None:
    """Torch stretches a lone number to any shape, and sees the rest at the next step only."""
    path, state = folder / f"{file}.safetensors", folder / "state.json"
    tensors = load_file(path)
    del tensors[name]
    save_file(tensors if values is None else {**tensors, name: values}, path)
    state.write_text(json.dumps(json.loads(state.read_text()) | {"sha256": {}}))
    (folder / "state.sha256").unlink()
    with pytest.raises(InputError, match="does not fit this run"):
        load_checkpoint(folder, **Run().parts())


@pytest.mark.parametrize("content", ["", "[]", "null", "[" * 100_000, '{"format": 1}'])
def test_what_is_no_state_is_refused(folder: Path, content: str) -> None:
    (folder / "state.json").write_text(content)
    (folder / "state.sha256").unlink()
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
    kinds = (OSError(errno.ENOSPC, "No space left on device"), SafetensorError("No space left"))
    calls = 0

    def save(*given: Any) -> None:  # noqa: ANN401 - as save_file
        nonlocal calls
        calls += 1
        if calls == place:
            raise kinds[place % 2]
        save_file(*given)

    monkeypatch.setattr(checkpoint, "save_file", save)
    with pytest.raises(UsageError, match=r"the checkpoint cannot be written.*No space left"):
        save_checkpoint(folder, **Run().parts(), position={"step": 8})
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert load_checkpoint(folder, **Run().parts()) == {"step": 7}


@pytest.mark.parametrize("place", ["step", "sha256", "rng"])
def test_a_flipped_bit_of_the_state_is_noticed(folder: Path, place: str) -> None:
    state = folder / "state.json"
    data = bytearray(state.read_bytes())
    data[data.index(f'"{place}"'.encode()) + len(place) + 4] ^= 1
    state.write_bytes(data)
    with pytest.raises(InputError, match=r"SHA-256 of state\.json is not the recorded one"):
        load_checkpoint(folder, **Run().parts())


@pytest.mark.parametrize("position", [None, [], "7"])
def test_a_state_without_a_position_is_refused(folder: Path, position: object) -> None:
    state = folder / "state.json"
    state.write_text(json.dumps(json.loads(state.read_text()) | {"position": position}))
    (folder / "state.sha256").unlink()  # as checkpoints of earlier versions
    with pytest.raises(InputError, match=r"checkpoint .* does not fit this run"):
        load_checkpoint(folder, **Run().parts())


@pytest.mark.parametrize(
    "stored", [{"step": "7"}, {"step": -1}, {"best": None}, {"losses": {"a": "b"}}, {"losses": 3}]
)
def test_positions_of_other_kinds_are_refused(stored: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Position(**stored)


def test_the_old_checkpoint_is_found_after_a_crash_between_the_renames(folder: Path) -> None:
    assert find_checkpoint(folder) == folder
    old = folder.rename(folder.with_name("checkpoint.old"))
    assert find_checkpoint(folder) == old
    old.rename(folder.with_name("other"))
    assert find_checkpoint(folder) is None


def test_weights_are_those_that_were_written(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    weights = {"a": torch.arange(4.0), "b": torch.ones(2, dtype=torch.bfloat16)}
    write_weights_file(path, weights)
    found = read_weights_file(path)
    assert all(torch.equal(found[name], value) for name, value in weights.items())
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="not those that were written"):
        read_weights_file(path)


def test_weights_of_other_origin_need_no_checksum_but_must_be_whole(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save_file({"a": torch.ones(3)}, path)
    assert read_weights_file(path)["a"].tolist() == [1, 1, 1]
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(InputError, match="damaged or cut short"):
        read_weights_file(path)
    with pytest.raises(InputError, match="missing"):
        read_weights_file(tmp_path / "none.safetensors")
