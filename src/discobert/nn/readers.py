"""Readers: the vectors of units, from a cache, from cached pieces, or from upper encoder layers.

P pieces and T units of all documents, R windows of L cells, A heads, H width.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from discobert.nn.batch import EduBatch, PieceRows
from discobert.nn.encoder import EncoderConfig, UpperLayers
from discobert.nn.spans import SpanExt
from discobert.runtime.encoder import N_PLACES as N_WINDOW_PLACES
from discobert.scorer.features import Reach


class CachedUnits(nn.Module):
    """Returns unit vectors that were cached."""

    def forward(self, batch: EduBatch) -> Tensor:
        """Return (T, H)."""
        return batch.inputs


class CachedPieces(nn.Module):
    """SpanExt over piece vectors that were cached."""

    def __init__(self, spans: SpanExt) -> None:
        super().__init__()
        self.spans = spans

    def forward(self, batch: EduBatch) -> Tensor:
        """Extract units (T, H) from pieces (P, H)."""
        units: Tensor = self.spans(batch.inputs, batch.spans)
        return units


class UpperLayersReader(nn.Module):
    """Upper layers over the vectors of shared lower layers, then SpanExt.

    The upper layers are called ``branch`` in stored weights.
    """

    def __init__(self, upper: UpperLayers, spans: SpanExt, *, reach: Reach) -> None:
        super().__init__()
        self.branch = upper
        self.spans = spans
        self.attention = sentence_attention if reach is Reach.SENTENCE else window_attention

    def pieces(self, batch: EduBatch) -> Tensor:
        """Encode lower-layer vectors (P, H) to (P, H)."""
        cells = batch.pieces
        attention = self.attention(cells)
        hidden = cells.rows.spread(batch.inputs)  # (R, L, H)
        hidden = hidden + self.branch.shapes(cells.shapes) + self.branch.places(attention.places)
        for layer in self.branch.layers:
            hidden = layer(hidden, attention.mask)
        return cells.rows.collect(hidden)

    def forward(self, batch: EduBatch) -> Tensor:
        """Encode lower-layer vectors (P, H) to units (T, H)."""
        units: Tensor = self.spans(self.pieces(batch), batch.spans)
        return units


@dataclass(frozen=True, slots=True)
class Attention:
    """Attention mask of a window's cells, and the classes of their places."""

    mask: Tensor | None
    """Broadcasts to (R, A, L, L); None if all cells attend to all."""
    places: Tensor
    """(R, L)."""


def window_attention(cells: PieceRows) -> Attention:
    """Let cells attend to their whole window; their place is the number of their block."""
    real = cells.rows.padding_mask
    mask = None if real is None else real[:, None, None, :]
    return Attention(mask, cells.blocks.clamp(0, N_WINDOW_PLACES - 1))


def sentence_attention(cells: PieceRows) -> Attention:
    """Let cells attend to their own block alone; all are at place 0. Padding attends to padding."""
    same = cells.blocks[:, :, None] == cells.blocks[:, None, :]  # (R, L, L)
    return Attention(same[:, None], torch.zeros_like(cells.blocks))


def plain_upper_layers(
    config: EncoderConfig, *, layers: int, shapes: int, dropout: float = 0.0
) -> UpperLayers:
    """Build upper layers whose shape and place embeddings are zero: they start as BERT layers."""
    upper = UpperLayers(config, layers=layers, shapes=shapes, dropout=dropout)
    nn.init.zeros_(upper.shapes.weight)
    nn.init.zeros_(upper.places.weight)
    return upper
