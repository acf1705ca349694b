"""Rows, windows and joined documents."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from tests.tiny import tiny_examples, tiny_layout  # noqa: E402

from discobert.nn.batch import Slice, WindowSizes, join, piece_rows, unit_rows  # noqa: E402
from discobert.scorer.features import edu_units, unit_windows  # noqa: E402


@given(st.lists(st.integers(1, 200), min_size=1, max_size=4), st.integers(70, 90))
def test_every_unit_is_read_back_from_its_own_cell(sizes: list[int], size: int) -> None:
    rows = unit_rows(sizes, size=size)
    flat = torch.arange(sum(sizes))
    assert torch.equal(rows.collect(rows.spread(flat)), flat)


@given(st.integers(1, 500), st.integers(16, 64), st.integers(0, 7))
def test_windows_read_each_unit_once_and_keep_their_size(n: int, size: int, overlap: int) -> None:
    found = unit_windows(n, size=size, overlap=overlap)
    assert [unit for _, _, low, high in found for unit in range(low, high)] == list(range(n))
    assert all(0 <= first <= low < high <= end <= n for first, end, low, high in found)
    assert all(end - first <= size for first, end, _, _ in found)


def test_segments_alternate_with_sentences_and_padding_is_masked() -> None:
    layouts = [tiny_layout(example.analysis) for example in tiny_examples()[:2]]
    cells = piece_rows(layouts, size=448)
    assert cells.rows.index.shape[0] == 2
    first = cells.segments[0][: len(layouts[0].ids)]
    starts = layouts[0].blocks[:-1]
    assert first[starts.tolist()].tolist() == [0, 1, 0, 1]
    assert cells.rows.padding_mask is not None
    assert int(cells.rows.mask.sum()) == sum(len(layout.ids) for layout in layouts)


def test_small_windows_restart_places() -> None:
    layout = tiny_layout(tiny_examples()[0].analysis)
    cells = piece_rows([layout], size=60)
    assert len(cells.blocks) > 1
    assert cells.blocks[:, 0].tolist() == [0] * len(cells.blocks)
    flat = torch.arange(len(layout.ids))
    assert torch.equal(cells.rows.collect(cells.rows.spread(flat)), flat)


def test_joined_documents_keep_their_edges_and_spans_to_themselves() -> None:
    parts = []
    for example in tiny_examples():
        layout = tiny_layout(example.analysis)
        halves = np.ones((len(layout.ids), 3), dtype=np.float16)
        parts.append(Slice(halves, layout, edu_units(example.analysis, layout)))
    batch = join(parts, WindowSizes())
    assert batch.inputs.dtype == torch.float32
    for edges in (batch.rst, batch.coref):
        owners = batch.documents[edges]
        assert torch.equal(owners[0], owners[1])
    bounds = np.cumsum([0, *(len(part.inputs) for part in parts)])
    for document in range(4):
        spans = batch.spans[batch.documents == document]
        assert bounds[document] <= int(spans.min())
        assert int(spans.max()) <= bounds[document + 1]


def test_piece_ids_stay_whole_numbers() -> None:
    example = tiny_examples()[0]
    layout = tiny_layout(example.analysis)
    batch = join([Slice(layout.ids, layout, edu_units(example.analysis, layout))], WindowSizes())
    assert batch.inputs.dtype == torch.long
