"""Graphs as pictures."""

import base64
import struct
import zlib
from time import process_time

from hypothesis import given, settings
from hypothesis import strategies as st

from discobert.data.graph import DiscourseGraph, Edge
from discobert.render.trees.adjacency import (
    MAX_CELLS,
    graph_adjacency,
    png_data_url,
    shared_adjacency,
)


def pixels(address: str) -> list[bytes]:
    """Decode our own pictures: the rows, a byte for each column."""
    data = base64.b64decode(address.removeprefix("data:image/png;base64,"))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = dict[bytes, bytes](), 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length) == (zlib.crc32(kind + body),)
        chunks[kind] = body
        at += length + 12
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    raw = zlib.decompress(chunks[b"IDAT"])
    assert len(raw) == height * (width + 1)
    return [raw[row * (width + 1) + 1 : (row + 1) * (width + 1)] for row in range(height)]


def test_edges_lie_in_the_row_of_the_dependent() -> None:
    adjacency = graph_adjacency(DiscourseGraph(3, (Edge(0, 2), Edge(1, 0))))
    assert adjacency.n_cells == 2
    assert pixels(png_data_url(adjacency, n_edus=3, chosen=set())) == [
        b"\0\0\1",
        b"\1\0\0",
        b"\0\0\0",
    ]


def test_edges_between_chosen_units_have_a_colour_of_their_own() -> None:
    adjacency = shared_adjacency(4, [(0, 2), (2, 3)])
    assert pixels(png_data_url(adjacency, n_edus=4, chosen={0, 2})) == [
        b"\2\0\2\0",
        b"\0\1\0\0",
        b"\2\0\2\1",
        b"\0\0\1\1",
    ]


@settings(max_examples=30)
@given(st.integers(1, 3 * MAX_CELLS), st.data())
def test_neighbours_of_large_graphs_share_a_cell(size: int, data: st.DataObject) -> None:
    edus = st.integers(0, size - 1)
    edge = Edge(data.draw(edus), data.draw(edus))
    adjacency = graph_adjacency(DiscourseGraph(size, (edge,)))
    assert adjacency.size == min(size, MAX_CELLS)
    assert adjacency.n_cells == 1
    assert len(pixels(png_data_url(adjacency, n_edus=size, chosen={0}))) == adjacency.size


def test_thing_mentioned_everywhere_costs_neither_time_nor_space() -> None:
    start = process_time()
    adjacency = shared_adjacency(20_000, [range(20_000)] * 3)
    assert len(png_data_url(adjacency, n_edus=20_000, chosen=set(range(50)))) < 20_000
    assert process_time() - start < 5
