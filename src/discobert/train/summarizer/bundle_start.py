"""Training goes on from the summariser of a bundle: its encoder as it runs, its document part."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from discobert.data.summary import SentenceSalience
from discobert.errors import ConfigError, InputError
from discobert.nn.export.reimport import OnnxWeights
from discobert.nn.scorer import SummarizerNet
from discobert.nn.spans import SpanExt
from discobert.runtime.encoder import Section, UpperLayers
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.tensors import read_tensors
from discobert.scorer.features import with_sentence_scores
from discobert.scorer.graph_layers import ScoredPieces, SpanExtractor
from discobert.scorer.load import BRANCH, CONTEXT, SENTENCE_WEIGHTS, WEIGHTS
from discobert.scorer.network import SentencePool
from discobert.scorer.sentence_network import SentenceNetwork
from discobert.store.bundle import Bundle
from discobert.store.prepared.documents import Prepared
from discobert.train.core.lower_layers import PieceEncoder
from discobert.train.summarizer.features.cache import HalfArray
from discobert.train.summarizer.features.items import Item, ItemOptions, item_of


class BundleReader(nn.Module):
    """The upper layers and SpanExt of a bundle's summariser, which nothing changes."""

    def __init__(self, bundle: Bundle) -> None:
        super().__init__()
        tensors = read_tensors(bundle.read(WEIGHTS))
        hidden = tensors["spans.inner.weight"].shape[0]
        self.spans = SpanExt(hidden)
        self.spans.load_state_dict(
            {
                name.removeprefix("spans."): torch.tensor(value)
                for name, value in tensors.items()
                if name.startswith("spans.")
            }
        )
        self.requires_grad_(False)
        # Windows of at most one piece hold one block each: every sentence is encoded alone.
        self.upper = UpperLayers(OnnxModel(bundle.read(BRANCH)), max_pieces=1, overlap=0)
        self.extractor = SpanExtractor.of(tensors)
        self.checksum = f"{bundle.checksums[BRANCH]} {bundle.checksums[WEIGHTS]}"


def document_weights(bundle: Bundle) -> dict[str, Tensor]:
    """Return the weights of a bundle's document-level part by the names of ``SummarizerNet``."""
    tensors = read_tensors(bundle.read(WEIGHTS))
    found = {
        f"document.{name}": torch.tensor(value)
        for name, value in tensors.items()
        if name.startswith(("graph.", "head."))
    }
    return found | {f"document.{name}": value for name, value in _context_weights(bundle).items()}


def _context_weights(bundle: Bundle) -> Mapping[str, Tensor]:
    file = OnnxWeights(bytes(bundle.read(CONTEXT)))
    found = {f"inputs.mix.{name}.weight": file.matrix(f"mix.{name}") for name in _MIXED}
    names = (*(f"{name}.bias" for name in _MIXED), "sentences.weight", "inner.weight")
    for name in (*names, "norm.weight", "norm.bias"):
        found[f"inputs.mix.{name}"] = file.vector(f"inputs.mix.{name}")
    index = 0
    while f"context.layers.{index}.attended.bias" in file:
        layer = f"layers.{index}"
        for part in ("query_key_value", "attended", "widen", "narrow"):
            found[f"context.{layer}.{part}.weight"] = file.matrix(f"{layer}.{part}")
            found[f"context.{layer}.{part}.bias"] = file.vector(f"context.{layer}.{part}.bias")
        for norm in ("attended_norm", "output_norm"):
            for kind in ("weight", "bias"):
                name = f"context.{layer}.{norm}.{kind}"
                found[name] = file.vector(name)
        index += 1
    return found


_MIXED = ("project", "features")
_FEATURE_WEIGHT = "document.inputs.mix.features.weight"


def load_bundle_start(net: SummarizerNet, bundle: Bundle) -> None:
    """Load a bundle's document-level part; features that it lacks start at zero."""
    weights = document_weights(bundle)
    own = net.state_dict()
    new = own[_FEATURE_WEIGHT].shape[1] - weights[_FEATURE_WEIGHT].shape[1]
    weights[_FEATURE_WEIGHT] = functional.pad(weights[_FEATURE_WEIGHT], (0, max(new, 0)))
    wanted = {name: own[name].shape for name in own if name.startswith("document.")}
    found = {name: value.shape for name, value in weights.items()}
    odd = sorted({name for name, _ in wanted.items() ^ found.items()})
    if odd:
        raise ConfigError(
            f"{bundle.path}: its summariser does not fit these settings: {odd[0]} and "
            f"{len(odd) - 1} more; keep the options of the network as they were"
        )
    net.load_state_dict({**own, **weights})


@dataclass(frozen=True)
class BundleFeatures:
    """Vectors of EDUs as the bundle's encoder gives them, and scores of their sentences."""

    lower: PieceEncoder
    reader: BundleReader
    sentences: SentenceNetwork | None

    @classmethod
    def of(
        cls, bundle: Bundle, lower: PieceEncoder, reader: BundleReader, *, sentence_scores: bool
    ) -> "BundleFeatures":
        """Load the sentence network if its scores are wanted."""
        if not sentence_scores:
            return cls(lower, reader, None)
        if SENTENCE_WEIGHTS not in bundle.checksums:
            raise ConfigError(f"{bundle.path}: has no sentence network, whose scores are wanted")
        tensors = read_tensors(bundle.read(SENTENCE_WEIGHTS))
        return cls(lower, reader, SentenceNetwork.of(tensors))

    def __call__(self, document: Prepared, options: ItemOptions) -> tuple[Item, HalfArray]:
        """Return a document as arrays, and the vectors of its units."""
        item = item_of(document, options)
        layout = item.layout
        if layout is None or document.layout is None:
            raise InputError(f"{item.id}: prepared without word pieces; prepare it with a model")
        pieces = self.reader.upper.vectors(layout, self.lower.vectors(layout))
        scored = self.reader.extractor.scored(pieces)
        if self.sentences is not None:
            scores = self._sentence_scores(self.sentences, document, scored)
            item = replace(item, units=with_sentence_scores(item.units, scores))
        vectors = scored.units(item.units.pieces)
        return replace(item, layout=None), vectors.astype(np.float16)

    def _sentence_scores(
        self, network: SentenceNetwork, document: Prepared, scored: ScoredPieces
    ) -> SentenceSalience:
        layout = document.layout
        if layout is None:
            raise InputError(f"{document.article.id}: prepared without word pieces")
        pool = SentencePool.of(document.analysis, layout)
        section = Section(0, len(layout.block_sentences), scored.pieces)
        pool.add(section, scored)
        return pool.scores(network, None).sentences
