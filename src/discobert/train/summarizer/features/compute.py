"""The features that are cached of a document: output of the network's frozen part.

Depending on what is trained, these are vectors of the lower layers (P, H), of the whole encoder
(P, H), or of units (T, H). P pieces and T units of a document, H encoder width.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from discobert.errors import ConfigError
from discobert.nn.batch import EduBatch, Slice, WindowSizes, join
from discobert.nn.export.precision import Precision, optimised_onnx
from discobert.nn.export.summarizer import upper_layers_onnx
from discobert.nn.readers import UpperLayersReader
from discobert.runtime.encoder import UpperLayers
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.pieces import PieceLayout
from discobert.scorer.features import Reach
from discobert.scorer.load import SENTENCE_WEIGHTS
from discobert.store.bundle import Bundle
from discobert.train.core.lower_layers import PieceEncoder
from discobert.train.summarizer.bundle_start import BundleReader
from discobert.train.summarizer.encoders import EncoderSetup, PieceIds
from discobert.train.summarizer.features.cache import HalfArray
from discobert.train.summarizer.features.items import Item, ItemOptions
from discobert.train.summarizer.settings import SummarizerTraining, TrainedPart


class UnitReader(Protocol):
    """The upper part of an encoder and SpanExt, in torch."""

    def pieces(self, batch: EduBatch) -> Tensor:
        """Encode every piece, (P, H)."""
        ...

    def __call__(self, batch: EduBatch) -> Tensor:
        """Encode every unit, (T, H)."""
        ...


@dataclass(frozen=True)
class RuntimeReader:
    """Upper layers in int8 as they will run for users, sentence by sentence; SpanExt in torch."""

    reader: UpperLayersReader
    hidden: int

    @cached_property
    def _layers(self) -> UpperLayers:
        content = optimised_onnx(
            upper_layers_onnx(self.reader.branch, hidden=self.hidden), Precision.INT8
        )
        # Windows of at most one piece hold one block each: every sentence is encoded alone.
        return UpperLayers(OnnxModel(content), max_pieces=1, overlap=0)

    def pieces(self, item: Item, lower: PieceEncoder) -> Tensor:
        """Encode every piece, (P, H)."""
        layout = _layout(item)
        return torch.from_numpy(self._layers.vectors(layout, lower.vectors(layout)))

    def units(self, item: Item, lower: PieceEncoder) -> Tensor:
        """Encode every unit, (T, H)."""
        spans = torch.from_numpy(item.units.pieces).long()
        units: Tensor = self.reader.spans(self.pieces(item, lower), spans)
        return units


@dataclass(frozen=True)
class ModuleReader:
    """Upper layers and SpanExt in torch."""

    reader: UnitReader
    sizes: WindowSizes

    def pieces(self, item: Item, lower: PieceEncoder) -> Tensor:
        """Encode every piece, (P, H)."""
        return self.reader.pieces(self._batch(item, lower))

    def units(self, item: Item, lower: PieceEncoder) -> Tensor:
        """Encode every unit, (T, H)."""
        return self.reader(self._batch(item, lower))

    def _batch(self, item: Item, lower: PieceEncoder) -> EduBatch:
        layout = _layout(item)
        inputs = layout.ids if isinstance(lower, PieceIds) else lower.vectors(layout)
        return join([Slice(inputs, layout, item.units)], self.sizes)


def feature_reader(
    training: SummarizerTraining, setup: EncoderSetup
) -> RuntimeReader | ModuleReader:
    """Choose int8 upper layers where the settings ask for them and sentences are read alone."""
    reader = setup.reader
    if isinstance(reader, BundleReader):
        raise ConfigError("from_bundle = true has features of its own")
    alone = training.attention_reach() is Reach.SENTENCE
    if training.int8_features and alone and isinstance(reader, UpperLayersReader):
        return RuntimeReader(reader, setup.hidden)
    return ModuleReader(reader, training.sizes())


def feature_function(
    training: SummarizerTraining, setup: EncoderSetup
) -> Callable[[Item], HalfArray]:
    """Return the function that computes the features of a document."""
    part, lower, reader = training.trained_part, setup.lower, feature_reader(training, setup)
    if part.caches_lower_layers:
        return lambda item: lower.vectors(_layout(item)).astype(np.float16)
    read = reader.units if part.caches_units else reader.pieces

    def features(item: Item) -> HalfArray:
        with torch.no_grad():
            return read(item, lower).numpy().astype(np.float16)

    return features


def _layout(item: Item) -> PieceLayout:
    if item.layout is None:
        raise ConfigError(f"{item.id}: features need word pieces, these were dropped")
    return item.layout


def feature_kind(part: TrainedPart) -> str:
    """Name what is cached; the names are part of the key of existing caches."""
    if part.caches_units:
        return "units"
    return "trunk" if part.caches_lower_layers else "pieces"


def feature_key(
    training: SummarizerTraining, setup: EncoderSetup, options: ItemOptions
) -> dict[str, Any]:
    """Return all settings and checksums that the features depend on."""
    part = training.trained_part
    lower_only = part.caches_lower_layers
    key: dict[str, Any] = {
        "features": feature_kind(part),
        "encoder": setup.lower.key if lower_only else setup.key(spans=part.caches_units),
        "kind": options.kind.value,
        "rules": training.rules,
        "rst_graph": training.rst_graph,
        "sentence_span": training.sentence_span,
        "max_pieces": training.max_pieces,
        "edu_span": training.edu_span,
        "own_pieces": setup.tokenizer is not None,
    }
    if not lower_only:
        key |= {"reach": training.reach, "window_pieces": training.window_pieces}
        if setup.bundle is not None:
            key |= {"sentence_scores": _sentence_checksum(setup.bundle, training)}
        elif isinstance(feature_reader(training, setup), RuntimeReader):
            key |= {"branch": "int8"}
    if options.later_windows > 0:
        key |= {"later_windows": options.later_windows}
    return key


def _sentence_checksum(bundle: Bundle, training: SummarizerTraining) -> str:
    return bundle.checksums.get(SENTENCE_WEIGHTS, "") if training.sentence_scores else ""
