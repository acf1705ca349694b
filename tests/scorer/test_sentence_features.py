"""Features of sentences, by hand."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discobert.scorer.sentence_features import (
    _FURNITURE,
    _FURNITURE_PARTS,
    _WEB,
    _WEB_PARTS,
    N_DERIVED,
    N_NEVER_INPUTS,
    N_SURFACE,
    SURFACE,
    WINDOW,
    _has,
    derived_features,
    never_inputs,
    surface_features,
)

TEXTS = (
    "The river flooded the old mill after days of heavy rain.",
    "Pictured: the mill (left) before the flood",
    'He said: "I lost everything."',
    "But 12 families got £400 each, they say, from www.help.com",
)
OPENS = (True, False, True, False)


def feature(name: str) -> list[float]:
    column: list[float] = surface_features(TEXTS, OPENS)[:, SURFACE.index(name)].tolist()
    return column


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("words50", [11 / 50, 7 / 50, 5 / 50, 10 / 50]),
        ("ends_stop", [1, 0, 1, 0]),
        ("ends_bare", [0, 1, 0, 1]),
        ("label", [0, 1, 1, 0]),
        ("furniture", [0, 1, 0, 0]),
        ("alone", [0, 0, 0, 0]),
        ("opens", [1, 0, 1, 0]),
        ("closes", [0, 1, 0, 1]),
        ("money", [0, 0, 0, 1]),
        ("has_quote", [0, 0, 1, 0]),
        ("odd_quotes", [0, 0, 0, 0]),
        ("starts_pronoun", [0, 0, 1, 0]),
        ("starts_connective", [0, 0, 0, 1]),
        ("reports", [0, 0, 1, 0]),
        ("first_person", [0, 0, 1, 0]),
        ("web", [0, 0, 0, 1]),
        ("bracket", [0, 1, 0, 0]),
        ("starts_the", [1, 0, 0, 0]),
        ("commas", [0, 0, 0, 2 / 5]),
        ("short", [0, 0, 1, 0]),
    ],
)
def test_surface_features_of_written_sentences(name: str, expected: list[float]) -> None:
    assert feature(name) == pytest.approx(expected)


def test_logarithms_and_shares() -> None:
    assert feature("log_words")[0] == pytest.approx(np.log1p(11))
    assert feature("paragraph_length") == pytest.approx([np.log(2)] * 4)
    assert feature("n_numbers")[3] == pytest.approx(np.log1p(2))
    assert feature("share_capital")[0] == pytest.approx(1 / 11)


def test_words_seen_before() -> None:
    # river, flooded, mill, days, heavy, rain; of pictured, mill, left, flood only mill was seen
    assert feature("seen_before")[:2] == pytest.approx([0, 1 / 4])
    assert feature("in_lead")[0] == 1


def test_empty_sentences_have_features() -> None:
    features = surface_features(["", "..."], [True, False])
    assert features.shape == (2, N_SURFACE)
    assert np.isfinite(features).all()


def test_inputs_of_the_model_of_furniture_hold_both_neighbours() -> None:
    surface = surface_features(TEXTS, OPENS)
    rows = never_inputs(surface)
    assert rows.shape == (4, N_NEVER_INPUTS)
    np.testing.assert_array_equal(rows[1, N_SURFACE : 2 * N_SURFACE], surface[0])
    np.testing.assert_array_equal(rows[1, 2 * N_SURFACE : 3 * N_SURFACE], surface[2])
    assert not rows[3, 2 * N_SURFACE : 3 * N_SURFACE].any()


def unit_rows(n: int, seed: int = 1) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(n, 8)).astype(np.float32)


def test_furniture_does_not_count_as_place() -> None:
    never = np.array([0.9, 0.1, 0.2, 0.8, 0.1], dtype=np.float32)
    found = derived_features(unit_rows(5), unit_rows(5, 2), never)
    assert found.places.tolist() == [0, 0, 1, 2, 2]
    np.testing.assert_allclose(found.features[:, 2], np.array([0, 0, 1, 2, 2]) / 3, rtol=1e-6)
    np.testing.assert_allclose(found.features[1:, 12], never[:-1])


def test_similarities_to_earlier_sentences() -> None:
    same = np.array([[1, 0], [0, 1], [1, 0]], dtype=np.float32)
    found = derived_features(same, same, np.zeros(3, dtype=np.float32)).features
    np.testing.assert_allclose(found[:, 10], [0, 0, 1], atol=1e-5)  # highest of earlier ones
    np.testing.assert_allclose(found[:, 11], [1 / 3, 0, 1 / 3], atol=1e-5)
    np.testing.assert_allclose(found[:, 13], [0, 0, 0], atol=1e-5)


@pytest.mark.parametrize("n", [1, WINDOW + 100])
def test_short_and_long_texts(n: int) -> None:
    found = derived_features(unit_rows(n), unit_rows(n, 2), np.zeros(n, dtype=np.float32))
    assert found.features.shape == (n, N_DERIVED)
    assert np.isfinite(found.features).all()


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [(_FURNITURE, _FURNITURE_PARTS), (_WEB, _WEB_PARTS)],
    ids=["furniture", "web"],
)
@given(data=st.data())
def test_what_a_pattern_finds_has_one_of_its_parts(
    pattern: re.Pattern[str], parts: tuple[str, ...], data: st.DataObject
) -> None:
    assert _has(data.draw(st.from_regex(pattern)), parts)
