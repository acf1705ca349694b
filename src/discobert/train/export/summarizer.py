"""Export of a summariser: a bundle with the analyser of another and the weights of a run."""

from dataclasses import dataclass
from pathlib import Path

from safetensors.torch import save

from discobert.data.codecs.json_text import JsonObject
from discobert.data.summary import ModelId
from discobert.errors import ConfigError
from discobert.nn.export.precision import Precision, optimised_onnx
from discobert.nn.export.summarizer import scorer_onnx, scorer_tensors
from discobert.scorer.features import Reach, UnitSpan
from discobert.scorer.load import (
    BRANCH,
    ENCODER,
    SECTION,
    TOKENIZER,
    WEIGHTS,
)
from discobert.store.bundle import CARD, CONFIG, Bundle, write_bundle
from discobert.train.summarizer.encoders import SHARED, EncoderSetup
from discobert.train.summarizer.network import build_summarizer, load_start
from discobert.train.summarizer.run_files import read_decoding, read_training
from discobert.train.summarizer.settings import SummarizerTraining

QUANTISED = (BRANCH, ENCODER)
"""Files worth quantising; the document-level part computes in single precision."""
OVERLAP = 2
"""Blocks that neighbouring windows share at run time."""


@dataclass(frozen=True, slots=True)
class Release:
    """Name, model card and precision of a bundle."""

    model: ModelId
    card: str
    int8: bool = True


def export_summarizer(
    run: Path, path: Path, *, base: Bundle, setup: EncoderSetup, release: Release
) -> Bundle:
    """Write a bundle with the analyser of ``base`` and the summariser of a run."""
    training = read_training(run)
    if training.edu_span != UnitSpan.PIECES.value:
        raise ConfigError(
            "a network with edu_span = 'cls' is for comparisons; it cannot be exported"
        )
    files = summarizer_files(run, training, setup, int8=release.int8)
    kept = {name: base.read(name) for name in base.checksums if name not in (CONFIG, CARD)}
    settings: JsonObject = {**base.settings, SECTION: summarizer_settings(run, training, setup)}
    content = {**kept, **files, CARD: release.card.encode()}
    return write_bundle(path, model=release.model, settings=settings, files=content)


def summarizer_files(
    run: Path, training: SummarizerTraining, setup: EncoderSetup, *, int8: bool
) -> dict[str, bytes]:
    """Return ONNX files, tensors and tokenizer of a run, by name."""
    net = build_summarizer(training, setup)
    load_start(net, run)
    files = {
        name: optimised_onnx(content, Precision.of(name, quantised=QUANTISED, int8=int8))
        for name, content in scorer_onnx(net, hidden=setup.hidden).items()
    }
    files[WEIGHTS] = save(scorer_tensors(net))
    if setup.tokenizer is not None and setup.kind != SHARED:
        files[TOKENIZER] = setup.tokenizer.to_str().encode()
    return files


def summarizer_settings(run: Path, training: SummarizerTraining, setup: EncoderSetup) -> JsonObject:
    """Return the summariser's section of the bundle's settings."""
    alone = training.attention_reach() is Reach.SENTENCE
    sizes = training.sizes()
    network = training.network(hidden=setup.hidden)
    return {
        "variant": training.variant,
        "encoder": setup.kind,
        # Windows of at most one piece hold one block each: every sentence is encoded alone.
        "max_pieces": 1 if alone else sizes.pieces,
        "overlap": 0 if alone else OVERLAP,
        "context": network.inputs.value != "none" or network.context_layers > 0,
        "context_units": sizes.units,
        "graph_layers": training.graph_layers,
        "directions": training.directions,
        "rules": training.rules,
        "rst_graph": training.rst_graph,
        "sentence_span": training.sentence_span,
        "sentence_scores": training.sentence_scores,
        "ranker": training.rank_weight > 0,
        "decoding": read_decoding(run).settings(),
    }
