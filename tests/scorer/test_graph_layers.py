"""Averages over edge lists in numpy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.errors import BundleError
from discobert.scorer import graph_layers
from discobert.scorer.graph_layers import Linear, Neighbourhood, SpanExtractor

EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)


@given(EDGES, st.sampled_from([1, 2, 5, 1 << 16]))
def test_means_are_exact_however_edges_are_cut(pairs: list[tuple[int, int]], at_once: int) -> None:
    rows = np.random.default_rng(0).standard_normal((10, 3)).astype(np.float32)
    edges = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    expected = np.zeros_like(rows)
    for unit in range(10):
        messages = [speaker for listener, speaker in pairs if listener == unit]
        if messages:
            expected[unit] = rows[messages].mean(0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph_layers, "EDGES_AT_ONCE", at_once)
        found = Neighbourhood.of(edges[:, 0], edges[:, 1]).mean(rows)
    assert np.abs(found - expected).max() < 1e-5


def test_spans_without_pieces_are_zero() -> None:
    rng = np.random.default_rng(0)
    linear = Linear(rng.standard_normal((4, 4)).astype(np.float32), np.zeros(4, dtype=np.float32))
    score = Linear(np.zeros((1, 4), dtype=np.float32), np.zeros(1, dtype=np.float32))
    pieces = rng.standard_normal((5, 4)).astype(np.float32)
    extract = SpanExtractor(linear, score)
    units = extract(pieces, np.array([[0, 2], [0, 0], [2, 5]], dtype=np.int32))
    assert np.abs(units[0] - pieces[:2].mean(0)).max() < 1e-6
    assert not units[1].any()
    assert not extract(pieces, np.zeros((2, 2), dtype=np.int32)).any()


@pytest.mark.parametrize("at_once", [1, 2, 512])
def test_units_are_the_same_however_they_are_cut(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    linear = Linear(rng.standard_normal((4, 4)).astype(np.float32), np.ones(4, dtype=np.float32))
    score = Linear(rng.standard_normal((1, 4)).astype(np.float32), np.zeros(1, dtype=np.float32))
    pieces = rng.standard_normal((9, 4)).astype(np.float32)
    monkeypatch.setattr(graph_layers, "UNITS_AT_ONCE", at_once)
    monkeypatch.setattr(graph_layers, "PIECES_AT_ONCE", at_once)
    units = SpanExtractor(linear, score)(pieces, np.array([[1, 3], [3, 7], [0, 0], [8, 9]]))
    shares = np.exp(score(np.maximum(linear(pieces[3:7]), 0)))
    assert np.abs(units[1] - (shares / shares.sum() * pieces[3:7]).sum(0)).max() < 1e-5
    assert np.abs(units[3] - pieces[8]).max() < 1e-6


def test_missing_weights_are_told() -> None:
    with pytest.raises(BundleError, match=r"lack head\.weight"):
        Linear.of({}, "head")
