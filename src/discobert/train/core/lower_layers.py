"""The lower encoder layers that analyser and summariser share, run over whole documents.

P pieces of a document, H encoder width.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from discobert.nn.encoder import LowerLayers as TorchLowerLayers
from discobert.runtime.encoder import LowerLayers
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.pieces import PieceLayout
from discobert.runtime.tensors import Array

MAX_BATCH = 2048
"""Most pieces of one padded batch of sentences."""


class PieceEncoder(Protocol):
    """The frozen lower part of an encoder."""

    @property
    def key(self) -> str:
        """Checksum of its weights."""
        ...

    def vectors(self, layout: PieceLayout) -> Array:
        """Encode every piece, (P, H)."""
        ...


@dataclass(frozen=True)
class RuntimeLowerLayers:
    """The lower layers of a bundle in ONNX Runtime, exactly as they run for users."""

    content: bytes
    """The ONNX file."""

    @cached_property
    def _layers(self) -> LowerLayers:
        return LowerLayers(OnnxModel(self.content))

    @cached_property
    def key(self) -> str:
        """Checksum of the file."""
        return hashlib.sha256(self.content).hexdigest()

    def vectors(self, layout: PieceLayout) -> Array:
        """Encode every piece, (P, H)."""
        return self._layers.vectors(layout).astype(np.float32, copy=False)


@dataclass(frozen=True)
class ModuleLowerLayers:
    """Lower layers in torch, not exported yet."""

    layers: TorchLowerLayers

    @cached_property
    def key(self) -> str:
        """Checksum of the weights."""
        return weights_checksum(self.layers)

    def vectors(self, layout: PieceLayout) -> Array:
        """Encode every piece, (P, H)."""
        with torch.no_grad():
            vectors: Array = lower_layer_vectors(self.layers, layout).numpy()
        return vectors


def lower_layer_vectors(layers: TorchLowerLayers, layout: PieceLayout) -> Tensor:
    """Encode each block (sentence) of a document alone, in padded batches: (P, H)."""
    lengths = np.diff(layout.blocks)
    order = np.argsort(lengths, kind="stable")
    vectors: list[Tensor] = [torch.empty(0)] * len(lengths)
    for group in _similar_lengths(order, lengths):
        longest = int(lengths[group].max())
        ids = np.zeros((len(group), longest), dtype=np.int64)
        for row, block in enumerate(group):
            ids[row, : lengths[block]] = layout.ids[layout.blocks[block] : layout.blocks[block + 1]]
        real = np.arange(longest) < lengths[group][:, None]
        hidden = layers(torch.from_numpy(ids), torch.from_numpy(real))
        for row, block in enumerate(group):
            vectors[block] = hidden[row, : lengths[block]]
    return torch.cat(vectors)


def _similar_lengths(
    order: NDArray[np.integer], lengths: NDArray[np.integer]
) -> list[NDArray[np.integer]]:
    """Cut blocks sorted by length into groups that need little padding."""
    groups, start = [], 0
    for place in range(1, len(order) + 1):
        if place < len(order):
            longest = lengths[order[place]]
            fits = (place - start + 1) * longest <= MAX_BATCH
            if fits and longest <= 1.15 * lengths[order[start]] + 3:
                continue
        groups.append(order[start:place])
        start = place
    return groups


def weights_checksum(module: nn.Module, *, without: str = "") -> str:
    """Return a checksum of a module's weights; names that start with ``without`` are left out."""
    digest = hashlib.sha256()
    for name, value in sorted(module.state_dict().items()):
        if without and name.startswith(without):
            continue
        digest.update(name.encode())
        digest.update(value.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()
