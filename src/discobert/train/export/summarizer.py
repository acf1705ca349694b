"""From a finished run to a bundle: the analyser's files and the summariser's beside them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors.torch import save

from discobert.data.json_text import JsonObject
from discobert.data.summary import ModelId
from discobert.errors import ConfigError, InputError
from discobert.nn.export.summarizer import scorer_graphs, scorer_tensors
from discobert.scorer.features import Reach, UnitSpan
from discobert.scorer.load import (
    BRANCH,
    ENCODER,
    SECTION,
    TOKENIZER,
    WEIGHTS,
)
from discobert.store.bundle import CARD, CONFIG, Bundle, write_bundle
from discobert.store.config import config_from
from discobert.train.export.precision import Precision, prepare_graph
from discobert.train.summarizer.encoders import SHARED, EncoderSetup
from discobert.train.summarizer.network import build_summarizer, load_start
from discobert.train.summarizer.settings import SummarizerTraining
from discobert.train.summarizer.train import CONFIG as RUN_CONFIG
from discobert.train.summarizer.train import read_decoding

QUANTISED = (BRANCH, ENCODER)
"""Graphs worth quantising; the document-level part computes in single precision."""
OVERLAP = 2
"""Blocks that neighbouring windows share at run time."""


def read_training(run: Path) -> SummarizerTraining:
    """Read the settings of a finished run."""
    path = run / RUN_CONFIG
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["training"]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: no settings of a summariser's run: {error!r}") from error
    return config_from(found, SummarizerTraining, where=str(path))


@dataclass(frozen=True, slots=True)
class Release:
    """What a bundle says of itself, and in which precision it runs."""

    model: ModelId
    card: str
    int8: bool = True


def export_summarizer(
    run: Path, path: Path, *, base: Bundle, setup: EncoderSetup, release: Release
) -> Bundle:
    """Write a bundle that analyses as ``base`` does and summarises with the weights of a run."""
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
    """Make graphs and tensors of a run."""
    net = build_summarizer(training, setup)
    load_start(net, run)
    files = {
        name: prepare_graph(graph, Precision.of(name, quantised=QUANTISED, int8=int8))
        for name, graph in scorer_graphs(net, hidden=setup.hidden).items()
    }
    files[WEIGHTS] = save(scorer_tensors(net))
    if setup.tokenizer is not None and setup.kind != SHARED:
        files[TOKENIZER] = setup.tokenizer.to_str().encode()
    return files


def summarizer_settings(run: Path, training: SummarizerTraining, setup: EncoderSetup) -> JsonObject:
    """Describe the network to the runtime."""
    alone = training.sees() is Reach.SENTENCE
    sizes = training.sizes()
    network = training.network(hidden=setup.hidden)
    return {
        "variant": training.variant,
        "encoder": setup.kind,
        # Windows of one piece hold one block each: a sentence that is read alone.
        "max_pieces": 1 if alone else sizes.pieces,
        "overlap": 0 if alone else OVERLAP,
        "context": network.inputs.value != "none" or network.context_layers > 0,
        "context_units": sizes.units,
        "graph_layers": training.graph_layers,
        "directions": training.directions,
        "rules": training.rules,
        "rst_graph": training.rst_graph,
        "sentence_span": training.sentence_span,
        "ranker": training.rank_weight > 0,
        "decoding": read_decoding(run).settings(),
    }
