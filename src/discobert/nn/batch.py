"""Batches: documents joined without padding, except in the rows that attention needs.

P pieces and T units of all documents together, E edges, R rows of L cells, F features.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from discobert.runtime.pieces import PieceLayout, windows
from discobert.scorer.features import Units, offsets, unit_windows

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rows:
    """A flat sequence laid out in padded rows that may overlap."""

    index: Tensor
    """Which element each cell holds, 0 where there is none: (R, L)."""
    mask: Tensor
    """True for real cells: (R, L)."""
    back: Tensor
    """The cell in which each element is read, counted row by row: (T)."""

    def spread(self, flat: Tensor) -> Tensor:
        """Lay (T, …) out as (R, L, …)."""
        return flat.index_select(0, self.index.view(-1)).view(*self.index.shape, *flat.shape[1:])

    def collect(self, rows: Tensor) -> Tensor:
        """Read (R, L, …) back as (T, …)."""
        return rows.flatten(0, 1).index_select(0, self.back)

    @property
    def padding_mask(self) -> Tensor | None:
        """The mask, or None if nothing is padded."""
        return None if bool(self.mask.all()) else self.mask


@dataclass(frozen=True, slots=True)
class PieceRows:
    """Windows of pieces for an encoder."""

    rows: Rows
    shapes: Tensor
    """Shape class of each cell: (R, L)."""
    blocks: Tensor
    """Number of the cell's block in its window, -1 where there is none: (R, L)."""
    segments: Tensor
    """0 and 1, alternating with the sentences of the document: (R, L)."""


@dataclass(frozen=True, slots=True)
class EduBatch:
    """The network's input for some documents."""

    inputs: Tensor
    """Unit vectors (T, H), piece vectors (P, H), or piece ids (P)."""
    pieces: PieceRows
    spans: Tensor
    """First and end piece of each unit: (T, 2)."""
    documents: Tensor
    """Document of each unit: (T)."""
    n_documents: int
    sentences: Tensor
    """Sentence of each unit in its document: (T)."""
    rows: Rows
    """Windows of units for the context layers."""
    places: Tensor
    """Classes of places: (T, 2)."""
    features: Tensor
    """(T, F)."""
    rst: Tensor
    """Dependents and heads: (2, E)."""
    coref: Tensor
    """Both directions and loops: (2, E)."""

    @property
    def n_units(self) -> int:
        """How many units there are in all."""
        return len(self.documents)

    def to(self, device: torch.device) -> "EduBatch":
        """Move every tensor."""
        return _moved(self, device)


def _moved(value: T, device: torch.device) -> T:
    changes: dict[str, object] = {}
    for field in fields(value):  # type: ignore[arg-type]
        part = getattr(value, field.name)
        if isinstance(part, Tensor):
            changes[field.name] = part.to(device)
        elif not isinstance(part, int):
            changes[field.name] = _moved(part, device)
    return replace(value, **changes)  # type: ignore[type-var]


@dataclass(frozen=True, slots=True)
class Slice:
    """One document, or a window of one, to be joined with others."""

    inputs: NDArray[np.floating] | NDArray[np.integer]
    layout: PieceLayout | None
    """Its pieces; None if ``inputs`` holds units."""
    units: Units


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowSizes:
    """Longest rows of the encoder in pieces and of the context layers in units."""

    pieces: int = 448
    units: int = 256


def join(slices: Sequence[Slice], sizes: WindowSizes) -> EduBatch:
    """Join documents; no output of one depends on another."""
    units = [part.units for part in slices]
    starts = offsets([len(part) for part in units])
    places = offsets([len(part.inputs) for part in slices])
    shift = list(zip(units, starts, strict=False))
    return EduBatch(
        inputs=torch.from_numpy(np.concatenate([_native(part.inputs) for part in slices])),
        pieces=piece_rows([part.layout for part in slices], size=sizes.pieces),
        spans=_long([part.units.pieces + at for part, at in zip(slices, places, strict=False)]),
        documents=_long([np.full(len(part), number) for number, part in enumerate(units)]),
        n_documents=len(slices),
        sentences=_long([part.sentences for part in units]),
        rows=unit_rows([len(part) for part in units], size=sizes.units),
        places=_long([part.places for part in units]),
        features=torch.from_numpy(np.concatenate([part.features for part in units])),
        rst=_long([part.rst + at for part, at in shift]).T.contiguous(),
        coref=_long([part.coref + at for part, at in shift]).T.contiguous(),
    )


def unit_rows(sizes: Sequence[int], *, size: int) -> Rows:
    """Lay the units of each document out in windows."""
    cells = []
    for start, n_units in zip(offsets(sizes), sizes, strict=False):
        for first, end, read_first, read_end in unit_windows(n_units, size=size):
            cells.append((start + first, start + end, start + read_first, start + read_end))
    return _rows(cells, sum(sizes))


def piece_rows(layouts: Sequence[PieceLayout | None], *, size: int) -> PieceRows:
    """Lay the blocks of each document out in windows that do not overlap."""
    cells: list[tuple[int, int, int, int]] = []
    numbers: list[NDArray[np.integer]] = []
    known = [layout for layout in layouts if layout is not None]
    starts = offsets([len(layout.ids) for layout in known])
    for layout, start in zip(known, starts, strict=False):
        lengths = np.diff(layout.blocks)
        blocks = np.repeat(np.arange(len(lengths)), lengths)
        for window in windows(lengths.tolist(), max_pieces=size, overlap=0):
            low, high = int(layout.blocks[window.first]), int(layout.blocks[window.end])
            cells.append((start + low, start + high, start + low, start + high))
            numbers.append(blocks[low:high] - window.first)
    rows = _rows(cells, starts[-1])
    blocks_of = _long(numbers)
    return PieceRows(
        rows=rows,
        shapes=rows.spread(_long([layout.shapes for layout in known])) * rows.mask,
        blocks=rows.spread(blocks_of).masked_fill(~rows.mask, -1),
        segments=rows.spread(_long([_segments(layout) for layout in known])) * rows.mask,
    )


def _segments(layout: PieceLayout) -> NDArray[np.integer]:
    return np.repeat(layout.block_sentences % 2, np.diff(layout.blocks))


def _rows(cells: Sequence[tuple[int, int, int, int]], n_elements: int) -> Rows:
    """Put elements ``[first, end)`` into rows, read within ``[read_first, read_end)``."""
    longest = max((end - first for first, end, _, _ in cells), default=0)
    index = np.zeros((len(cells), longest), dtype=np.int64)
    mask = np.zeros((len(cells), longest), dtype=np.bool_)
    back = np.zeros(n_elements, dtype=np.int64)
    for row, (first, end, read_first, read_end) in enumerate(cells):
        index[row, : end - first] = np.arange(first, end)
        mask[row, : end - first] = True
        back[read_first:read_end] = np.arange(read_first, read_end) - first + row * longest
    return Rows(*map(torch.from_numpy, (index, mask, back)))


def _native(values: NDArray[np.floating] | NDArray[np.integer]) -> NDArray[np.generic]:
    """Convert float16 to float32, and integers to int64, as embeddings need."""
    kind = np.float32 if np.issubdtype(values.dtype, np.floating) else np.int64
    return values.astype(kind, copy=False)


def _long(parts: Sequence[NDArray[np.integer]]) -> Tensor:
    if not parts:
        return torch.zeros(0, dtype=torch.long)
    return torch.from_numpy(np.concatenate(parts)).long()
