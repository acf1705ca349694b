"""Cue phrases, outline and place of sentences, on texts whose features are known by hand."""

import numpy as np
import pytest

from discobert.scorer.genre_features import CUES, N_GENRE_FEATURES, genre_features

TITLE, IS_TELLING, AFTER_HEADING = (len(CUES) + index for index in (0, 2, 3))
SINCE, PLACE, FIRST, LAST = (len(CUES) + index for index in (4, 5, 6, 8))
MINUTES = (
    "Minutes of the bridge committee",
    "The chair opened the meeting.",
    "Decisions",
    "The committee resolved to rebuild the bridge.",
    "It rained.",
)


def cue(text: str) -> list[int]:
    return np.flatnonzero(genre_features([text])[0, : len(CUES)]).tolist()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In this paper we propose a new measure of soil.", 0),
        ("Our results show that gaps matter.", 1),
        ("In conclusion, tall hedges are no better.", 2),
        ("Resolved, by four votes to one, that the offer be accepted.", 3),
        ("Lantern is a reader for scanned books.", 4),
        ("She is best known for her maps.", 5),
        ("It closed because the roof leaked.", 6),
        ("Birds, for example, come back in May.", 7),
        ("However, nobody came.", 8),
        ("He painted ships.[12]", 9),
        ("The mill burnt down in 1902.", 10),
        ("She was educated in Bergen.", 11),
    ],
)
def test_each_cue_is_found_by_its_phrase(text: str, found: int) -> None:
    assert found in cue(text)


def test_plain_sentences_have_no_cue() -> None:
    assert cue("Two boats lay near the shore.") == []


def test_headings_give_title_section_and_distance() -> None:
    features = genre_features(MINUTES)
    assert features.shape == (5, N_GENRE_FEATURES)
    # minutes, bridge, committee: the third sentence has two of them
    assert features[3, TITLE] == pytest.approx(2 / 3)
    assert features[:, IS_TELLING].tolist() == [0, 0, 1, 1, 1]
    assert features[:, AFTER_HEADING].tolist() == [0, 1, 0, 1, 0]
    assert features[:, SINCE].tolist() == pytest.approx([0, 0.1, 0, 0.1, 0.2])
    assert features[:, PLACE].tolist() == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3, 1])
    assert features[:, FIRST].tolist() == [1, 1, 1, 0, 0]
    assert features[:, LAST].tolist() == [0, 0, 0, 0, 1]


def test_the_first_sentence_is_the_title_where_there_is_no_heading() -> None:
    features = genre_features(["The bridge fell.", "The bridge was old."])
    assert features[0, TITLE] == 1
    assert features[1, TITLE] == 0.5  # bridge, of bridge and fell


@pytest.mark.parametrize("texts", [[], [""], ["…"], ["\u2028"], ["word " * 4000]])
def test_odd_texts_have_finite_features(texts: list[str]) -> None:
    features = genre_features(texts)
    assert features.shape == (len(texts), N_GENRE_FEATURES)
    assert np.isfinite(features).all()
