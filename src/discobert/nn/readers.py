"""What gives the summariser the vectors of its units: a cache, SpanExt, or an encoder below it.

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


class GivenUnits(nn.Module):
    """Unit vectors that were cached."""

    def forward(self, batch: EduBatch) -> Tensor:
        """Return (T, H)."""
        return batch.inputs


class PieceReader(nn.Module):
    """SpanExt over piece vectors that were cached."""

    def __init__(self, spans: SpanExt) -> None:
        super().__init__()
        self.spans = spans

    def forward(self, batch: EduBatch) -> Tensor:
        """Read pieces (P, H) as units (T, H)."""
        units: Tensor = self.spans(batch.inputs, batch.spans)
        return units


class BranchReader(nn.Module):
    """The upper layers of the shared encoder, then SpanExt; what the trunk said comes in."""

    def __init__(self, branch: UpperLayers, spans: SpanExt, *, reach: Reach) -> None:
        super().__init__()
        self.branch = branch
        self.spans = spans
        self.sees = sees_sentence if reach is Reach.SENTENCE else sees_window

    def pieces(self, batch: EduBatch) -> Tensor:
        """Encode trunk vectors (P, H) to (P, H)."""
        cells = batch.pieces
        seen = self.sees(cells)
        hidden = cells.rows.spread(batch.inputs)  # (R, L, H)
        hidden = hidden + self.branch.shapes(cells.shapes) + self.branch.places(seen.places)
        for layer in self.branch.layers:
            hidden = layer(hidden, seen.mask)
        return cells.rows.collect(hidden)

    def forward(self, batch: EduBatch) -> Tensor:
        """Read trunk vectors (P, H) as units (T, H)."""
        units: Tensor = self.spans(self.pieces(batch), batch.spans)
        return units


@dataclass(frozen=True, slots=True)
class Seen:
    """What each cell of a window sees, and the places it knows of."""

    mask: Tensor | None
    """Broadcasts to (R, A, L, L); None if all see all."""
    places: Tensor
    """(R, L)."""


def sees_window(cells: PieceRows) -> Seen:
    """Let every cell see its whole window and know the number of its block."""
    seen = cells.rows.seen
    mask = None if seen is None else seen[:, None, None, :]
    return Seen(mask, cells.blocks.clamp(0, N_WINDOW_PLACES - 1))


def sees_sentence(cells: PieceRows) -> Seen:
    """Let every cell see its own block alone, as if it stood alone; padding sees padding."""
    same = cells.blocks[:, :, None] == cells.blocks[:, None, :]  # (R, L, L)
    return Seen(same[:, None], torch.zeros_like(cells.blocks))


def summary_branch(
    config: EncoderConfig, *, layers: int, shapes: int, dropout: float = 0.0
) -> UpperLayers:
    """Build a branch whose shapes and places say nothing yet: it starts as plain BERT layers."""
    branch = UpperLayers(config, layers=layers, shapes=shapes, dropout=dropout)
    nn.init.zeros_(branch.shapes.weight)
    nn.init.zeros_(branch.places.weight)
    return branch
