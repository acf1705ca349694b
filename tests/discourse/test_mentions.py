"""Candidate mentions and what their words say about pairs."""

import numpy as np
import pytest

from discobert.discourse.mentions import (
    DEFINITE,
    INDEFINITE,
    MAX_WIDTH,
    N_DISTANCES,
    N_KINDS,
    NAME,
    NUMBER,
    OTHER,
    POSSESSIVE,
    candidate_spans,
    describe_mentions,
    pair_classes,
)


def spans(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    firsts, lasts = zip(*pairs, strict=True)
    return np.array(firsts, dtype=np.int32), np.array(lasts, dtype=np.int32)


def test_candidates_stay_inside_their_sentence() -> None:
    firsts, lasts = candidate_spans(np.array([0, 0, 1], dtype=np.int32))
    assert list(zip(firsts.tolist(), lasts.tolist(), strict=True)) == [
        (0, 0),
        (0, 1),
        (1, 1),
        (2, 2),
    ]


def test_candidates_have_a_longest_width() -> None:
    firsts, lasts = candidate_spans(np.zeros(50, dtype=np.int32))
    assert (lasts - firsts).max() == MAX_WIDTH - 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("he", 0),
        ("Her", 1),
        ("the company", DEFINITE),
        ("a company", INDEFINITE),
        ("his company", POSSESSIVE),
        ("Clare Hines", NAME),
        ("the Pope", NAME),
        ("42 people", NUMBER),
        ("tired people", OTHER),
    ],
)
def test_kinds_of_mentions(text: str, kind: int) -> None:
    words = text.split()
    assert describe_mentions(words, *spans((0, len(words) - 1))).kinds.tolist() == [kind]


def test_possessive_endings_and_articles_do_not_hide_a_match() -> None:
    words = "Smith ' s house , Smith and the players ' bus hit players".split()
    found = describe_mentions(words, *spans((0, 2), (5, 5), (7, 9), (12, 12)))
    assert found.whole[0] == found.whole[1]
    assert found.whole[2] == found.whole[3]
    assert found.tail[0] != found.tail[2]


def test_pair_classes_tell_matches_and_distance() -> None:
    words = "Smith left . the old Smith left . he slept".split()
    sentences = np.array([0, 1, 9], dtype=np.int32)
    texts = describe_mentions(words, *spans((0, 0), (3, 5), (8, 8)))
    pairs = pair_classes(texts, sentences, slice(0, 3), slice(0, 2))
    assert pairs.kinds.shape == (3, 2)
    assert pairs.kinds[2, 1] == 0 * N_KINDS + NAME
    assert pairs.matches[0, 0] // N_KINDS == 3
    assert pairs.matches[1, 0] // N_KINDS == 1
    assert pairs.matches[2, 0] // N_KINDS == 0
    assert pairs.distances[1, 0] // N_KINDS == 1
    assert pairs.distances[2, 0] // N_KINDS == 6


def test_far_pairs_share_the_last_distance_class() -> None:
    texts = describe_mentions(["a", "b"], *spans((0, 0), (1, 1)))
    pairs = pair_classes(texts, np.array([0, 100_000], dtype=np.int32), slice(1, 2), slice(0, 1))
    assert pairs.distances[0, 0] // N_KINDS == N_DISTANCES - 1
