"""The parts of the analyser as graphs that ONNX Runtime runs."""

import copy
import io
import warnings
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from discobert.nn.analyser import AnalyserNet
from discobert.nn.encoder import LowerLayers, UpperLayers
from discobert.nn.parser import EduEncoder

OPSET = 17
HALF = "/half"
"""How the names of weights end that a graph keeps in half precision."""


class PackedEmbedding(nn.Module):
    """A table of vectors in bytes, each row with a scale of its own."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        scales = table.abs().amax(-1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (table / scales).round().to(torch.int8))
        self.register_buffer("scales", scales)

    def forward(self, ids: Tensor) -> Tensor:
        """Look ids up: (..., H)."""
        rows: Tensor = self.get_buffer("rows")[ids].float() * self.get_buffer("scales")[ids]
        return rows


class TrunkGraph(nn.Module):
    """A trunk over one block without padding, its words packed in bytes if wanted."""

    def __init__(self, trunk: LowerLayers, *, packed: bool) -> None:
        super().__init__()
        self.trunk = copy.deepcopy(trunk)
        if packed:
            words = PackedEmbedding(trunk.embeddings.words.weight.detach())
            self.trunk.embeddings.words = words  # type: ignore[assignment]

    def forward(self, ids: Tensor) -> Tensor:
        """Encode (1, P) to (1, P, H)."""
        encoded: Tensor = self.trunk(ids)
        return encoded


class BranchGraph(nn.Module):
    """A branch over one window without padding."""

    def __init__(self, branch: UpperLayers) -> None:
        super().__init__()
        self.branch = branch

    def forward(self, trunk: Tensor, shapes: Tensor, places: Tensor) -> Tensor:
        """Encode (1, P, H) to (1, P, H)."""
        encoded: Tensor = self.branch(trunk, shapes, places)
        return encoded


class WordGraph(nn.Module):
    """All that the heads need to know of each word."""

    names = (
        "tags",
        "mention_left",
        "mention_right",
        "start_score",
        "end_score",
        "link_start",
        "link_end",
    )

    def __init__(self, net: AnalyserNet) -> None:
        super().__init__()
        self.tags = net.tags
        self.mentions = net.mentions
        self.links = net.links

    def forward(self, words: Tensor) -> tuple[Tensor, ...]:
        """Map words (W, H) to the named outputs, each with W rows."""
        starts, ends = self.mentions.starts(words), self.mentions.ends(words)
        return (
            self.tags(words),
            self.mentions.both(starts) / starts.shape[-1] ** 0.5,
            ends,
            self.mentions.start_score(starts).squeeze(-1),
            self.mentions.end_score(ends).squeeze(-1),
            self.links.starts(words),
            self.links.ends(words),
        )


class EduGraph(nn.Module):
    """The EDU encoders of M parsers over one document."""

    def __init__(self, parsers: Sequence[EduEncoder]) -> None:
        super().__init__()
        self.parsers = nn.ModuleList(parsers)

    def forward(self, pooled: Tensor) -> Tensor:
        """Encode (N, 3 H) to (N, M D)."""
        return torch.cat([edus(pooled) for edus in self.parsers], -1)


def analyser_graphs(
    net: AnalyserNet, *, parsers: Sequence[AnalyserNet] = (), packed: bool = False
) -> dict[str, bytes]:
    """Export the four graphs of an analyser; only the table of words may be packed in bytes.

    ``parsers`` are further networks over the same encoder, of which only the parsers count.
    """
    net = net.eval()
    hidden = net.tags.in_features
    ids = torch.ones((1, 9), dtype=torch.long)
    zeros = torch.zeros((1, 9), dtype=torch.long)
    vectors = torch.randn(1, 9, hidden)
    pieces = {1: "pieces"}
    rows = {0: "rows"}
    return {
        "trunk.onnx": _export(
            TrunkGraph(net.trunk, packed=packed), (ids,), {"ids": pieces}, {"vectors": pieces}
        ),
        "branch.onnx": _export(
            BranchGraph(net.branch),
            (vectors, zeros, zeros),
            {"trunk": pieces, "shapes": pieces, "places": pieces},
            {"vectors": pieces},
        ),
        "words.onnx": _export(
            WordGraph(net),
            (torch.randn(7, hidden),),
            {"words": rows},
            dict.fromkeys(WordGraph.names, rows),
        ),
        "edus.onnx": _export(
            EduGraph([other.edus for other in (net, *parsers)]),
            (torch.randn(5, 3 * hidden),),
            {"pooled": rows},
            {"vectors": rows},
        ),
    }


def head_tensors(net: AnalyserNet, *, parsers: Sequence[AnalyserNet] = ()) -> dict[str, Tensor]:
    """Return the weights that numpy uses directly; those of several parsers on a first axis."""
    wanted = (
        "mentions.lengths",
        "links.later",
        "links.kinds",
        "links.distances",
        "links.matches",
    )
    found = {name: value for name, value in net.state_dict().items() if name.startswith(wanted)}
    scorers = [other.states.state_dict() for other in (net, *parsers)]
    for name, value in scorers[0].items():
        every = torch.stack([scorer[name] for scorer in scorers])
        found[f"states.{name}"] = every if parsers else value
    return {name: value.detach().contiguous() for name, value in found.items()}


def _export(
    module: nn.Module,
    inputs: tuple[Tensor, ...],
    input_axes: dict[str, dict[int, str]],
    output_axes: dict[str, dict[int, str]],
) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        # The older exporter is the one that takes a symbolic function for our attention operator.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module.eval(),
            inputs,
            buffer,  # type: ignore[arg-type]
            input_names=list(input_axes),
            output_names=list(output_axes),
            dynamic_axes={**input_axes, **output_axes},
            opset_version=OPSET,
            dynamo=False,
        )
    return buffer.getvalue()
