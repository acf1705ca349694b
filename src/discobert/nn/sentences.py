"""The network that scores whole sentences, as ``scorer.sentence_network`` runs it.

B documents, T sentences, H width of their vectors, F features, D width of the network, K heads.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.nn.export.reimport import OnnxWeights
from discobert.scorer.features import N_PLACES
from discobert.scorer.sentence_features import N_DERIVED, N_NEVER_INPUTS, N_SURFACE
from discobert.scorer.sentence_network import (
    INPUT_LIMIT,
    INPUT_NORM_EPS,
    N_HEADS,
    NORM_EPS,
    REACH,
)

N_FEATURES = N_SURFACE + N_DERIVED
N_UNIT_FEATURES = 11
PADDING = -1e4
NEW = ("out", "skip", "extra")
"""Modules that no summariser has, by the start of their names."""

Dropout = Callable[[Tensor], Tensor]


def document_dropout(share: float) -> Dropout:
    """Drop features for whole documents: the same ones for all sentences of a text."""

    def drop(rows: Tensor) -> Tensor:
        kept = torch.rand(rows.shape[0], 1, rows.shape[2]) > share
        return rows * kept.float() / (1 - share)

    return drop if share > 0 else lambda rows: rows


class SentenceLayer(nn.Module):
    """Attention with a bias by distance, then a feed-forward part, each with a norm behind it."""

    def __init__(self, width: int, feed_forward: int) -> None:
        super().__init__()
        self.query_key_value = nn.Linear(width, 3 * width)
        self.attended = nn.Linear(width, width)
        self.attended_norm = nn.LayerNorm(width, eps=NORM_EPS)
        self.widen = nn.Linear(width, feed_forward)
        self.narrow = nn.Linear(feed_forward, width)
        self.output_norm = nn.LayerNorm(width, eps=NORM_EPS)
        self.bias = nn.Parameter(torch.zeros(N_HEADS, 2 * REACH + 1))

    def forward(self, rows: Tensor, mask: Tensor, drop: Dropout) -> Tensor:
        """Encode (B, T, D); ``mask`` (B, T) is added to the scores of attention."""
        rows = self.attended_norm(rows + drop(self.attended(self._attention(rows, mask))))
        inner = functional.gelu(self.widen(rows))
        encoded: Tensor = self.output_norm(rows + drop(self.narrow(inner)))
        return encoded

    def _attention(self, rows: Tensor, mask: Tensor) -> Tensor:
        n_documents, length, width = rows.shape
        parts = self.query_key_value(rows).view(n_documents, length, 3, N_HEADS, width // N_HEADS)
        query, key, value = parts.permute(2, 0, 3, 1, 4)  # each (B, K, T, D / K)
        places = torch.arange(length)
        steps = (places[None] - places[:, None]).clamp(-REACH, REACH) + REACH
        bias = self.bias[:, steps][None] + mask[:, None, None]  # (B, K, T, T)
        heads = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=bias.to(query.dtype)
        )
        return heads.transpose(1, 2).reshape(n_documents, length, width)


class SentenceNet(nn.Module):
    """Vectors and features of sentences to logits of salience and gain."""

    def __init__(self, *, hidden: int, width: int, feed_forward: int, n_layers: int) -> None:
        super().__init__()
        self.hidden = hidden
        extra = hidden + N_FEATURES
        self.mean = nn.Parameter(torch.zeros(extra), requires_grad=False)
        self.scale = nn.Parameter(torch.ones(extra), requires_grad=False)
        self.project = nn.Linear(hidden, width)
        self.sentences = nn.Embedding(N_PLACES, width)
        self.features = nn.Linear(N_UNIT_FEATURES, width)
        self.extra = nn.Linear(extra, width, bias=False)
        self.norm = nn.LayerNorm(width, eps=INPUT_NORM_EPS)
        self.layers = nn.ModuleList(SentenceLayer(width, feed_forward) for _ in range(n_layers))
        self.skip = nn.Linear(N_FEATURES, 2)
        self.out = nn.Linear(width, 2)
        nn.init.zeros_(self.extra.weight)
        nn.init.zeros_(self.skip.weight)
        nn.init.normal_(self.out.weight, std=0.02)

    def forward(
        self, rows: Tensor, places: Tensor, lengths: Tensor, dropout: float = 0.0
    ) -> Tensor:
        """Score sentences of padded documents, (B, T, 2 H + F) to (B, T, 2)."""
        extra = self.standardised(rows)
        return self.scores(self.states(rows, places, lengths, dropout), extra)

    def standardise(self, rows: Tensor) -> None:
        """Take mean and deviation of the inputs from rows (N, H + F)."""
        self.mean.data = rows.mean(0)
        self.scale.data = 1 / (rows.std(0, correction=0) + 0.02)

    def standardised(self, rows: Tensor) -> Tensor:
        """Return means of pieces and features, (B, T, H + F)."""
        scaled = (rows[..., self.hidden :] - self.mean) * self.scale
        clipped: Tensor = scaled.clamp(-INPUT_LIMIT, INPUT_LIMIT)
        return clipped

    def states(self, rows: Tensor, places: Tensor, lengths: Tensor, dropout: float = 0.0) -> Tensor:
        """Encode sentences, (B, T, D)."""
        drop = document_dropout(dropout)
        extra = functional.linear(drop(self.standardised(rows)), self.extra.weight)
        units = self.features(_unit_features(rows))
        joined = self.project(rows[..., : self.hidden]) + self.sentences(places) + units + extra
        states: Tensor = self.norm(joined)
        padded = torch.arange(rows.shape[1])[None] >= lengths[:, None]
        mask = torch.zeros(padded.shape).masked_fill(padded, PADDING)
        for layer in self.layers:
            states = layer(states, mask, drop)
        return states

    def scores(self, states: Tensor, extra: Tensor) -> Tensor:
        """Return the logits of salience and gain, (B, T, 2)."""
        logits: Tensor = self.out(states) + self.skip(extra[..., -N_FEATURES:])
        return logits


def _unit_features(rows: Tensor) -> Tensor:
    surface, derived = rows[..., -N_FEATURES:-N_DERIVED], rows[..., -N_DERIVED:]
    words, opens = surface[..., :1] / 3, surface[..., 13:14]
    one = torch.ones_like(words)
    columns = [words, derived[..., 14:15], 0 * one, one, one, opens, words, derived[..., 15:16]]
    return torch.cat([*columns, words, derived[..., 16:18]], -1)


class EditorHeads(nn.Module):
    """Logits of an editor's choice, of furniture and the like, above the frozen network."""

    def __init__(self, inputs: int, *, hidden: int, dropout: float, outputs: int = 2) -> None:
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.inner = nn.Linear(inputs, hidden)
        self.out = nn.Linear(hidden, outputs)
        self.skip = nn.Linear(inputs, outputs)
        nn.init.zeros_(self.skip.weight)

    def forward(self, rows: Tensor) -> Tensor:
        """Map standardised rows (N, I) to logits (N, ``outputs``)."""
        rows = self.drop(rows)
        logits: Tensor = self.out(self.drop(torch.relu(self.inner(rows)))) + self.skip(rows)
        return logits


