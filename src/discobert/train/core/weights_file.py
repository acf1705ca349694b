"""Weights of a run in one file, with a checksum inside: a flipped bit must not become a model."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save
from torch import Tensor

from discobert.errors import InputError
from discobert.store.files import write_whole

_SUM = "sha256"


def write_weights_file(path: Path, weights: Mapping[str, Tensor]) -> None:
    """Write weights, whole or not at all."""
    tensors = dict(weights)
    write_whole(path, save(tensors, metadata={_SUM: _checksum(tensors)}))


def read_weights_file(path: Path) -> dict[str, Tensor]:
    """Read weights and compare them with their checksum; files of other origin have none."""
    try:
        with safe_open(path, framework="pt") as file:
            expected = (file.metadata() or {}).get(_SUM)
        weights: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError) as error:
        raise InputError(f"{path}: missing, damaged or cut short: {error}") from error
    if expected is not None and _checksum(weights) != expected:
        raise InputError(f"{path}: damaged: the weights are not those that were written")
    return weights


def _checksum(weights: dict[str, Tensor]) -> str:
    return hashlib.sha256(save(weights)).hexdigest()
