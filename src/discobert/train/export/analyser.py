"""Export of an analyser: the weights of a run as a bundle."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from safetensors.torch import save

from discobert.data.summary import ModelId
from discobert.nn.export.analyser import analyser_onnx, head_tensors
from discobert.nn.export.outliers import split_outliers
from discobert.nn.export.precision import Precision, optimised_onnx
from discobert.store.bundle import CARD, CONFIG, Bundle, write_bundle
from discobert.train.analyser.bundle_start import LOWER_LAYERS, check_lower_layers
from discobert.train.analyser.network import (
    check_same_encoder,
    check_same_relations,
    check_same_start,
    load_tokenizer,
    mean_net,
    trained_net,
    trained_relations,
)
from discobert.train.export.calibration import input_maxima

if TYPE_CHECKING:
    from discobert.data.codecs.json_text import JsonObject

QUANTISED = (LOWER_LAYERS, "branch.onnx")
"""Files worth quantising; the small heads compute in single precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeSettings:
    """Settings of the bundle at run time; thresholds are tuned on development data."""

    int8: bool = True
    max_pieces: int = 448
    overlap: int = 2
    beam: int = 4
    boundary_threshold: float = 0.0
    link_threshold: float = 0.0
    language: str = "en"
    """ISO 639 code of the language it was trained on."""


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

    ``parsers`` are runs of further parsers over the same encoder; the scores of all are averaged.
    ``averaged`` are runs from the same start, whose weights are averaged with the run's. The
    lower layers and the summariser of ``base``, which the run was trained over, are copied.
    """
    if base is not None:
        check_lower_layers(checkpoint, base)
    relations = trained_relations(checkpoint)
    for run in averaged:
        check_same_start(run, checkpoint)
    net = mean_net([trained_net(run, encoder) for run in (checkpoint, *averaged)])
    others = [trained_net(run, encoder) for run in parsers]
    for run, other in zip(parsers, others, strict=True):
        check_same_relations(run, relations)
        check_same_encoder(run, other, net)
    if runtime.int8:
        split_outliers(net, input_maxima(net, load_tokenizer(encoder)))
    files = {
        name: optimised_onnx(content, Precision.of(name, quantised=QUANTISED, int8=runtime.int8))
        for name, content in analyser_onnx(net, parsers=others, int8_words=runtime.int8).items()
    }
    tensors = head_tensors(net, parsers=others)
    halves = {name: value.half() for name, value in tensors.items()}
    files["heads.safetensors"] = save(halves)
    files["tokenizer.json"] = plain_tokenizer(encoder)
    settings: JsonObject = {"relations": list(relations), **asdict(runtime)}
    if base is not None:
        kept = {name: base.read(name) for name in base.checksums if name != CONFIG}
        files = {**kept, **files, LOWER_LAYERS: kept[LOWER_LAYERS]}
        settings = {**base.settings, **settings}
    files[CARD] = card.encode()
    return write_bundle(bundle, model=model, settings=settings, files=files)


def plain_tokenizer(encoder: Path) -> bytes:
    """Return the tokenizer file of a checkpoint without truncation and padding."""
    return load_tokenizer(encoder).to_str().encode()
