"""Coreference from views made by hand: who links to whom, and that cost stays linear."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from discobert.analyser import coreference as coref
from discobert.analyser.coreference import LinkWeights, MentionResolver, WordScores
from discobert.discourse.mentions import N_DISTANCES, N_KINDS, N_MATCHES

WIDTH = 4


def weights(*, match_bonus: float, other: float = -20.0) -> LinkWeights:
    """Link mentions with equal texts, by ``match_bonus``; everything else scores below zero."""
    matches = np.full((N_MATCHES, N_KINDS), other, dtype=np.float32)
    matches[3] = match_bonus
    return LinkWeights(
        lengths=np.where(np.arange(32) == 0, 0.0, -50.0).astype(np.float32),
        later=np.zeros((2 * WIDTH, 2 * WIDTH), dtype=np.float32),
        later_bias=np.zeros(2 * WIDTH, dtype=np.float32),
        kinds=np.zeros(N_KINDS * N_KINDS, dtype=np.float32),
        distances=np.zeros(N_DISTANCES * N_KINDS, dtype=np.float32),
        matches=matches.ravel(),
    )


def views(words: list[str], mentions: set[str]) -> WordScores:
    """Score the given words as mentions, one word long."""
    zeros = np.zeros((len(words), WIDTH), dtype=np.float32)
    scores = np.array([2.0 if word in mentions else -9.0 for word in words], dtype=np.float32)
    return WordScores(zeros, zeros, scores, scores * 0, zeros, zeros)


def clusters(
    text: str, mentions: set[str], bonus: float = 1.0, *, cut: int = 0, other: float = -20.0
) -> list[list[str]]:
    """Resolve a text, read in one section or cut in two before a word."""
    words = text.split()
    sentences = np.cumsum([word == "." for word in ["", *words[:-1]]]).astype(np.int32)
    given = weights(match_bonus=bonus, other=other)
    reader = MentionResolver(given, sentences)
    for low, high in pairwise(sorted({0, cut, len(words)})):
        reader.add(views(words[low:high], mentions), low)
    found = reader.resolve(words)
    return [[f"{words[first]}{first}" for first, _ in cluster] for cluster in found]


def test_equal_names_form_chains() -> None:
    text = "Ann met Bob . Bob saw Ann . Ann left ."
    assert clusters(text, {"Ann", "Bob"}) == [["Bob2", "Bob4"], ["Ann0", "Ann6", "Ann8"]]


def test_sections_change_nothing() -> None:
    text = "Ann met Bob . Bob saw Ann . Ann left ."
    whole = clusters(text, {"Ann", "Bob"})
    assert clusters(text, {"Ann", "Bob"}, cut=4) == clusters(text, {"Ann", "Bob"}, cut=8) == whole


def test_nothing_links_when_no_link_scores_above_zero() -> None:
    assert clusters("Ann met Bob . Bob saw Ann .", {"Ann", "Bob"}, bonus=-20) == []


def test_the_next_best_antecedent_is_taken_where_names_differ() -> None:
    text = "Ann left . Bob saw her . Bob ran . He smiled . She slept ."
    found = clusters(text, {"Ann", "Bob", "her", "He", "She"}, bonus=0.0, other=0.0)
    assert found == [["Ann0", "her5", "She13"], ["Bob3", "Bob7", "He10"]]


def test_a_mention_that_many_chains_refuse_stays_alone() -> None:
    names = [f"{letter}{letter.lower() * 5}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    others = ["and"] * 60  # so that there is room for all mentions
    text = " ".join([*names, names[0], names[-1], *others])
    found = clusters(text, {*names}, bonus=0.0, other=0.0)
    assert found == [["Aaaaaa0", "Aaaaaa26"]]  # equal scores: the first chain is asked first


def test_of_mentions_that_are_as_good_the_first_are_kept() -> None:
    words = ["Ann", *(f"{letter}{letter.lower()}" for letter in "BCDEFGHIJ"), "Ann"]
    assert clusters(" ".join(words), {*words}) == []
    assert clusters(" ".join(["Ann", *words]), {*words}) == [["Ann0", "Ann1"]]


def test_sections_without_words_are_passed_over() -> None:
    reader = MentionResolver(weights(match_bonus=1), np.zeros(2, dtype=np.int32))
    reader.add(views([], set()), 0)
    assert reader.resolve(["Ann", "Ann"]) == []


def test_a_single_word_has_no_chains() -> None:
    assert clusters("Ann", {"Ann"}) == []


def test_long_texts_are_compared_in_steps() -> None:
    text = "Ann saw it . " * 1000
    found = clusters(text, {"Ann"})
    assert [len(cluster) for cluster in found] == [1000]


def test_a_sentence_without_end_is_read_in_steps() -> None:
    text = "Ann saw the dog " * 400
    assert [len(cluster) for cluster in clusters(text, {"Ann"})] == [400]


@pytest.mark.parametrize("stretch", [1, 4, 8, 9])
def test_chains_go_on_from_stretch_to_stretch(
    stretch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Ann met Bob . Bob saw Ann . Ann left ."
    words = text.split()
    whole = clusters(text, {"Ann", "Bob"})
    monkeypatch.setattr(coref, "STRETCH", stretch)
    monkeypatch.setattr(coref, "MENTIONS_PER_WORD", 0.7)
    reader = MentionResolver(
        weights(match_bonus=1), np.array([0] * 4 + [1] * 4 + [2] * 3, np.int32)
    )
    for low, high in pairwise((0, 4, 8, 11)):
        reader.add(views(words[low:high], {"Ann", "Bob"}), low)
    found = reader.resolve(words)
    assert [[f"{words[first]}{first}" for first, _ in chain] for chain in found] == whole


def test_mentions_keep_the_vectors_of_their_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coref, "STRETCH", 2)
    monkeypatch.setattr(coref, "MENTIONS_PER_WORD", 1.0)
    given = replace(
        weights(match_bonus=0, other=-20.0), later=np.eye(2 * WIDTH, dtype=np.float32) * 30
    )
    reader = MentionResolver(given, np.arange(6, dtype=np.int32))
    words = ["ox", "cow", "pig", "dog", "hen", "bee"]
    for number, word in enumerate(words):
        own = np.eye(WIDTH, dtype=np.float32)[None, number % 3] * 2
        reader.add(replace(views([word], {word}), link_start=own), number)
    found = reader.resolve(words)
    assert found == [[(0, 0), (3, 3)], [(1, 1), (4, 4)], [(2, 2), (5, 5)]]
