"""Gold trees projected onto predicted EDUs."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from discobert.data.document import Span
from discobert.data.rst import Node, Nuclearity
from discobert.store.treebanks.gum import GoldDocument
from discobert.train.analyser.gold import GoldItem, gold_item
from discobert.train.analyser.network import load_tokenizer
from discobert.train.analyser.resegment import resegmented, sampled_starts
from discobert.train.analyser.rollout import Rollout

TEXT = "The cat sat because it was late . He said that she left ."
#       0   1   2   3       4  5   6    7 8  9    10   11  12   13
EDUS = (0, 3, 8, 10)
"""The words that the gold EDUs begin with; the second sentence begins with "He"."""


@pytest.fixture
def item(encoder: Path) -> GoldItem:
    words = TEXT.split()
    places = [sum(len(word) + 1 for word in words[:n]) for n in range(len(words) + 1)]
    edges = [places[edu] for edu in (*EDUS, len(words))]
    gold = GoldDocument(
        id="a",
        split="train",
        genre="news",
        non_commercial=False,
        text=TEXT,
        tokens=(),
        sentences=(Span(0, edges[2] - 1), Span(edges[2], len(TEXT))),
        paragraphs=(0,),
        edus=tuple(Span(edges[n], edges[n + 1] - 1) for n in range(4)),
        subjects=(),
        nodes=(
            Node(0, 1, 2, Nuclearity.LEFT, "causal"),
            Node(2, 3, 4, Nuclearity.RIGHT, "attribution"),
            Node(0, 2, 4, Nuclearity.BOTH, "joint"),
        ),
        clusters=None,
        has_relations=True,
    )
    return gold_item(load_tokenizer(encoder), gold)


def at(item: GoldItem, *words: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    marks = np.zeros(item.layout.n_words, dtype=np.bool_)
    marks[list(words)] = True
    return marks


def spans(item: GoldItem) -> dict[tuple[int, int], str]:
    assert item.oracle is not None
    return {span: node.relation for span, node in item.oracle.by_span.items()}


def test_the_same_edus_give_the_same_tree(item: GoldItem) -> None:
    same = resegmented(item, at(item, *EDUS))
    assert spans(same) == spans(item) == {(0, 2): "causal", (2, 4): "attribution", (0, 4): "joint"}
    assert same.shape == item.shape
    assert item.edu_pieces is not None
    assert same.edu_pieces is not None
    assert same.edu_pieces[:, 0].tolist() == item.edu_pieces[:, 0].tolist()


def test_joined_edus_lose_the_node_between_them(item: GoldItem) -> None:
    joined = resegmented(item, at(item, 0, 8, 10))
    assert spans(joined) == {(1, 3): "attribution", (0, 3): "joint"}
    assert joined.shape is not None
    assert joined.shape.sentence == (0, 1, 1)


def test_a_split_edu_stays_together_without_a_relation(item: GoldItem) -> None:
    split = resegmented(item, at(item, 0, 3, 5, 8, 10))
    assert spans(split) == {(0, 3): "causal", (3, 5): "attribution", (0, 5): "joint"}
    assert split.shape is not None
    assert split.oracle is not None
    rollout = Rollout(split.shape, split.oracle, ("causal", "attribution", "joint"))
    rollout.run(random.Random(0), explore=0.0)
    tops = [(row[3], row[4]) for row in rollout.edus if row[3] < split.shape.size]
    assert (1, 2) in tops  # both parts of the second EDU are joined first
    assert (0, 1) not in tops


def test_sentences_stay_apart_whatever_is_guessed(item: GoldItem) -> None:
    found = resegmented(item, at(item))
    assert spans(found) == {(0, 2): "joint"}
    assert found.edu_pieces is not None
    assert found.edu_pieces.tolist() == [
        [int(item.layout.word_pieces[0, 0]), int(item.layout.word_pieces[7, 1])],
        [int(item.layout.word_pieces[8, 0]), int(item.layout.word_pieces[-1, 1])],
    ]


def test_a_document_without_a_tree_stays_as_it_is(item: GoldItem) -> None:
    silent = replace(item, shape=None, oracle=None)
    assert resegmented(silent, at(item)) is silent


def test_guesses_follow_the_segmenter_and_its_temperature() -> None:
    logits = np.array([9.0, -9.0, 9.0, -9.0], dtype=np.float32)
    sure = sampled_starts(logits, random.Random(0), temperature=1.0)
    assert sure.tolist() == [True, False, True, False]
    many = np.full(2000, 9.0, dtype=np.float32)
    share = sampled_starts(many, random.Random(0), temperature=9.0).mean()
    assert share == pytest.approx(1 / (1 + np.exp(-1)), abs=0.03)
