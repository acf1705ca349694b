"""The summariser's network: units of documents in, one logit a unit out.

    reader ── vectors of units: cached, SpanExt over pieces, or an encoder
    inputs ── the sentence's place in the document, simple features
    context ─ optional transformer layers over the units of a document
    graph ─── discourse graph encoders, chosen with the variant
    head ──── one logit

T units of all documents, H encoder width, D width of the document-level part, F features.
"""

from dataclasses import dataclass
from enum import Enum

import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.errors import ConfigError
from discobert.nn.batch import EduBatch, Rows
from discobert.nn.encoder import EncoderConfig, TransformerLayer
from discobert.nn.graphs import BothGraphs, CorefGraph, Directions, GraphEncoder, NoGraph, RstGraph
from discobert.nn.ranker import Ranker
from discobert.nn.spans import segment_mean, segment_sum
from discobert.scorer.features import (
    LEAD_SENTENCES,
    N_FEATURES,
    N_INNER_PLACES,
    N_PLACES,
    N_SENTENCE_SCORES,
    N_SIMILARITIES,
)

FIRST_BIAS = -2.0
"""Initial bias of logits: about one unit in eight belongs into a summary."""


class Variant(Enum):
    """The models of the paper's table."""

    SENTENCE = "sentence"
    EDU = "edu"
    EDU_COREF = "edu+coref"
    EDU_RST = "edu+rst"
    EDU_BOTH = "edu+both"

    @classmethod
    def _missing_(cls, value: object) -> "Variant":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown variant {value!r}: use one of {allowed}")


class Inputs(Enum):
    """What is added to the vector of a unit."""

    NONE = "none"
    """Nothing: the paper's network."""

    PLACE = "place"
    """The sentence's place in the document and the unit's in the sentence."""

    ALL = "all"
    """Places, lengths and the similarity to the document's centre and to its lead."""

    @classmethod
    def _missing_(cls, value: object) -> "Inputs":
        allowed = ", ".join(member.value for member in cls)
        raise ConfigError(f"unknown inputs {value!r}: use one of {allowed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerConfig:
    """The shape of the document-level part."""

    variant: Variant = Variant.EDU_BOTH
    hidden: int = 384
    """Width of the encoder."""
    width: int = 0
    """Width of this part; 0: the encoder's."""
    inputs: Inputs = Inputs.ALL
    sentence_scores: bool = False
    """Whether the scores of the sentence network are among the features."""
    context_layers: int = 0
    context_heads: int = 6
    context_feed_forward: int = 1024
    graph_layers: int = 2
    directions: Directions = Directions.BOTH
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if self.context_layers < 0 or self.graph_layers < 1:
            raise ConfigError(
                "need context_layers >= 0 and graph_layers >= 1, "
                f"got {self.context_layers} and {self.graph_layers}"
            )
        if self.context_heads < 1:
            raise ConfigError(f"context_heads must be at least 1, got {self.context_heads}")
        if self.inner % self.context_heads:
            raise ConfigError(
                f"width {self.inner} must be a multiple of context_heads, got {self.context_heads}"
            )
        if self.inputs is Inputs.NONE and self.inner != self.hidden:
            raise ConfigError("inputs = 'none' leaves the width as it is: set width = 0")
        if self.sentence_scores and self.inputs is not Inputs.ALL:
            raise ConfigError("sentence_scores = true needs inputs = 'all'")

    @property
    def n_features(self) -> int:
        """Features of a unit, similarities included."""
        return N_FEATURES + N_SIMILARITIES + self.sentence_scores * N_SENTENCE_SCORES

    @property
    def inner(self) -> int:
        """The width of this part, resolved."""
        return self.width or self.hidden


@dataclass(frozen=True, slots=True)
class ScorerOutput:
    """State and logit of each unit."""

    states: Tensor
    """(T, D)."""
    logits: Tensor
    """(T)."""


class NoInputs(nn.Module):
    """Adds nothing."""

    def forward(self, vectors: Tensor, batch: EduBatch) -> Tensor:
        """Return (T, H) unchanged."""
        return vectors


class UnitMix(nn.Module):
    """Adds embeddings of places and projected features to projected vectors, unit by unit."""

    def __init__(self, config: ScorerConfig, *, features: int) -> None:
        super().__init__()
        self.project = nn.Linear(config.hidden, config.inner)
        self.sentences = nn.Embedding(N_PLACES, config.inner)
        self.inner = nn.Embedding(N_INNER_PLACES, config.inner)
        self.features = nn.Linear(features, config.inner) if features else None
        self.norm = nn.LayerNorm(config.inner)
        for table in (self.sentences, self.inner):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, vectors: Tensor, places: Tensor, features: Tensor) -> Tensor:
        """Mix vectors (…, H), classes of places (…, 2) and features (…, F) to (…, D)."""
        total = self.project(vectors) + self.sentences(places[..., 0]) + self.inner(places[..., 1])
        if self.features is not None:
            total = total + self.features(features)
        mixed: Tensor = self.norm(total)
        return mixed