def average_heads(heads: list[EditorHeads]) -> dict[str, Tensor]:
    """Return the weights of one network whose logits are the mean of several networks'."""
    count = len(heads)
    states = [{name: value.detach() for name, value in h.state_dict().items()} for h in heads]

    def mean(name: str) -> Tensor:
        return torch.stack([state[name] for state in states]).mean(0)

    return {
        "inner.weight": torch.cat([state["inner.weight"] for state in states]),
        "inner.bias": torch.cat([state["inner.bias"] for state in states]),
        "out.weight": torch.cat([state["out.weight"] for state in states], 1) / count,
        "out.bias": mean("out.bias"),
        "skip.weight": mean("skip.weight"),
        "skip.bias": mean("skip.bias"),
    }


class NeverNet(nn.Module):
    """The logit of furniture from surface features alone."""

    def __init__(self, *, hidden: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Dropout(0.1),
            nn.Linear(N_NEVER_INPUTS, hidden),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(hidden, 1),
        )

    def forward(self, rows: Tensor) -> Tensor:
        """Map standardised rows (N, 129) to logits (N)."""
        logits: Tensor = self.layers(rows)[:, 0]
        return logits

    def tensors(self) -> dict[str, Tensor]:
        """Return the weights by the names that the runtime uses."""
        first, last = (self.layers[index].state_dict() for index in (1, 4))
        return {
            **{f"inner.{name}": value for name, value in first.items()},
            **{f"out.{name}": value for name, value in last.items()},
        }


def warm_start(content: bytes, *, n_layers: int) -> Mapping[str, Tensor]:
    """Return the weights of a summariser's context layers by the names of ``SentenceNet``."""
    file = OnnxWeights(content)
    found = {f"{name}.weight": file.matrix(f"mix.{name}") for name in ("project", "features")}
    for name in ("project.bias", "sentences.weight", "features.bias", "norm.weight", "norm.bias"):
        found[name] = file.vector(f"inputs.mix.{name}")
    # Further features of EDUs are the scores that this network shall give.
    found["features.weight"] = found["features.weight"][:, :N_UNIT_FEATURES].contiguous()
    # A sentence is the first and only unit of itself.
    found["project.bias"] += file.vector("inputs.mix.inner.weight")[0]
    for layer in (f"layers.{index}" for index in range(n_layers)):
        for part in ("query_key_value", "attended", "widen", "narrow"):
            found[f"{layer}.{part}.weight"] = file.matrix(f"{layer}.{part}")
            found[f"{layer}.{part}.bias"] = file.vector(f"context.{layer}.{part}.bias")
        for norm in ("attended_norm", "output_norm"):
            for kind in ("weight", "bias"):
                found[f"{layer}.{norm}.{kind}"] = file.vector(f"context.{layer}.{norm}.{kind}")
    return found
