"""Adjacency matrices of graphs over EDUs as small PNG images, as in the paper's Figure 4.

A row is an integer with a bit for each column, so that an entity mentioned in thousands of EDUs
costs a row for each of them, not a cell for each pair.
"""

import base64
import struct
import zlib
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from discobert.data.graph import DiscourseGraph

MAX_CELLS = 256
"""Cells along a side of the image; in larger graphs, adjacent EDUs share a cell."""

_EMPTY, _EDGE, _CHOSEN = b"\0\1\2"
_COLOURS = ((0, 0, 0), (146, 155, 163), (13, 148, 136))
"""No edge (transparent), an edge, an edge between chosen EDUs; for light and dark pages."""


@dataclass(frozen=True, slots=True)
class Adjacency:
    """An adjacency matrix of cells; each of ``rows`` has a bit for each column."""

    size: int
    rows: tuple[int, ...]

    @property
    def n_cells(self) -> int:
        """Cells with an edge."""
        return sum(row.bit_count() for row in self.rows)


def graph_adjacency(graph: DiscourseGraph) -> Adjacency:
    """Put each edge into the row of its dependent and the column of its head."""
    cells = _cells(graph.size)
    rows = [0] * min(graph.size, MAX_CELLS)
    for edge in graph.edges:
        rows[cells[edge.dependent]] |= 1 << cells[edge.head]
    return Adjacency(len(rows), tuple(rows))


def shared_adjacency(size: int, groups: Iterable[Sequence[int]]) -> Adjacency:
    """Join all members of each group, and each EDU to itself: the coreference graph."""
    cells = _cells(size)
    rows = [1 << row for row in range(min(size, MAX_CELLS))]
    for group in groups:
        touched = {cells[edu] for edu in group}
        mask = sum(1 << cell for cell in touched)
        for cell in touched:
            rows[cell] |= mask
    return Adjacency(len(rows), tuple(rows))


def _cells(size: int) -> list[int]:
    """Return the cell of each EDU."""
    return [edu * min(size, MAX_CELLS) // size for edu in range(size)]


def png_data_url(adjacency: Adjacency, *, n_edus: int, chosen: Set[int]) -> str:
    """Return the image as a data URL, with edges between chosen EDUs in another colour."""
    cells = _cells(n_edus)
    marked = {cells[edu] for edu in chosen}
    mask = sum(1 << cell for cell in marked)
    rows = [
        _row(row, mask if index in marked else 0, adjacency.size)
        for index, row in enumerate(adjacency.rows)
    ]
    return f"data:image/png;base64,{base64.b64encode(_png(adjacency.size, rows)).decode()}"


def _row(edges: int, marked: int, size: int) -> bytes:
    """Return a row of pixels, one byte for each column; the first is the lowest bit."""
    kinds = _digits(edges, size)
    if not edges & marked:
        return kinds
    both = _digits(edges & marked, size)
    return bytes(_CHOSEN if mark else kind for kind, mark in zip(kinds, both, strict=True))


def _digits(bits: int, size: int) -> bytes:
    return format(bits, f"0{size}b")[::-1].encode().translate(bytes.maketrans(b"01", b"\0\1"))


def _png(size: int, rows: Sequence[bytes]) -> bytes:
    header = struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)  # a byte a pixel, with a palette
    pixels = b"".join(b"\0" + row for row in rows)
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", bytes(value for colour in _COLOURS for value in colour)),
            _chunk(b"tRNS", bytes([_EMPTY, 255, 255])),
            _chunk(b"IDAT", zlib.compress(pixels, 9)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)