class PlaceInputs(nn.Module):
    """Adds places."""

    def __init__(self, config: ScorerConfig) -> None:
        super().__init__()
        self.mix = UnitMix(config, features=0)

    def forward(self, vectors: Tensor, batch: EduBatch) -> Tensor:
        """Mix (T, H) to (T, D)."""
        mixed: Tensor = self.mix(vectors, batch.places, batch.features)
        return mixed


class AllInputs(nn.Module):
    """Adds places, features and similarities."""

    def __init__(self, config: ScorerConfig) -> None:
        super().__init__()
        self.mix = UnitMix(config, features=config.n_features)

    def forward(self, vectors: Tensor, batch: EduBatch) -> Tensor:
        """Mix (T, H) to (T, D)."""
        own, scores = batch.features[:, :N_FEATURES], batch.features[:, N_FEATURES:]
        features = torch.cat([own, similarities(vectors, batch), scores], -1)
        mixed: Tensor = self.mix(vectors, batch.places, features)
        return mixed


def similarities(vectors: Tensor, batch: EduBatch) -> Tensor:
    """Compare each unit with the mean of its document and of the document's lead: (T, 2)."""
    centres = segment_mean(vectors, batch.documents, batch.n_documents)  # (B, H)
    in_lead = (batch.sentences < LEAD_SENTENCES).to(vectors.dtype)[:, None]  # (T, 1)
    leads = segment_sum(vectors * in_lead, batch.documents, batch.n_documents)  # (B, H)
    pairs = [
        functional.cosine_similarity(vectors, means[batch.documents], dim=-1, eps=1e-6)
        for means in (centres, leads)
    ]
    return torch.stack(pairs, -1)


class NoContext(nn.Module):
    """No context layers."""

    def forward(self, hidden: Tensor, rows: Rows) -> Tensor:
        """Return (T, D) unchanged."""
        return hidden


class Context(nn.Module):
    """Transformer layers over the units of a document, in windows."""

    def __init__(self, config: ScorerConfig) -> None:
        super().__init__()
        shape = EncoderConfig(
            hidden=config.inner,
            heads=config.context_heads,
            feed_forward=config.context_feed_forward,
        )
        self.layers = nn.ModuleList(
            TransformerLayer(shape, dropout=config.dropout) for _ in range(config.context_layers)
        )

    def over_rows(self, cells: Tensor, real: Tensor | None) -> Tensor:
        """Encode (R, L, D); ``real`` (R, L) is false for padding."""
        mask = None if real is None else real[:, None, None, :]
        for layer in self.layers:
            cells = layer(cells, mask)
        return cells

    def forward(self, hidden: Tensor, rows: Rows) -> Tensor:
        """Encode (T, D)."""
        return rows.collect(self.over_rows(rows.spread(hidden), rows.padding_mask))


class DocumentPart(nn.Module):
    """All above the unit vectors; a ranker of candidate summaries is optional."""

    def __init__(self, config: ScorerConfig, *, ranker: Ranker | None = None) -> None:
        super().__init__()
        self.inputs = build_inputs(config)
        self.context: Context | NoContext = (
            Context(config) if config.context_layers else NoContext()
        )
        self.graph = build_graph(config)
        self.dropout = nn.Dropout(config.dropout)
        self.head = nn.Linear(config.inner, 1)
        nn.init.constant_(self.head.bias, FIRST_BIAS)
        self.ranker = ranker

    def forward(self, vectors: Tensor, batch: EduBatch) -> ScorerOutput:
        """Score unit vectors (T, H)."""
        hidden = self.inputs(vectors, batch)  # (T, D)
        hidden = self.context(hidden, batch.rows)
        states = self.graph(hidden, batch)
        logits = self.head(self.dropout(states)).squeeze(-1)  # (T)
        return ScorerOutput(states, logits)


def build_inputs(config: ScorerConfig) -> nn.Module:
    """Build the inputs that the settings name."""
    if config.inputs is Inputs.NONE:
        return NoInputs()
    return PlaceInputs(config) if config.inputs is Inputs.PLACE else AllInputs(config)


def build_graph(config: ScorerConfig) -> nn.Module:
    """Build the graph encoders of a variant; the coreference graph is symmetric: one direction."""
    width, layers, dropout = config.inner, config.graph_layers, config.dropout

    def coref() -> GraphEncoder:
        return GraphEncoder(width, layers=layers, directions=Directions.HEADS, dropout=dropout)

    def rst() -> GraphEncoder:
        return GraphEncoder(width, layers=layers, directions=config.directions, dropout=dropout)

    if config.variant is Variant.EDU_COREF:
        return CorefGraph(coref())
    if config.variant is Variant.EDU_RST:
        return RstGraph(rst())
    if config.variant is Variant.EDU_BOTH:
        return BothGraphs(width, coref=coref(), rst=rst())
    return NoGraph()


class SummarizerNet(nn.Module):
    """A reader of units and the document-level part above it."""

    def __init__(self, reader: nn.Module, document: DocumentPart) -> None:
        super().__init__()
        self.reader = reader
        self.document = document

    def forward(self, batch: EduBatch) -> ScorerOutput:
        """Score every unit of a batch."""
        output: ScorerOutput = self.document(self.reader(batch), batch)
        return output
