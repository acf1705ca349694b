"""SpanExt: the vector of a unit is a weighted mean of its own pieces (Lee et al., 2017).

P pieces, T units, S pieces of all units one after another, H width.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class Members:
    """The pieces of all units, one after another."""

    pieces: Tensor
    """(S)."""
    units: Tensor
    """The unit of each: (S)."""


def members(spans: Tensor) -> Members:
    """List the pieces of half-open spans (T, 2)."""
    lengths = spans[:, 1] - spans[:, 0]  # (T)
    units = torch.repeat_interleave(torch.arange(len(spans), device=spans.device), lengths)
    before = torch.cumsum(lengths, 0) - lengths  # (T)
    within = torch.arange(len(units), device=spans.device) - before[units]  # (S)
    return Members(spans[units, 0] + within, units)


class SpanExt(nn.Module):
    """Two layers score each piece; a softmax over the pieces of a unit gives their weights.

    A new extractor weighs all pieces alike, so that training may start from cached means.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.inner = nn.Linear(hidden, hidden)
        self.score = nn.Linear(hidden, 1)
        nn.init.zeros_(self.score.weight)
        nn.init.zeros_(self.score.bias)

    def forward(self, pieces: Tensor, spans: Tensor) -> Tensor:
        """Extract units (T, H) from pieces (P, H); a unit without pieces is all zeros."""
        scores = self.score(functional.relu(self.inner(pieces))).squeeze(-1)  # (P)
        inside = members(spans)
        weights = segment_softmax(scores[inside.pieces], inside.units, len(spans))  # (S)
        weighted = weights[:, None] * pieces.index_select(0, inside.pieces)  # (S, H)
        return segment_sum(weighted, inside.units, len(spans))


def segment_sum(values: Tensor, segments: Tensor, n_segments: int) -> Tensor:
    """Add rows (S, …) up by segment (S): (n, …)."""
    return values.new_zeros(n_segments, *values.shape[1:]).index_add(0, segments, values)


def segment_mean(values: Tensor, segments: Tensor, n_segments: int) -> Tensor:
    """Average rows (S, H) by segment (S): (n, H); an empty one is all zeros."""
    counts = torch.bincount(segments, minlength=n_segments).clamp(min=1)  # (n)
    return segment_sum(values, segments, n_segments) / counts[:, None]


def segment_softmax(scores: Tensor, segments: Tensor, n_segments: int) -> Tensor:
    """Normalise scores (S) within each segment."""
    highest = scores.new_full((n_segments,), float("-inf"))
    highest = highest.scatter_reduce(0, segments, scores.detach(), "amax")  # (n)
    powers = torch.exp(scores - highest[segments])  # (S)
    return powers / segment_sum(powers, segments, n_segments)[segments]
