"""Weights of BERT and MPNet checkpoints, as our encoder names them."""

from collections.abc import Mapping

import torch
from torch import Tensor

from discobert.nn.encoder import LowerLayers, UpperLayers
from discobert.nn.relative_positions import RelativeBias

_BERT = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "attended_norm": "attention.output.LayerNorm",
}
_MPNET = {
    "query": "attention.attn.q",
    "key": "attention.attn.k",
    "value": "attention.attn.v",
    "attended": "attention.attn.o",
    "attended_norm": "attention.LayerNorm",
}
_BOTH = {
    "widen": "intermediate.dense",
    "narrow": "output.dense",
    "output_norm": "output.LayerNorm",
}
_RELATIVE = "encoder.relative_attention_bias.weight"
_SEGMENTS = "embeddings.token_type_embeddings.weight"


def layer_weights(weights: Mapping[str, Tensor], index: int) -> dict[str, Tensor]:
    """Rename the weights of one layer to those of a ``TransformerLayer``."""
    prefix = f"encoder.layer.{index}."
    names = (_MPNET if _RELATIVE in weights else _BERT) | _BOTH
    parts = [names.pop(part) for part in ("query", "key", "value")]
    renamed = {}
    for kind in ("weight", "bias"):
        renamed[f"query_key_value.{kind}"] = torch.cat(
            [weights[f"{prefix}{part}.{kind}"] for part in parts]
        )
        for ours, theirs in names.items():
            renamed[f"{ours}.{kind}"] = weights[f"{prefix}{theirs}.{kind}"]
    return renamed


def load_lower_layers(lower: LowerLayers, weights: Mapping[str, Tensor]) -> None:
    """Load the embeddings and lower layers of a checkpoint."""
    embeddings = lower.embeddings
    positions = weights["embeddings.position_embeddings.weight"]
    embeddings.load_state_dict(
        {
            "words.weight": weights["embeddings.word_embeddings.weight"],
            # MPNet counts from its third row on, no piece uses the first two.
            "positions.weight": positions[len(positions) - embeddings.positions.num_embeddings :],
            "segments.weight": weights.get(_SEGMENTS, torch.zeros_like(embeddings.segments.weight)),
            "norm.weight": weights["embeddings.LayerNorm.weight"],
            "norm.bias": weights["embeddings.LayerNorm.bias"],
        }
    )
    for index, layer in enumerate(lower.layers):
        layer.load_state_dict(layer_weights(weights, index))
    _load_distances(lower, weights)


def load_upper_layers(
    upper: UpperLayers, weights: Mapping[str, Tensor], *, first_layer: int
) -> None:
    """Load the layers of a checkpoint from ``first_layer`` on."""
    for index, layer in enumerate(upper.layers):
        layer.load_state_dict(layer_weights(weights, first_layer + index))
    _load_distances(upper, weights)


def _load_distances(part: LowerLayers | UpperLayers, weights: Mapping[str, Tensor]) -> None:
    if isinstance(part.distances, RelativeBias):
        part.distances.load_state_dict({"table.weight": weights[_RELATIVE]})
