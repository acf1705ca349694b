"""The weights of the readable style, as a bundle stores them."""

import json
from dataclasses import replace
from typing import Any

import pytest

from discobert.errors import BundleError
from discobert.selection.readable.weights import DEFAULT_WEIGHTS, ReadableWeights


def test_settings_come_back_from_json() -> None:
    weights = ReadableWeights(words=60, best=0.25, max_jump=3, repeat=1.5, cut=0.9)
    assert ReadableWeights.of(json.loads(json.dumps(weights.settings()))) == weights
    assert ReadableWeights.of(DEFAULT_WEIGHTS.settings()) == DEFAULT_WEIGHTS


def test_what_a_bundle_does_not_name_is_as_usual() -> None:
    assert ReadableWeights.of({}) == DEFAULT_WEIGHTS
    found = ReadableWeights.of({"new_word": 0.018, "jump": 1, "of a later version": "x"})
    assert found == replace(DEFAULT_WEIGHTS, new_word=0.018, jump=1.0)
    assert isinstance(found.jump, float)


def test_weights_of_an_older_search_are_replaced_by_the_usual_ones() -> None:
    assert ReadableWeights.of({"words": 95, "per_word": 0.0, "first": 9.0}) == DEFAULT_WEIGHTS
    assert ReadableWeights.of({"word_value": 0.12, "threshold": 0.25}) == DEFAULT_WEIGHTS


@pytest.mark.parametrize(
    "damaged", [{"words": "many"}, {"best": None}, {"first": [1.0]}, {"max_jump": {}}]
)
def test_damaged_settings_are_refused(damaged: dict[str, Any]) -> None:
    with pytest.raises(BundleError, match="the weights of the readable style cannot be read: "):
        ReadableWeights.of({"new_word": 0.018, **damaged})


@pytest.mark.parametrize("damaged", [None, 3])
def test_settings_that_are_no_table_are_refused(damaged: Any) -> None:  # noqa: ANN401 - also what types forbid
    with pytest.raises(BundleError, match="the weights of the readable style cannot be read: "):
        ReadableWeights.of(damaged)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_weights_must_be_finite(value: float) -> None:
    with pytest.raises(BundleError, match="weights of the readable style cannot be read"):
        ReadableWeights.of({"new_word": 0.018, "best": value})
