"""How far apart two pieces are, as attention hears it in encoders like MPNet.

P pieces, A heads.
"""

import math

import torch
from torch import Tensor, nn

FARTHEST = 128
"""Distances from here on share a bucket."""
LONGEST = 512
"""Most pieces of a row."""


class NoBias(nn.Module):
    """Attention that knows no distances, as BERT's."""

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor | None:
        """Return the mask (B, 1, 1, P) as it is."""
        return mask


class RelativeBias(nn.Module):
    """A number a head for every bucket of distances, added to what attention weighs."""

    def __init__(self, heads: int, buckets: int) -> None:
        super().__init__()
        self.table = nn.Embedding(buckets, heads)
        distances = torch.arange(-LONGEST + 1, LONGEST)
        self.register_buffer("buckets", bucket_of(distances, buckets), persistent=False)

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor:
        """Return what is added for each pair of the pieces of (B, P, H): (1 or B, A, P, P)."""
        places = torch.arange(hidden.shape[1], device=hidden.device)
        apart = places[None, :] - places[:, None] + LONGEST - 1  # (P, P)
        pairs: Tensor = self.table(self.get_buffer("buckets")[apart])  # (P, P, A)
        bias = pairs.permute(2, 0, 1)[None]  # (1, A, P, P)
        return bias if mask is None else bias.masked_fill(~mask, float("-inf"))


def bucket_of(distances: Tensor, buckets: int) -> Tensor:
    """Sort distances into buckets: near ones have their own, farther ones share ever wider ones.

    The lower half is of pieces before, the upper half of pieces behind.
    """
    half = buckets // 2
    exact = half // 2
    steps = distances.abs()
    share = torch.log(steps.clamp(min=1) / exact) / math.log(FARTHEST / exact)
    wide = (exact + (share * (half - exact)).long()).clamp(max=half - 1)
    return torch.where(steps < exact, steps, wide) + half * (distances > 0)
