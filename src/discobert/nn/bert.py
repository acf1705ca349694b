"""A BERT-like encoder of Hugging Face below the summariser, as in the paper.

Windows of whole sentences, CLS and SEP around each, segments alternating from sentence to sentence.
P pieces of all documents, R windows of L cells, H width.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from discobert.errors import ConfigError, InputError, MissingExtra
from discobert.nn.batch import EduBatch
from discobert.nn.spans import SpanExt

NEW_ROW_STD = 0.02
"""Standard deviation of new position embeddings; copies of old ones did worse for the authors."""


class BertReader(nn.Module):
    """An encoder over piece ids, then SpanExt."""

    def __init__(self, model: nn.Module, spans: SpanExt) -> None:
        super().__init__()
        self.model = model
        self.spans = spans
        self.has_segments = getattr(model.config, "type_vocab_size", 0) > 1

    def encode(self, ids: Tensor, segments: Tensor, mask: Tensor | None) -> Tensor:
        """Encode windows (R, L) to (R, L, H); ``mask`` is true for real cells."""
        inputs: dict[str, Tensor] = {"input_ids": ids}
        if mask is not None:
            inputs["attention_mask"] = mask.long()
        if self.has_segments:
            inputs["token_type_ids"] = segments
        hidden: Tensor = self.model(**inputs).last_hidden_state
        return hidden

    def pieces(self, batch: EduBatch) -> Tensor:
        """Encode ids (P) to (P, H)."""
        cells = batch.pieces
        ids = cells.rows.spread(batch.inputs) * cells.rows.mask  # (R, L)
        return cells.rows.collect(self.encode(ids, cells.segments, cells.rows.mask))

    def forward(self, batch: EduBatch) -> Tensor:
        """Encode ids (P) to units (T, H)."""
        units: Tensor = self.spans(self.pieces(batch), batch.spans)
        return units


_REVISION = re.compile(r"[0-9a-f]{40}")


class HubModel(NamedTuple):
    """A model on a hub, at one commit; the folder of a local one has none."""

    name: str
    revision: str | None


def find_pretrained(name: str) -> HubModel:
    """Return a folder, or the model on a hub that ``NAME@COMMIT`` names: names alone can change."""
    if Path(name).exists():
        return HubModel(name, None)
    found, _, revision = name.partition("@")
    if not _REVISION.fullmatch(revision):
        raise InputError(
            f"{name}: no encoder could be loaded: no such folder; a model on a hub is named with "
            f"its commit, so that nobody can change it: {found}@ and 40 hexadecimal digits"
        )
    return HubModel(found, revision)


def load_bert(name: str, *, positions: int = 0) -> nn.Module:
    """Load an encoder by name or path; ``positions`` above its own adds rows for them."""
    try:
        from transformers import AutoModel
    except ImportError as error:
        raise MissingExtra("transformers", "train") from error
    try:
        found = find_pretrained(name)
        # Safetensors alone: other files of weights are pickles, which can hold any program.
        model: nn.Module = AutoModel.from_pretrained(
            found.name, revision=found.revision, use_safetensors=True, trust_remote_code=False
        )
    except (OSError, ValueError) as error:
        kind = "folder" if Path(name).exists() else "name or folder"
        raise InputError(f"{name}: no encoder could be loaded from this {kind}: {error}") from error
    if getattr(model, "pooler", None) is not None:
        model.pooler = None  # type: ignore[assignment]  # unused, so it would get no gradient
    if positions > n_positions(model):
        extend_positions(model, positions)
    return model


def n_positions(model: nn.Module) -> int:
    """Return the number of positions of an encoder."""
    table = _positions(model)
    return table.num_embeddings - _first_position(table)


def check_positions(model: nn.Module, pieces: int) -> None:
    """Refuse windows that are longer than the encoder's positions."""
    known = n_positions(model)
    if pieces > known:
        raise ConfigError(
            f"the encoder has {known} positions, window_pieces is {pieces}; "
            f"use at most {known}, or set positions = {pieces} to add rows that training fills"
        )


def extend_positions(model: nn.Module, positions: int) -> None:
    """Add rows to the position embeddings; the old ones are copied."""
    old = _positions(model)
    first = _first_position(old)
    n_rows, width = positions + first, old.embedding_dim
    new = nn.Embedding(n_rows, width, padding_idx=old.padding_idx)
    with torch.no_grad():
        new.weight.normal_(std=NEW_ROW_STD)
        new.weight[: old.num_embeddings] = old.weight
    embeddings: Any = model.embeddings
    embeddings.position_embeddings = new
    for name, values in (
        ("position_ids", torch.arange(n_rows)[None]),
        ("token_type_ids", torch.zeros(1, n_rows, dtype=torch.long)),
    ):
        if hasattr(embeddings, name):
            embeddings.register_buffer(name, values, persistent=False)
    model.config.max_position_embeddings = n_rows  # type: ignore[union-attr]


def _positions(model: nn.Module) -> nn.Embedding:
    table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    if not isinstance(table, nn.Embedding):
        raise ConfigError(
            f"{type(model).__name__} has no table of positions; use an encoder like BERT, "
            "RoBERTa, ELECTRA or DistilBERT"
        )
    return table


def _first_position(table: nn.Embedding) -> int:
    """Return the row of the first piece: encoders like RoBERTa leave some rows unused."""
    return 0 if table.padding_idx is None else table.padding_idx + 1


def freeze_lower(model: nn.Module, layers: int) -> None:
    """Freeze embeddings and the first layers."""
    if layers == 0:
        return
    parts: Any = model
    stack = parts.encoder.layer if hasattr(parts, "encoder") else parts.transformer.layer
    if layers > len(stack):
        raise ConfigError(f"frozen_layers is {layers}, the encoder has {len(stack)}")
    parts.embeddings.requires_grad_(False)
    for layer in stack[:layers]:
        layer.requires_grad_(False)
