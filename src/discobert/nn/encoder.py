"""A BERT encoder in two parts: lower layers encode each sentence alone, upper layers windows.

B blocks or windows, P pieces, H hidden size, A heads.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.nn.relative_positions import NoBias, RelativeBias

# What the exporter hands to a symbolic function has no public type.
OnnxModel: TypeAlias = Any
Value: TypeAlias = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderConfig:
    """The shape of a BERT or MPNet encoder; defaults are MiniLM-L6's."""

    vocabulary: int = 30522
    positions: int = 512
    hidden: int = 384
    heads: int = 12
    feed_forward: int = 1536
    layers: int = 6
    layer_norm_eps: float = 1e-12
    distance_buckets: int = 0
    """Buckets of the relative position bias (MPNet); 0: none."""


class Embeddings(nn.Module):
    """Word, position and segment embeddings; every row starts at position and segment 0."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.words = nn.Embedding(config.vocabulary, config.hidden, padding_idx=0)
        self.positions = nn.Embedding(config.positions, config.hidden)
        self.segments = nn.Embedding(2, config.hidden)
        self.norm = nn.LayerNorm(config.hidden, eps=config.layer_norm_eps)

    def forward(self, ids: Tensor) -> Tensor:
        """Embed piece ids (B, P) to (B, P, H)."""
        positions = torch.arange(ids.shape[1], device=ids.device)  # (P)
        total = self.words(ids) + self.positions(positions) + self.segments.weight[0]  # (B, P, H)
        embedded: Tensor = self.norm(total)
        return embedded


class FeatureDropout(nn.Module):
    """Dropout that drops whole features of a row: one random number a feature, cheap on a CPU."""

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.probability = probability

    def forward(self, hidden: Tensor) -> Tensor:
        """Drop features of (B, P, H), the same for all pieces of a row."""
        if not self.training or self.probability == 0:
            return hidden
        keep = hidden.new_full((hidden.shape[0], 1, hidden.shape[2]), 1 - self.probability)
        return hidden * torch.bernoulli(keep) / (1 - self.probability)


class FusedAttention(torch.autograd.Function):
    """Attention over an unpadded row, exported as the one operator ONNX Runtime has for it."""

    @staticmethod
    def forward(
        ctx: object, query: Tensor, key: Tensor, value: Tensor, heads: int, bias: Tensor | None
    ) -> Tensor:
        """Attend over (B, P, H); ``bias`` (1, A, P, P) is added to the weights."""
        return attend(query, key, value, heads, bias)

    @staticmethod
    def symbolic(
        g: OnnxModel, query: Value, key: Value, value: Value, heads: int, bias: Value | None
    ) -> Value:
        """Name the operator for the exporter."""
        inputs = [query, key, value]
        if bias is not None:
            nothing = g.op("prim::Constant")
            nothing.setType(torch._C.OptionalType.ofTensor())  # noqa: SLF001 - no public name
            inputs += [nothing, nothing, bias]  # after a bias of the inputs and a mask
        output = g.op("com.microsoft::MultiHeadAttention", *inputs, num_heads_i=heads)
        return output.setType(query.type())


def attend(query: Tensor, key: Tensor, value: Tensor, heads: int, mask: Tensor | None) -> Tensor:
    """Attend over (B, P, H) with A heads."""
    batch, pieces, width = query.shape

    def split(vectors: Tensor) -> Tensor:
        return vectors.view(batch, pieces, heads, width // heads).transpose(
            1, 2
        )  # (B, A, P, H / A)

    context = functional.scaled_dot_product_attention(
        split(query), split(key), split(value), attn_mask=mask
    )
    return context.transpose(1, 2).reshape(batch, pieces, width)


class TransformerLayer(nn.Module):
    """One post-norm BERT layer."""

    def __init__(self, config: EncoderConfig, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads = config.heads
        self.query_key_value = nn.Linear(config.hidden, 3 * config.hidden)
        self.attended = nn.Linear(config.hidden, config.hidden)
        self.attended_norm = nn.LayerNorm(config.hidden, eps=config.layer_norm_eps)
        self.widen = nn.Linear(config.hidden, config.feed_forward)
        self.narrow = nn.Linear(config.feed_forward, config.hidden)
        self.output_norm = nn.LayerNorm(config.hidden, eps=config.layer_norm_eps)
        self.dropout = FeatureDropout(dropout)
        self.apart: nn.Module | None = None
        """Replaces the feed-forward part in int8 export: see nn/export/outliers.py."""

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor:
        """Transform (B, P, H).

        ``mask`` (B, 1, 1, P) is true where attention is allowed, or is a bias to add.
        """
        width = self.attended.in_features
        # Constant sizes: the exporter writes them as constants, not as ten operations on shapes.
        query, key, value = self.query_key_value(hidden).split(width, -1)  # each (B, P, H)
        if torch.onnx.is_in_onnx_export():
            context: Tensor = FusedAttention.apply(query, key, value, self.heads, mask)  # type: ignore[no-untyped-call]
        else:
            context = attend(query, key, value, self.heads, mask)
        hidden = self.attended_norm(hidden + self.dropout(self.attended(context)))
        output: Tensor = self.output_norm(hidden + self.dropout(self._feed_forward(hidden)))
        return output

    def _feed_forward(self, hidden: Tensor) -> Tensor:
        if self.apart is not None:
            fed: Tensor = self.apart(hidden)
        else:
            fed = self.narrow(functional.gelu(self.widen(hidden)))
        return fed


def _distances(config: EncoderConfig) -> NoBias | RelativeBias:
    if not config.distance_buckets:
        return NoBias()
    return RelativeBias(config.heads, config.distance_buckets)


class LowerLayers(nn.Module):
    """Embeddings and lower layers; a row is one sentence, encoded alone."""

    def __init__(self, config: EncoderConfig, *, layers: int) -> None:
        super().__init__()
        self.embeddings = Embeddings(config)
        self.distances = _distances(config)
        self.layers = nn.ModuleList(TransformerLayer(config) for _ in range(layers))

    def forward(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """Encode piece ids (B, P) to (B, P, H); ``mask`` (B, P) is true for real pieces."""
        hidden: Tensor = self.embeddings(ids)
        allowed = self.distances(hidden, None if mask is None else mask[:, None, None, :])
        for layer in self.layers:
            hidden = layer(hidden, allowed)
        return hidden


class UpperLayers(nn.Module):
    """Upper layers over windows; embeddings of piece shapes and sentence places are added first."""

    def __init__(
        self,
        config: EncoderConfig,
        *,
        layers: int,
        shapes: int,
        places: int = 128,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.shapes = nn.Embedding(shapes, config.hidden)
        self.places = nn.Embedding(places, config.hidden)
        nn.init.normal_(self.shapes.weight, std=0.02)
        nn.init.normal_(self.places.weight, std=0.02)
        self.distances = _distances(config)
        self.layers = nn.ModuleList(
            TransformerLayer(config, dropout=dropout) for _ in range(layers)
        )

    def forward(
        self, lower: Tensor, shapes: Tensor, places: Tensor, mask: Tensor | None = None
    ) -> Tensor:
        """Encode lower-layer vectors (B, P, H); shapes and block numbers are (B, P)."""
        hidden: Tensor = lower + self.shapes(shapes) + self.places(places)
        allowed = self.distances(hidden, None if mask is None else mask[:, None, None, :])
        for layer in self.layers:
            hidden = layer(hidden, allowed)
        return hidden
