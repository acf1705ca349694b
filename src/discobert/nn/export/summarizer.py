"""The summariser's parts as ONNX graphs and plain tensors."""

import io
import warnings

import torch
from torch import Tensor, nn

from discobert.nn.bert import BertReader
from discobert.nn.export.analyser import OPSET, BranchGraph
from discobert.nn.readers import BranchReader
from discobert.nn.scorer import (
    N_SIMILARITIES,
    AllInputs,
    Context,
    DocumentPart,
    NoInputs,
    PlaceInputs,
    SummarizerNet,
)
from discobert.scorer.features import N_FEATURES
from discobert.scorer.load import BRANCH, CONTEXT, ENCODER

Axes = dict[str, dict[int, str]]


class ContextGraph(nn.Module):
    """Places, features and context layers over one window of units without padding."""

    def __init__(self, document: DocumentPart) -> None:
        super().__init__()
        self.inputs = document.inputs
        self.context = document.context

    def forward(self, vectors: Tensor, places: Tensor, features: Tensor) -> Tensor:
        """Turn units (1, N, H) into (1, N, D)."""
        hidden = vectors
        if isinstance(self.inputs, PlaceInputs | AllInputs):
            hidden = self.inputs.mix(vectors, places, features)
        if isinstance(self.context, Context):
            hidden = self.context.over_rows(hidden, None)
        return hidden


class BertGraph(nn.Module):
    """A whole encoder over one window without padding."""

    def __init__(self, reader: BertReader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        """Encode ids (1, P) to (1, P, H)."""
        return self.reader.encode(ids, segments, None)


def needs_context(document: DocumentPart) -> bool:
    """Tell whether anything happens between unit vectors and graphs."""
    return not isinstance(document.inputs, NoInputs) or isinstance(document.context, Context)


def scorer_graphs(net: SummarizerNet, *, hidden: int) -> dict[str, bytes]:
    """Export the graphs of a summariser in single precision."""
    net = net.eval()
    graphs = {}
    pieces = {1: "pieces"}
    zeros = torch.zeros((1, 9), dtype=torch.long)
    if isinstance(net.reader, BranchReader):
        graphs[BRANCH] = branch_graph(net.reader, hidden=hidden)
    if isinstance(net.reader, BertReader):
        ids = torch.randint(1, 100, (1, 9))
        graphs[ENCODER] = _export(
            BertGraph(net.reader), (ids, zeros), {"ids": pieces, "segments": pieces}
        )
    if needs_context(net.document):
        units = {1: "units"}
        places = torch.zeros((1, 5, 2), dtype=torch.long)
        features = torch.randn(1, 5, N_FEATURES + N_SIMILARITIES)
        graphs[CONTEXT] = _export(
            ContextGraph(net.document),
            (torch.randn(1, 5, hidden), places, features),
            {"vectors": units, "places": units, "features": units},
        )
    return graphs


def branch_graph(reader: BranchReader, *, hidden: int) -> bytes:
    """Export the branch of a summariser in single precision."""
    pieces = {1: "pieces"}
    zeros = torch.zeros((1, 9), dtype=torch.long)
    return _export(
        BranchGraph(reader.branch),
        (torch.randn(1, 9, hidden), zeros, zeros),
        {"trunk": pieces, "shapes": pieces, "places": pieces},
    )


def scorer_tensors(net: SummarizerNet) -> dict[str, Tensor]:
    """Return the weights that numpy uses directly, by the names it knows them by."""
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


def _export(module: nn.Module, inputs: tuple[Tensor, ...], axes: Axes) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        # The exporter warns of its own age, and of shapes that our graphs do keep.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module.eval(),
            inputs,
            buffer,  # type: ignore[arg-type]  # any file object will do
            input_names=list(axes),
            output_names=["output"],
            dynamic_axes={**axes, "output": next(iter(axes.values()))},
            opset_version=OPSET,
            dynamo=False,
        )
    return buffer.getvalue()
