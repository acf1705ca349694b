"""The summariser as ONNX files and plain tensors."""

import torch
from torch import Tensor, nn

from discobert.nn.bert import BertReader
from discobert.nn.encoder import UpperLayers
from discobert.nn.export.analyser import UpperLayersExport
from discobert.nn.export.onnx_file import onnx_bytes
from discobert.nn.readers import UpperLayersReader
from discobert.nn.scorer import (
    AllInputs,
    Context,
    DocumentPart,
    NoInputs,
    PlaceInputs,
    SummarizerNet,
)
from discobert.scorer.features import N_FEATURES, N_SIMILARITIES
from discobert.scorer.load import BRANCH, CONTEXT, ENCODER


class ContextExport(nn.Module):
    """Places, features and context layers over one window of units without padding."""

    def __init__(self, document: DocumentPart) -> None:
        super().__init__()
        self.inputs = document.inputs
        self.context = document.context

    def forward(self, vectors: Tensor, places: Tensor, features: Tensor) -> Tensor:
        """Encode units (1, N, H) to (1, N, D)."""
        hidden = vectors
        if isinstance(self.inputs, PlaceInputs | AllInputs):
            hidden = self.inputs.mix(vectors, places, features)
        if isinstance(self.context, Context):
            hidden = self.context.over_rows(hidden, None)
        return hidden


class BertExport(nn.Module):
    """A whole encoder over one window without padding."""

    def __init__(self, reader: BertReader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        """Encode ids (1, P) to (1, P, H)."""
        return self.reader.encode(ids, segments, None)


def needs_context(document: DocumentPart) -> bool:
    """Return whether there is any layer between unit vectors and graph encoders."""
    return not isinstance(document.inputs, NoInputs) or isinstance(document.context, Context)


def scorer_onnx(net: SummarizerNet, *, hidden: int) -> dict[str, bytes]:
    """Export the ONNX files of a summariser in single precision."""
    net = net.eval()
    files = {}
    if isinstance(net.reader, UpperLayersReader):
        files[BRANCH] = upper_layers_onnx(net.reader.branch, hidden=hidden)
    if isinstance(net.reader, BertReader):
        pieces = {1: "pieces"}
        ids = torch.randint(1, 100, (1, 9))
        files[ENCODER] = onnx_bytes(
            BertExport(net.reader),
            (ids, torch.zeros_like(ids)),
            inputs={"ids": pieces, "segments": pieces},
            outputs={"output": pieces},
        )
    if needs_context(net.document):
        units = {1: "units"}
        places = torch.zeros((1, 5, 2), dtype=torch.long)
        features = torch.randn(1, 5, _n_features(net.document))
        files[CONTEXT] = onnx_bytes(
            ContextExport(net.document),
            (torch.randn(1, 5, hidden), places, features),
            inputs={"vectors": units, "places": units, "features": units},
            outputs={"output": units},
        )
    return files


def _n_features(document: DocumentPart) -> int:
    """Return how many features a unit has; a network that reads none is given some all the same."""
    mixed = document.inputs.mix.features if isinstance(document.inputs, AllInputs) else None
    return N_FEATURES + N_SIMILARITIES if mixed is None else mixed.in_features


def upper_layers_onnx(upper: UpperLayers, *, hidden: int) -> bytes:
    """Export the upper layers of a summariser in single precision."""
    pieces = {1: "pieces"}
    zeros = torch.zeros((1, 9), dtype=torch.long)
    return onnx_bytes(
        UpperLayersExport(upper),
        (torch.randn(1, 9, hidden), zeros, zeros),
        inputs={"trunk": pieces, "shapes": pieces, "places": pieces},
        outputs={"output": pieces},
    )


def scorer_tensors(net: SummarizerNet) -> dict[str, Tensor]:
    """Return the weights that numpy uses at run time, by their names in a bundle."""
    wanted = {
        "reader.spans.": "spans.",
        "document.graph.": "graph.",
        "document.head.": "head.",
        "document.ranker.": "ranker.",
    }
    return {
        new + name.removeprefix(old): value.detach().contiguous()
        for name, value in net.state_dict().items()
        for old, new in wanted.items()
        if name.startswith(old)
    }
