"""The analyser as ONNX files and plain tensors.

The attributes of the exported modules name the weights in these files, which are read back.
"""

import copy
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from discobert.nn.analyser import AnalyserNet
from discobert.nn.encoder import LowerLayers, UpperLayers
from discobert.nn.export.onnx_file import onnx_bytes
from discobert.nn.parser import EduEncoder


class Int8Embedding(nn.Module):
    """An embedding table in int8, each row with a scale of its own."""

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        scales = table.abs().amax(-1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (table / scales).round().to(torch.int8))
        self.register_buffer("scales", scales)

    def forward(self, ids: Tensor) -> Tensor:
        """Look ids up: (..., H)."""
        rows: Tensor = self.get_buffer("rows")[ids].float() * self.get_buffer("scales")[ids]
        return rows


class LowerLayersExport(nn.Module):
    """Lower layers over one block without padding."""

    def __init__(self, lower: LowerLayers, *, int8_words: bool) -> None:
        super().__init__()
        self.trunk = copy.deepcopy(lower)
        if int8_words:
            words = Int8Embedding(lower.embeddings.words.weight.detach())
            self.trunk.embeddings.words = words  # type: ignore[assignment]

    def forward(self, ids: Tensor) -> Tensor:
        """Encode (1, P) to (1, P, H)."""
        encoded: Tensor = self.trunk(ids)
        return encoded


class UpperLayersExport(nn.Module):
    """Upper layers over one window without padding."""

    def __init__(self, upper: UpperLayers) -> None:
        super().__init__()
        self.branch = upper

    def forward(self, lower: Tensor, shapes: Tensor, places: Tensor) -> Tensor:
        """Encode (1, P, H) to (1, P, H)."""
        encoded: Tensor = self.branch(lower, shapes, places)
        return encoded


class WordHeadsExport(nn.Module):
    """The parts of all heads that are computed word by word."""

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


class EduEncodersExport(nn.Module):
    """The EDU encoders of M parsers over one document."""

    def __init__(self, parsers: Sequence[EduEncoder]) -> None:
        super().__init__()
        self.parsers = nn.ModuleList(parsers)

    def forward(self, pooled: Tensor) -> Tensor:
        """Encode (N, 3 H) to (N, M D)."""
        return torch.cat([edus(pooled) for edus in self.parsers], -1)


def analyser_onnx(
    net: AnalyserNet, *, parsers: Sequence[AnalyserNet] = (), int8_words: bool = False
) -> dict[str, bytes]:
    """Export the four ONNX files of an analyser, all but the word embeddings in single precision.

    ``parsers`` are further networks over the same encoder, of which only the parsers are used.
    """
    net = net.eval()
    hidden = net.tags.in_features
    ids = torch.ones((1, 9), dtype=torch.long)
    zeros = torch.zeros((1, 9), dtype=torch.long)
    vectors = torch.randn(1, 9, hidden)
    pieces = {1: "pieces"}
    rows = {0: "rows"}
    return {
        "trunk.onnx": onnx_bytes(
            LowerLayersExport(net.trunk, int8_words=int8_words),
            (ids,),
            inputs={"ids": pieces},
            outputs={"vectors": pieces},
        ),
        "branch.onnx": onnx_bytes(
            UpperLayersExport(net.branch),
            (vectors, zeros, zeros),
            inputs={"trunk": pieces, "shapes": pieces, "places": pieces},
            outputs={"vectors": pieces},
        ),
        "words.onnx": onnx_bytes(
            WordHeadsExport(net),
            (torch.randn(7, hidden),),
            inputs={"words": rows},
            outputs=dict.fromkeys(WordHeadsExport.names, rows),
        ),
        "edus.onnx": onnx_bytes(
            EduEncodersExport([other.edus for other in (net, *parsers)]),
            (torch.randn(5, 3 * hidden),),
            inputs={"pooled": rows},
            outputs={"vectors": rows},
        ),
    }


def head_tensors(net: AnalyserNet, *, parsers: Sequence[AnalyserNet] = ()) -> dict[str, Tensor]:
    """Return the weights that numpy uses at run time; those of several parsers on a first axis."""
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
