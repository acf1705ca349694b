"""Running trunk and branch over whole documents, batched for training.

P pieces of all documents of a step, one after another; H encoder width.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from discobert.nn.analyser import AnalyserNet
from discobert.nn.encoder import LowerLayers
from discobert.runtime.pieces import PieceLayout, windows

MAX_BATCH = 2048
"""Most pieces of one padded batch of sentences."""
N_PLACES = 128


def trunk_vectors(trunk: LowerLayers, layout: PieceLayout) -> Tensor:
    """Encode every block of a document alone: (P, H)."""
    lengths = np.diff(layout.blocks)
    order = np.argsort(lengths, kind="stable")
    vectors: list[Tensor] = [torch.empty(0)] * len(lengths)
    for group in _similar(order, lengths):
        longest = int(lengths[group].max())
        ids = np.zeros((len(group), longest), dtype=np.int64)
        for row, block in enumerate(group):
            ids[row, : lengths[block]] = layout.ids[layout.blocks[block] : layout.blocks[block + 1]]
        real = np.arange(longest) < lengths[group][:, None]
        hidden = trunk(torch.from_numpy(ids), torch.from_numpy(real))
        for row, block in enumerate(group):
            vectors[block] = hidden[row, : lengths[block]]
    return torch.cat(vectors)


def _similar(order: NDArray[np.integer], lengths: NDArray[np.integer]) -> list[NDArray[np.integer]]:
    """Cut blocks sorted by length into groups that waste little padding."""
    groups, start = [], 0
    for place in range(1, len(order) + 1):
        if place < len(order):
            longest = lengths[order[place]]
            fits = (place - start + 1) * longest <= MAX_BATCH
            if fits and longest <= 1.15 * lengths[order[start]] + 3:
                continue
        groups.append(order[start:place])
        start = place
    return groups


def branch_vectors(
    net: AnalyserNet, layouts: Sequence[PieceLayout], trunks: Sequence[Tensor], *, max_pieces: int
) -> list[Tensor]:
    """Run the branch over windows of all documents in one padded batch; each result is (P, H)."""
    rows, owners = [], []
    for number, layout in enumerate(layouts):
        lengths = np.diff(layout.blocks)
        blocks = np.repeat(np.arange(len(lengths)), lengths)
        for window in windows(lengths.tolist(), max_pieces=max_pieces, overlap=0):
            low, high = int(layout.blocks[window.first]), int(layout.blocks[window.end])
            places = np.minimum(blocks[low:high] - window.first, N_PLACES - 1)
            rows.append((trunks[number][low:high], layout.shapes[low:high], places))
            owners.append(number)
    longest = max(len(row[0]) for row in rows)
    trunk = torch.stack([functional.pad(row[0], (0, 0, 0, longest - len(row[0]))) for row in rows])
    shapes = _padded([row[1] for row in rows], longest)
    blocks_of_pieces = _padded([row[2] for row in rows], longest)
    lengths_of_rows = torch.tensor([len(row[0]) for row in rows])
    mask = torch.arange(longest)[None] < lengths_of_rows[:, None]
    hidden = net.branch(trunk, shapes, blocks_of_pieces, None if bool(mask.all()) else mask)
    parts: list[list[Tensor]] = [[] for _ in layouts]
    for row, owner in enumerate(owners):
        parts[owner].append(hidden[row, : lengths_of_rows[row]])
    return [torch.cat(part) for part in parts]


def _padded(rows: Sequence[NDArray[np.integer]], longest: int) -> Tensor:
    """Stack rows of different lengths, zeros behind."""
    return torch.from_numpy(np.stack([np.pad(row, (0, longest - len(row))) for row in rows])).long()
