"""Piece vectors of training documents; what a frozen part of the encoder computes is kept.

P pieces of one document, H encoder width.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from discobert.nn.analyser import AnalyserNet
from discobert.runtime.encoder import N_PLACES
from discobert.runtime.pieces import PieceLayout, windows
from discobert.train.analyser.gold import GoldItem
from discobert.train.analyser.settings import AnalyserTraining
from discobert.train.core.lower_layers import PieceEncoder, lower_layer_vectors


def upper_layer_vectors(
    net: AnalyserNet, layouts: Sequence[PieceLayout], lower: Sequence[Tensor], *, max_pieces: int
) -> list[Tensor]:
    """Encode lower-layer vectors (P, H) of documents to (P, H), windows of all in one batch."""
    rows, owners = [], []
    for number, layout in enumerate(layouts):
        lengths = np.diff(layout.blocks)
        blocks = np.repeat(np.arange(len(lengths)), lengths)
        for window in windows(lengths.tolist(), max_pieces=max_pieces, overlap=0):
            low, high = int(layout.blocks[window.first]), int(layout.blocks[window.end])
            places = np.minimum(blocks[low:high] - window.first, N_PLACES - 1)
            rows.append((lower[number][low:high], layout.shapes[low:high], places))
            owners.append(number)
    longest = max(len(row[0]) for row in rows)
    inputs = torch.stack([functional.pad(row[0], (0, 0, 0, longest - len(row[0]))) for row in rows])
    shapes = _padded([row[1] for row in rows], longest)
    blocks_of_pieces = _padded([row[2] for row in rows], longest)
    lengths_of_rows = torch.tensor([len(row[0]) for row in rows])
    mask = torch.arange(longest)[None] < lengths_of_rows[:, None]
    hidden = net.branch(inputs, shapes, blocks_of_pieces, None if bool(mask.all()) else mask)
    parts: list[list[Tensor]] = [[] for _ in layouts]
    for row, owner in enumerate(owners):
        parts[owner].append(hidden[row, : lengths_of_rows[row]])
    return [torch.cat(part) for part in parts]


def _padded(rows: Sequence[NDArray[np.integer]], longest: int) -> Tensor:
    """Stack rows of different lengths, zeros behind."""
    return torch.from_numpy(np.stack([np.pad(row, (0, longest - len(row))) for row in rows])).long()


@dataclass(slots=True)
class DocumentEncoder:
    """Encodes documents with as much of the encoder frozen as the settings say."""

    net: AnalyserNet
    lower: PieceEncoder
    """The lower layers while they are frozen."""
    training: AnalyserTraining
    cache: dict[tuple[str, int, int], Tensor] = field(default_factory=dict)
    """Output of the frozen part by document and layout, in half precision."""

    def vectors(self, items: Sequence[GoldItem], rng: random.Random) -> list[Tensor]:
        """Encode each document to (P, H), in windows of a size that ``rng`` draws."""
        if self.training.freeze_encoder:
            return [self._frozen_vectors(item) for item in items]
        lower = [self._dropped(self._lower_vectors(item)) for item in items]
        layouts = [item.layout for item in items]
        max_pieces = rng.choice(self.training.window_sizes)
        return upper_layer_vectors(self.net, layouts, lower, max_pieces=max_pieces)

    def _frozen_vectors(self, item: GoldItem) -> Tensor:
        """Encode a document once, without dropout."""
        key = _layout_key(item)
        if key not in self.cache:
            self.net.branch.eval()
            with torch.no_grad():
                (vectors,) = upper_layer_vectors(
                    self.net,
                    [item.layout],
                    [torch.from_numpy(self.lower.vectors(item.layout))],
                    max_pieces=max(self.training.window_sizes),
                )
            self.cache[key] = vectors.half()
        return self.cache[key].float()

    def _lower_vectors(self, item: GoldItem) -> Tensor:
        if self.training.train_trunk:
            return lower_layer_vectors(self.net.trunk, item.layout)
        key = _layout_key(item)
        if key not in self.cache:
            self.cache[key] = torch.from_numpy(self.lower.vectors(item.layout)).half()
        return self.cache[key].float()

    def _dropped(self, pieces: Tensor) -> Tensor:
        """Set a random share of the pieces (P, H) to zero."""
        share = self.training.piece_dropout
        return pieces * (torch.rand(len(pieces), 1) >= share) if share else pieces


def _layout_key(item: GoldItem) -> tuple[str, int, int]:
    return item.id, len(item.layout.ids), len(item.layout.blocks)
