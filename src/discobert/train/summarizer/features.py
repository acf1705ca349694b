"""What is cached of a document: what the trunk said, what the branch made of it, or units."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from discobert.errors import ConfigError
from discobert.nn.batch import EduBatch, Slice, WindowSizes, join
from discobert.nn.encoder import LowerLayers as TorchTrunk
from discobert.nn.export.summarizer import branch_graph
from discobert.nn.readers import BranchReader
from discobert.runtime.encoder import LowerLayers, UpperLayers
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.pieces import PieceLayout
from discobert.runtime.tensors import Array
from discobert.train.analyser.encode import trunk_vectors
from discobert.train.core.cache import Halves
from discobert.train.export.precision import Precision, prepare_graph
from discobert.train.summarizer.items import Item


class Trained(Enum):
    """Which part of the network learns; what lies below it is frozen and cached."""

    DOCUMENT = "document"
    """The document-level part, on cached vectors of units."""

    SPANS = "spans"
    """SpanExt too, on cached vectors of pieces."""

    ENCODER = "encoder"
    """The encoder's upper layers too, on cached vectors of the trunk (or all of a BERT)."""

    ALIGN = "align"
    """The branch alone, on what the whole encoder said before its trunk changed; no labels."""

    RANKER = "ranker"
    """Nothing but the ranker of candidate summaries, on cached vectors of units."""

    @property
    def reads_trunk(self) -> bool:
        """Whether only the trunk is frozen and cached."""
        return self in {Trained.ENCODER, Trained.ALIGN}

    @property
    def reads_units(self) -> bool:
        """Whether unit vectors are cached, so that no piece is needed any more."""
        return self in {Trained.DOCUMENT, Trained.RANKER}

    @classmethod
    def _missing_(cls, value: object) -> "Trained":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown part {value!r} to train: use one of {allowed}")


class PieceEncoder(Protocol):
    """The frozen lower part of an encoder."""

    @property
    def key(self) -> str:
        """A checksum of its weights."""
        ...

    def vectors(self, layout: PieceLayout) -> Array:
        """Encode every piece, (P, H)."""
        ...


class UnitReader(Protocol):
    """The upper part of an encoder and SpanExt."""

    def pieces(self, batch: EduBatch) -> Tensor:
        """Encode every piece, (P, H)."""
        ...

    def __call__(self, batch: EduBatch) -> Tensor:
        """Read units, (T, H)."""
        ...


@dataclass(frozen=True)
class RuntimeTrunk:
    """The trunk of a bundle, exactly as it runs for users."""

    graph: bytes

    @cached_property
    def _trunk(self) -> LowerLayers:
        return LowerLayers(OnnxModel(self.graph))

    @cached_property
    def key(self) -> str:
        """Checksum of the graph."""
        return hashlib.sha256(self.graph).hexdigest()

    def vectors(self, layout: PieceLayout) -> Array:
        """Encode every piece, (P, H)."""
        return self._trunk.vectors(layout).astype(np.float32, copy=False)


@dataclass(frozen=True)
class ModuleTrunk:
    """A trunk that was not exported yet."""

    trunk: TorchTrunk

    @cached_property
    def key(self) -> str:
        """Checksum of the weights."""
        return weights_key(self.trunk)

    def vectors(self, layout: PieceLayout) -> Array:
        """Encode every piece, (P, H)."""
        with torch.no_grad():
            vectors: Array = trunk_vectors(self.trunk, layout).numpy()
        return vectors


@dataclass(frozen=True)
class PieceIds:
    """No frozen part at all: the encoder above reads the ids of pieces."""

    key: str = "ids"

    def vectors(self, layout: PieceLayout) -> Array:
        """Return the ids as one column of halves' worth; they are read from the layout instead."""
        return np.zeros((len(layout.ids), 0), dtype=np.float32)


@dataclass(frozen=True)
class RuntimeReader:
    """A reader whose frozen branch runs as it will for users, in int8; SpanExt stays in torch."""

    reader: BranchReader
    hidden: int

    @cached_property
    def _branch(self) -> UpperLayers:
        graph = prepare_graph(branch_graph(self.reader, hidden=self.hidden), Precision.INT8)
        # Windows of one piece hold one block each: a sentence that is read alone.
        return UpperLayers(OnnxModel(graph), max_pieces=1, overlap=0)

    def pieces(self, item: Item, lower: PieceEncoder) -> Tensor:
        """Encode every piece, (P, H)."""
        layout = _layout(item)
        return torch.from_numpy(self._branch.vectors(layout, lower.vectors(layout)))

    def units(self, item: Item, lower: PieceEncoder) -> Tensor:
        """Read units, (T, H)."""
        spans = torch.from_numpy(item.units.pieces).long()
        units: Tensor = self.reader.spans(self.pieces(item, lower), spans)
        return units


@dataclass(frozen=True)
class ModuleReader:
    """A reader in torch, all of it."""

    reader: UnitReader
    sizes: WindowSizes

    def pieces(self, item: Item, lower: PieceEncoder) -> Tensor:
        """Encode every piece, (P, H)."""
        return self.reader.pieces(self._batch(item, lower))

    def units(self, item: Item, lower: PieceEncoder) -> Tensor:
        """Read units, (T, H)."""
        return self.reader(self._batch(item, lower))

    def _batch(self, item: Item, lower: PieceEncoder) -> EduBatch:
        layout = _layout(item)
        below = layout.ids if isinstance(lower, PieceIds) else lower.vectors(layout)
        return join([Slice(below, layout, item.units)], self.sizes)


def weights_key(module: nn.Module, *, without: str = "") -> str:
    """Return a checksum of a module's weights, one part of it left out."""
    digest = hashlib.sha256()
    for name, value in sorted(module.state_dict().items()):
        if without and name.startswith(without):
            continue
        digest.update(name.encode())
        digest.update(value.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


def featuriser(
    trained: Trained, lower: PieceEncoder, reader: RuntimeReader | ModuleReader
) -> Callable[[Item], Halves]:
    """Return the function that computes what is cached of an item."""
    if trained.reads_trunk:
        return lambda item: lower.vectors(_layout(item)).astype(np.float16)
    read = reader.units if trained.reads_units else reader.pieces

    def features(item: Item) -> Halves:
        with torch.no_grad():
            return read(item, lower).numpy().astype(np.float16)

    return features


def _layout(item: Item) -> PieceLayout:
    if item.layout is None:
        raise ConfigError(f"{item.id}: features need word pieces, these were dropped")
    return item.layout
