"""LexRank without a matrix equals LexRank with one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discobert.language.tokens import Tokens, tokenise
from discobert.metrics.lexrank import DAMPING, lexrank


def dense_lexrank(sentences: list[Tokens]) -> np.ndarray:
    n = len(sentences)
    vocabulary = sorted({token for sentence in sentences for token in sentence})
    counts = np.array([[s.count(token) for token in vocabulary] for s in sentences], dtype=float)
    counts = counts.reshape(n, len(vocabulary))
    weights = counts * np.log(n / np.maximum((counts > 0).sum(axis=0), 1))
    lengths = np.linalg.norm(weights, axis=1, keepdims=True)
    rows = np.divide(weights, lengths, where=lengths > 0, out=np.zeros_like(weights))
    similar = rows @ rows.T
    degrees = similar.sum(axis=1, keepdims=True)
    walk = np.divide(similar, degrees, where=degrees > 0, out=np.full((n, n), 1 / n))
    shares = np.full(n, 1 / n)
    for _ in range(500):
        shares = DAMPING * shares @ walk + (1 - DAMPING) / n
    return shares


def test_the_sentence_that_the_others_resemble_wins() -> None:
    sentences = ["rain today", "ferry aground coast", "ferry sank", "coast fog", "aground again"]
    shares = lexrank([tokenise(sentence) for sentence in sentences])
    assert shares.argmax() == 1
    assert shares.sum() == pytest.approx(1)


def test_no_sentences_have_no_shares() -> None:
    assert lexrank([]).tolist() == []


def test_sentences_without_telling_words_share_equally() -> None:
    assert lexrank([(), ()]).tolist() == [0.5, 0.5]
    assert lexrank([("a",)]).tolist() == [1.0]


def test_iteration_stops_at_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discobert.metrics.lexrank.MAX_ITERATIONS", 1)
    shares = lexrank([("a", "b"), ("b", "c"), ("d",)])
    assert shares.sum() == pytest.approx(1)


@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=6).map(tuple), min_size=1, max_size=6))
def test_equals_the_dense_walk(sentences: list[Tokens]) -> None:
    assert lexrank(sentences) == pytest.approx(dense_lexrank(sentences), abs=1e-4)
