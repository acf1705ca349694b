"""Relative position bias of attention, as in MPNet.

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
    """No relative position bias, as in BERT."""

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor | None:
        """Return the mask (B, 1, 1, P) unchanged."""
        return mask


class RelativeBias(nn.Module):
    """A learned bias for each head and bucket of distances, added to attention scores."""

    def __init__(self, heads: int, buckets: int) -> None:
        super().__init__()
        self.table = nn.Embedding(buckets, heads)
        distances = torch.arange(-LONGEST + 1, LONGEST)
        self.register_buffer("buckets", bucket_of(distances, buckets), persistent=False)

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor:
        """Return the bias of each pair of pieces of (B, P, H): (1 or B, A, P, P)."""
        places = torch.arange(hidden.shape[1], device=hidden.device)
        apart = places[None, :] - places[:, None] + LONGEST - 1  # (P, P)
        pairs: Tensor = self.table(self.get_buffer("buckets")[apart])  # (P, P, A)
        bias = pairs.permute(2, 0, 1)[None]  # (1, A, P, P)
        return bias if mask is None else bias.masked_fill(~mask, float("-inf"))


def bucket_of(distances: Tensor, buckets: int) -> Tensor:
    """Return buckets of distances: short ones have their own, longer ones share wider ones.

    The lower half of the buckets is for earlier pieces, the upper half for later ones.
    """
    half = buckets // 2
    exact = half // 2
    steps = distances.abs()
    share = torch.log(steps.clamp(min=1) / exact) / math.log(FARTHEST / exact)
    wide = (exact + (share * (half - exact)).long()).clamp(max=half - 1)
    return torch.where(steps < exact, steps, wide) + half * (distances > 0)
