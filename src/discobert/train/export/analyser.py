"""From trained weights to a bundle: graphs, tensors, tokenizer, model card."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from safetensors.torch import save

from discobert.data.summary import ModelId
from discobert.nn.export.analyser import analyser_graphs, head_tensors
from discobert.nn.export.outliers import split_loud
from discobert.store.bundle import CARD, CONFIG, Bundle, write_bundle
from discobert.train.analyser.bundle_start import check_stood_on
from discobert.train.analyser.network import (
    check_same_encoder,
    check_same_relations,
    check_same_start,
    load_tokenizer,
    mean_net,
    trained_net,
    trained_relations,
)
from discobert.train.export.calibration import heard_in
from discobert.train.export.precision import Precision, prepare_graph

if TYPE_CHECKING:
    from discobert.data.json_text import JsonObject

TRUNK = "trunk.onnx"
QUANTISED = (TRUNK, "branch.onnx")
"""Graphs worth quantising; the small heads compute in single precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeSettings:
    """How the bundle runs; thresholds are tuned on development data."""

    int8: bool = True
    max_pieces: int = 448
    overlap: int = 2
    beam: int = 4
    boundary_threshold: float = 0.0
    link_threshold: float = 0.0
    language: str = "en"
    """ISO 639 code of what it was trained on."""


def export_analyser(  # noqa: PLR0913 - each is a different thing
    checkpoint: Path,
    bundle: Path,
    *,
    encoder: Path,
    model: ModelId,
    card: str,
    runtime: RuntimeSettings,
    parsers: Sequence[Path] = (),
    averaged: Sequence[Path] = (),
    base: Bundle | None = None,
) -> Bundle:
    """Write the analyser of a training run as a bundle that needs no torch.

    ``parsers`` are runs of further parsers over the same encoder; what all say is averaged.
    ``averaged`` are runs from the same start, whose weights are averaged with the run's. The
    trunk and the summariser of ``base``, on which the run was trained, stay as they are.
    """
    if base is not None:
        check_stood_on(checkpoint, base)
    relations = trained_relations(checkpoint)
    for run in averaged:
        check_same_start(run, checkpoint)
    net = mean_net([trained_net(run, encoder) for run in (checkpoint, *averaged)])
    others = [trained_net(run, encoder) for run in parsers]
    for run, other in zip(parsers, others, strict=True):
        check_same_relations(run, relations)
        check_same_encoder(run, other, net)
    if runtime.int8:
        split_loud(net, heard_in(net, load_tokenizer(encoder)))
    files = {
        name: prepare_graph(graph, Precision.of(name, quantised=QUANTISED, int8=runtime.int8))
        for name, graph in analyser_graphs(net, parsers=others, packed=runtime.int8).items()
    }
    tensors = head_tensors(net, parsers=others)
    halves = {name: value.half() for name, value in tensors.items()}
    files["heads.safetensors"] = save(halves)
    files["tokenizer.json"] = plain_tokenizer(encoder)
    settings: JsonObject = {"relations": list(relations), **asdict(runtime)}
    if base is not None:
        kept = {name: base.read(name) for name in base.checksums if name != CONFIG}
        files = {**kept, **files, TRUNK: kept[TRUNK]}
        settings = {**base.settings, **settings}
    files[CARD] = card.encode()
    return write_bundle(bundle, model=model, settings=settings, files=files)


def plain_tokenizer(encoder: Path) -> bytes:
    """Read a tokenizer and take its truncation and padding out."""
    return load_tokenizer(encoder).to_str().encode()
