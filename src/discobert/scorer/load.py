"""From the files of a bundle to a running scorer."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from discobert.data.summary import ModelId
from discobert.discourse.dependencies import VARIANTS
from discobert.discourse.units import UnitKind
from discobert.errors import BundleError, ConfigError
from discobert.runtime.encoder import UpperLayers
from discobert.runtime.onnx_model import OnnxModel
from discobert.runtime.pieces import read_tokenizer
from discobert.runtime.tensors import Content, read_tensors
from discobert.runtime.threads import Threads
from discobert.scorer.decoding import TunedDecoding
from discobert.scorer.features import RstEdges, UnitOptions, UnitSpan
from discobert.scorer.genre_network import GenreNetwork
from discobert.scorer.graph_layers import (
    GraphEncoder,
    Linear,
    SpanExtractor,
    SummaryRanker,
    Tensors,
)
from discobert.scorer.network import (
    BothGraphs,
    CorefGraph,
    Encode,
    GraphEncoders,
    NeuralScorer,
    NoGraph,
    OwnPieces,
    PieceSource,
    RstGraph,
    SharedPieces,
    UnitContext,
)
from discobert.scorer.sentence_network import SentenceNetwork
from discobert.selection.paper.coverage import CoverageModel
from discobert.selection.readable.weights import ReadableWeights

BRANCH, ENCODER, CONTEXT, WEIGHTS, TOKENIZER = (
    "summary_branch.onnx",
    "summary_encoder.onnx",
    "summary_context.onnx",
    "summary.safetensors",
    "summary_tokenizer.json",
)
SECTION = "summarizer"
"""Where the summariser's settings lie in a bundle's."""
SENTENCE_WEIGHTS, SENTENCE_SECTION = "sentences.safetensors", "sentences"
"""Weights and settings of the network for whole sentences, which a bundle need not have."""
GENRE_WEIGHTS, GENRE_SECTION = "genres.safetensors", "genres"
"""Those of the heads for texts that are no news, which a bundle need not have either."""

ReadFile = Callable[[str], Content]


def has_scorer(settings: Mapping[str, Any]) -> bool:
    """Return whether a bundle holds a summariser's network."""
    return SECTION in settings


def neural_scorer(
    read_file: ReadFile,
    settings: Mapping[str, Any],
    *,
    model: ModelId,
    encode: Encode,
    threads: int = 1,
) -> NeuralScorer:
    """Build the scorer.

    ``read_file`` returns a file of the bundle, ``encode`` the output of the lower layers.
    """
    try:
        found: Mapping[str, Any] = settings[SECTION]
        source = _source(read_file, found, Threads(threads))
        scorer = _build(read_file, found, model, encode, source)
        if SENTENCE_SECTION not in settings:
            if found.get("sentence_scores", False):
                raise BundleError("the summariser reads scores of sentences, which nothing gives")
            return scorer
        sentences = SentenceNetwork.of(read_tensors(read_file(SENTENCE_WEIGHTS)))
        weights = ReadableWeights.of(settings[SENTENCE_SECTION].get("readable", {}))
        scorer = replace(
            scorer,
            sentences=sentences,
            reads_sentence_scores=bool(found.get("sentence_scores", False)),
            readable=weights,
            coverage=CoverageModel.of(found["coverage"]) if "coverage" in found else None,
        )
        if GENRE_SECTION not in settings:
            return scorer
        return replace(
            scorer,
            genres=GenreNetwork.of(read_tensors(read_file(GENRE_WEIGHTS))),
            readable_genres=ReadableWeights.of(settings[GENRE_SECTION].get("readable", {})),
        )
    except (KeyError, TypeError, ValueError, ConfigError) as error:
        raise BundleError(f"the summariser's settings cannot be read: {error!r}") from error


def _build(
    read_file: ReadFile,
    found: Mapping[str, Any],
    model: ModelId,
    encode: Encode,
    source: PieceSource,
) -> NeuralScorer:
    tensors = read_tensors(read_file(WEIGHTS))
    context = OnnxModel(read_file(CONTEXT)) if found["context"] else None
    return NeuralScorer(
        model=model,
        encode=encode,
        source=source,
        spans=SpanExtractor.of(tensors),
        context=UnitContext(context, size=int(found["context_units"])),
        graphs=_graphs(tensors, found),
        head=Linear.of(tensors, "head"),
        ranker=SummaryRanker.of(tensors) if found["ranker"] else None,
        unit=UnitKind.SENTENCE if found["variant"] == "sentence" else UnitKind.EDU,
        units=UnitOptions(
            rules=VARIANTS[found["rules"]],
            rst=RstEdges(found["rst_graph"]),
            sentence_span=UnitSpan(found["sentence_span"]),
        ),
        decoding=TunedDecoding.of(found["decoding"]),
    )


def _source(read_file: ReadFile, found: Mapping[str, Any], threads: Threads) -> PieceSource:
    max_pieces, overlap = int(found["max_pieces"]), int(found["overlap"])
    if found["encoder"] == "shared":
        graph = OnnxModel(read_file(BRANCH), keeps_memory=True)
        return SharedPieces(UpperLayers(graph, max_pieces, overlap, threads))
    tokenizer = read_tokenizer(read_file(TOKENIZER))
    return OwnPieces(tokenizer, OnnxModel(read_file(ENCODER)), max_pieces=max_pieces)


def _graphs(tensors: Tensors, found: Mapping[str, Any]) -> GraphEncoders:
    n_layers = int(found["graph_layers"])
    n_ways = 1 if found["directions"] == "heads" else 2

    def coref() -> GraphEncoder:
        return GraphEncoder.of(tensors, "graph.coref", n_layers=n_layers, n_ways=1)

    def rst() -> GraphEncoder:
        return GraphEncoder.of(tensors, "graph.rst", n_layers=n_layers, n_ways=n_ways)

    variants: dict[str, Callable[[], GraphEncoders]] = {
        "sentence": NoGraph,
        "edu": NoGraph,
        "edu+coref": lambda: CorefGraph(coref()),
        "edu+rst": lambda: RstGraph(rst()),
        "edu+both": lambda: BothGraphs(coref(), rst(), Linear.of(tensors, "graph.fuse")),
    }
    return variants[found["variant"]]()
