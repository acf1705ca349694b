"""Discourse graph encoders (DGE) over edge lists.

T units, E edges, H width. An edge leads from a dependent to its head.
"""

from enum import Enum

import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.errors import ConfigError
from discobert.nn.batch import EduBatch
from discobert.nn.spans import segment_mean

NORM_EPS = 1e-6


class Toward(Enum):
    """Which neighbours a unit aggregates."""

    HEADS = "heads"
    """The units it depends on: the paper's direction."""

    DEPENDENTS = "dependents"
    """The units that depend on it."""


class Directions(Enum):
    """Directions of a directed graph that are aggregated, each with a weight matrix of its own."""

    HEADS = "heads"
    BOTH = "both"

    @classmethod
    def _missing_(cls, value: object) -> "Directions":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown directions {value!r}: use one of {allowed}")

    @property
    def toward(self) -> tuple[Toward, ...]:
        """The neighbourhoods to aggregate."""
        return (Toward.HEADS,) if self is Directions.HEADS else tuple(Toward)


class Neighbours(nn.Module):
    """ReLU(W mean + b) over a neighbourhood; an empty one gives ReLU(b)."""

    def __init__(self, width: int, toward: Toward) -> None:
        super().__init__()
        self.linear = nn.Linear(width, width)
        # Rows of the edge list: 0 holds dependents, 1 holds heads.
        self.targets, self.sources = (0, 1) if toward is Toward.HEADS else (1, 0)

    def forward(self, hidden: Tensor, edges: Tensor) -> Tensor:
        """Aggregate (T, H) along edges (2, E)."""
        messages = hidden.index_select(0, edges[self.sources])  # (E, H)
        mean = segment_mean(messages, edges[self.targets], len(hidden))  # (T, H)
        return functional.relu(self.linear(mean))


class GraphLayer(nn.Module):
    """One DGE layer: a feed-forward block, then a mean over neighbours, each with its residual."""

    def __init__(self, width: int, directions: Directions, *, dropout: float) -> None:
        super().__init__()
        self.widen = nn.Linear(width, width)
        self.narrow = nn.Linear(width, width)
        self.inner_norm = nn.LayerNorm(width, eps=NORM_EPS)
        self.neighbours = nn.ModuleList(Neighbours(width, toward) for toward in directions.toward)
        self.output_norm = nn.LayerNorm(width, eps=NORM_EPS)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, edges: Tensor) -> Tensor:
        """Update (T, H) along edges (2, E)."""
        update = self.narrow(functional.relu(self.widen(hidden)))  # (T, H)
        inner = self.inner_norm(hidden + self.dropout(update))
        parts = [neighbours(inner, edges) for neighbours in self.neighbours]
        aggregated = torch.stack(parts).sum(0)  # (T, H)
        output: Tensor = self.output_norm(self.dropout(aggregated) + inner)
        return output


class GraphEncoder(nn.Module):
    """Stacked layers over one graph."""

    def __init__(
        self, width: int, *, layers: int, directions: Directions, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            GraphLayer(width, directions, dropout=dropout) for _ in range(layers)
        )

    def forward(self, hidden: Tensor, edges: Tensor) -> Tensor:
        """Encode (T, H) along edges (2, E)."""
        for layer in self.layers:
            hidden = layer(hidden, edges)
        return hidden


class NoGraph(nn.Module):
    """Returns units unchanged."""

    def forward(self, hidden: Tensor, batch: EduBatch) -> Tensor:
        """Return (T, H) unchanged."""
        return hidden


class RstGraph(nn.Module):
    """Encodes units with the RST graph."""

    def __init__(self, rst: GraphEncoder) -> None:
        super().__init__()
        self.rst = rst

    def forward(self, hidden: Tensor, batch: EduBatch) -> Tensor:
        """Encode (T, H)."""
        encoded: Tensor = self.rst(hidden, batch.rst)
        return encoded


class CorefGraph(nn.Module):
    """Encodes units with the coreference graph."""

    def __init__(self, coref: GraphEncoder) -> None:
        super().__init__()
        self.coref = coref

    def forward(self, hidden: Tensor, batch: EduBatch) -> Tensor:
        """Encode (T, H)."""
        encoded: Tensor = self.coref(hidden, batch.coref)
        return encoded


class BothGraphs(nn.Module):
    """Encodes units with each graph and fuses the results: ReLU(W [C; R] + b)."""

    def __init__(self, width: int, *, coref: GraphEncoder, rst: GraphEncoder) -> None:
        super().__init__()
        self.coref = coref
        self.rst = rst
        self.fuse = nn.Linear(2 * width, width)

    def forward(self, hidden: Tensor, batch: EduBatch) -> Tensor:
        """Encode (T, H)."""
        both = torch.cat([self.coref(hidden, batch.coref), self.rst(hidden, batch.rst)], -1)
        return functional.relu(self.fuse(both))
