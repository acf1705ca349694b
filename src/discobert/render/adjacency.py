"""Graphs over EDUs as adjacency pictures: a small PNG, whatever the number of edges.

The paper's Figure 4 shows its graphs so. Rows are held as integers with a bit for each column, so
that a thing mentioned in thousands of EDUs costs a row for each, not a cell for each pair.
"""

import base64
import struct
import zlib
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from discobert.data.graph import DiscourseGraph

LARGEST = 256
"""Cells along an edge of the picture; neighbours of larger graphs share a cell."""

_EMPTY, _EDGE, _CHOSEN = b"\0\1\2"
_COLOURS = ((0, 0, 0), (100, 134, 196), (222, 116, 38))
"""Of no edge (transparent), of an edge, of an edge between chosen EDUs: on light and on dark."""


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Which cells of a square hold an edge; ``rows`` has a bit for each column."""

    size: int
    rows: tuple[int, ...]

    @property
    def n_cells(self) -> int:
        """Cells with an edge."""
        return sum(row.bit_count() for row in self.rows)


def graph_adjacency(graph: DiscourseGraph) -> Adjacency:
    """Put each edge into the row of its dependent and the column of its head."""
    cells = _cells(graph.size)
    rows = [0] * min(graph.size, LARGEST)
    for edge in graph.edges:
        rows[cells[edge.dependent]] |= 1 << cells[edge.head]
    return Adjacency(len(rows), tuple(rows))


def shared_adjacency(size: int, groups: Iterable[Sequence[int]]) -> Adjacency:
    """Join all members of each group, and each EDU to itself: the coreference graph."""
    cells = _cells(size)
    rows = [1 << row for row in range(min(size, LARGEST))]
    for group in groups:
        touched = {cells[edu] for edu in group}
        mask = sum(1 << cell for cell in touched)
        for cell in touched:
            rows[cell] |= mask
    return Adjacency(len(rows), tuple(rows))


def _cells(size: int) -> list[int]:
    """Return the cell of each EDU."""
    return [edu * min(size, LARGEST) // size for edu in range(size)]


def png_address(adjacency: Adjacency, *, n_edus: int, chosen: Set[int]) -> str:
    """Return the picture as a data address, with edges between chosen EDUs in another colour."""
    cells = _cells(n_edus)
    marked = {cells[edu] for edu in chosen}
    mask = sum(1 << cell for cell in marked)
    rows = [
        _row(row, mask if index in marked else 0, adjacency.size)
        for index, row in enumerate(adjacency.rows)
    ]
    return f"data:image/png;base64,{base64.b64encode(_png(adjacency.size, rows)).decode()}"


def _row(edges: int, marked: int, size: int) -> bytes:
    """Write a row with a byte for each column, the first one in the lowest bit."""
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
