"""Torch modules of the cut head: the dependency parser and the network that scores cuts.

B sentences or cuts, W words, H width of vectors, K reduced width of a view.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from discobert.analyser.cuts.head import QUESTIONS
from discobert.analyser.syntax import FARTHEST, PARTS_OF_SPEECH, RELATIONS

VIEWS = ("words", "edus", "means")
_NO_HEAD = -1e4


@dataclass(frozen=True, slots=True)
class DependencyScores:
    """Logits of the dependency parser."""

    upos: Tensor
    """(B, W, 17)."""
    relations: Tensor
    """(B, W, 38)."""
    heads: Tensor
    """(B, W, W + 1); the last column is the root."""


class DependencyNet(nn.Module):
    """Part of speech, relation and head of every word, from frozen word vectors."""

    def __init__(self, width: int, *, hidden: int, arcs: int, dropout: float) -> None:
        super().__init__()
        self.inp = nn.Linear(width, hidden)
        self.mix = nn.Linear(3 * hidden, hidden)
        self.q = nn.Linear(hidden, arcs)
        self.k = nn.Linear(hidden, arcs)
        self.kb = nn.Linear(hidden, 1)
        self.root = nn.Linear(hidden, 1)
        self.dist = nn.Parameter(torch.zeros(2 * FARTHEST + 1))
        self.upos = nn.Linear(hidden, len(PARTS_OF_SPEECH))
        self.rel = nn.Linear(2 * hidden, len(RELATIONS))
        self.drop = nn.Dropout(dropout)

    def forward(self, words: Tensor, mask: Tensor) -> DependencyScores:
        """Read sentences, (B, W, H), of which ``mask``, (B, W), marks the words."""
        hidden = self.drop(torch.relu(self.inp(self.drop(words)))) * mask[..., None]  # (B, W, F)
        edge = torch.zeros_like(hidden[:, :1])
        before = torch.cat([edge, hidden[:, :-1]], 1)
        after = torch.cat([hidden[:, 1:], edge], 1)
        mixed = torch.relu(self.mix(torch.cat([before, hidden, after], -1)))
        hidden = self.drop(hidden + mixed)  # (B, W, F)
        heads = torch.cat([self._arcs(hidden, mask), self.root(hidden)], -1)  # (B, W, W + 1)
        governors = heads.softmax(-1)[..., :-1] @ hidden  # (B, W, F)
        relations = self.rel(torch.cat([hidden, governors], -1))
        return DependencyScores(self.upos(hidden), relations, heads)

    def _arcs(self, hidden: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(hidden.shape[1])
        apart = (places[None] - places[:, None]).clamp(-FARTHEST, FARTHEST) + FARTHEST
        scores = self.q(hidden) @ self.k(hidden).transpose(1, 2) / self.q.out_features**0.5
        scores = scores + self.kb(hidden).transpose(1, 2) + self.dist[apart]
        itself = torch.eye(hidden.shape[1], dtype=torch.bool)
        closed: Tensor = scores.masked_fill(~mask[:, None], _NO_HEAD).masked_fill(itself, _NO_HEAD)
        return closed


@dataclass(frozen=True, slots=True)
class CutDropout:
    """Shares of inputs that are left out while training."""

    scalars: float = 0.0
    views: float = 0.0
    hidden: float = 0.0


class CutNetwork(nn.Module):
    """Four answers on a cut from scalars and views, all standardised."""

    def __init__(
        self,
        n_scalars: int,
        projections: Mapping[str, Tensor],
        *,
        hidden: int,
        second: int,
        dropout: CutDropout,
    ) -> None:
        super().__init__()
        # For every kind of view how many there are, their width, and K.
        self.projections = nn.ParameterDict({name: projections[name].clone() for name in VIEWS})
        n_views = sum(len(projections[name]) for name in VIEWS)
        width = projections["words"].shape[2]
        self.views_bias = nn.Parameter(torch.zeros(n_views, width))
        self.scalars = nn.Linear(n_scalars, hidden)
        self.views = nn.Linear(n_views * width, hidden, bias=False)
        self.second = nn.Linear(hidden, second)
        self.out = nn.Linear(second, len(QUESTIONS))
        self.skip = nn.Linear(n_scalars, len(QUESTIONS), bias=False)
        nn.init.zeros_(self.skip.weight)
        self.drop_scalars = nn.Dropout(dropout.scalars)
        self.drop_views = nn.Dropout(dropout.views)
        self.drop_hidden = nn.Dropout(dropout.hidden)

    def forward(self, scalars: Tensor, views: Mapping[str, Tensor]) -> Tensor:
        """Return logits, (B, 4), from scalars, (B, S), and views by kind, each (B, V, H)."""
        scalars = self.drop_scalars(scalars)
        reduced = torch.cat(
            [
                torch.einsum("bvh,vhk->bvk", self.drop_views(views[name]), self.projections[name])
                for name in VIEWS
            ],
            dim=1,
        )  # (B, V, K)
        seen = self.drop_views(torch.tanh(reduced + self.views_bias)).flatten(1)  # (B, V K)
        joined = torch.relu(self.scalars(scalars) + self.views(seen))
        hidden = torch.relu(self.second(self.drop_hidden(joined)))
        logits: Tensor = self.out(self.drop_hidden(hidden)) + self.skip(scalars)
        return logits


def dependency_tensors(net: DependencyNet) -> dict[str, Tensor]:
    """Return the parser's weights in half precision, by the names of the bundle."""
    return {
        f"syntax.{name}": value.detach().half().contiguous()
        for name, value in net.state_dict().items()
    }


def network_tensors(
    net: CutNetwork, centres: Mapping[str, Tensor], scales: Mapping[str, Tensor], number: int
) -> dict[str, Tensor]:
    """Return a network's weights by the names of the bundle, for views as they come.

    ``centres``, (V, H), and ``scales``, (V, 1), standardised the views; weights and bias take that
    in. What is multiplied is in half precision.
    """
    weights: dict[str, Tensor] = {}
    moved = []
    for name in VIEWS:
        scaled = net.projections[name].detach() / scales[name][:, :, None]
        weights[f"{name}.weight"] = scaled.half()
        moved.append(torch.einsum("vh,vhk->vk", centres[name], scaled))
    weights["views.bias"] = net.views_bias.detach() - torch.cat(moved)
    for name in ("scalars", "views", "second", "out", "skip"):
        layer: nn.Linear = getattr(net, name)
        weights[f"{name}.weight"] = layer.weight.detach().half()
    for name in ("scalars", "second", "out"):
        biased: nn.Linear = getattr(net, name)
        weights[f"{name}.bias"] = biased.bias.detach()
    return {f"{number}.{name}": value.contiguous() for name, value in weights.items()}
