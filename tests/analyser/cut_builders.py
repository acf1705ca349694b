"""Sentences to cut, written by hand; vectors are random but fixed."""

import re

import numpy as np
from tests.builders import doc

from discobert.analyser.cuts.sentences import (
    AnalyserOutputs,
    CutSentence,
    KeptVectors,
    cut_sentences,
)
from discobert.data.document import Document
from discobert.data.rst import RstTree
from discobert.runtime.pieces import PieceLayout
from discobert.runtime.tensors import Array

WIDTH, EDU_WIDTH = 12, 8


def word_layout(document: Document) -> PieceLayout:
    """Lay words and marks out as one piece each, with nothing around sentences."""
    chars = np.array([m.span() for m in re.finditer(r"\w+|[^\w\s]", document.text)], dtype=np.int32)
    starts = [sentence.start for sentence in document.sentences]
    numbers = np.arange(len(chars), dtype=np.int32)
    sentences = np.searchsorted(starts, chars[:, 0], side="right").astype(np.int32) - 1
    return PieceLayout(
        ids=numbers,
        shapes=np.zeros_like(numbers),
        blocks=np.array([0, len(chars)], dtype=np.int32),
        block_sentences=np.zeros(1, dtype=np.int32),
        word_pieces=np.stack([numbers, numbers + 1], axis=1),
        word_chars=chars,
        word_sentences=sentences,
        word_opens=np.ones(len(chars), dtype=np.bool_),
    )


def normal(*shape: int, seed: int = 1) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def no_rank(word: str) -> float:
    """Rank words by their length."""
    return float(len(word))


def sentences_of(markup: str, tree: RstTree) -> list[CutSentence]:
    """Return the sentences of several EDUs of a document written as for ``builders.doc``."""
    document = doc(markup)
    layout = word_layout(document)
    vectors = normal(layout.n_words, WIDTH)
    kept = KeptVectors(means=[normal(len(document.sentences), WIDTH, seed=2).astype(np.float16)])
    edges = np.flatnonzero(np.diff(layout.word_sentences, prepend=-1)).tolist()
    kept.add(vectors, 0, list(zip(edges, [*edges[1:], layout.n_words], strict=True)))
    edus = normal(len(document.edus), EDU_WIDTH, seed=3)
    tags = np.full((layout.n_words, 2), -2, dtype=np.float32)
    return list(cut_sentences(document, tree, layout, AnalyserOutputs(tags, kept, edus), no_rank))
