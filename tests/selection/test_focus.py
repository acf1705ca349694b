"""Scores that favour what a query is about."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import cluster, doc

from discobert.errors import UsageError
from discobert.selection.focus import (
    boost,
    query_words,
    relevances,
    sentence_relevances,
    stems_of,
    unit_relevances,
)

scores = st.lists(st.floats(-5, 5), min_size=1, max_size=8)


def test_words_are_compared_by_stem_in_any_script() -> None:
    assert stems_of("Bridges, ÄRZTE!") == ["bridg", "ärzte"]


def test_function_words_of_a_query_count_only_alone() -> None:
    assert query_words("What did the mayor say?") == {"mayor", "say"}
    assert query_words("who was it") == {"who", "was", "it"}


@pytest.mark.parametrize("query", ["", " ", "?!"])
def test_query_without_a_word_is_refused(query: str) -> None:
    with pytest.raises(UsageError, match="the focus must hold a word"):
        query_words(query)


def test_rare_words_count_more() -> None:
    units = [{"bridg", "steel"}, {"bridg"}, {"steel", "x"}, {"bridg", "x"}]
    both, bridge, steel, _ = relevances(units, frozenset({"bridg", "steel", "moon"}))
    assert both == 1
    assert 0 < bridge < steel < 1


def test_query_that_no_unit_holds_gives_nothing() -> None:
    assert relevances([{"a"}, {"b"}], frozenset({"c"})) == (0.0, 0.0)


def test_unit_shares_the_relevance_of_its_sentence() -> None:
    document = doc("[The mayor spoke] [after it rained.] | [Nobody came.]")
    assert unit_relevances(document, (), "mayor") == (1.0, 0.5, 0.0)


def test_sentence_is_about_what_its_best_unit_is_about() -> None:
    document = doc("[Nobody came] [because the mayor spoke.] | [It rained.] | [She sang] [again.]")
    assert sentence_relevances(document, (), None) is None
    assert sentence_relevances(document, (), "mayor") == (1.0, 0.0, 0.0)
    mayor = cluster(document, "the mayor", "She")
    assert sentence_relevances(document, (mayor,), "mayor") == (1.0, 0.0, 1.0)
    assert sentence_relevances(document, (), "elephants") == (0.0, 0.0, 0.0)


def test_name_counts_wherever_it_is_referred_to() -> None:
    document = doc("[Ann Lee left.] | [It rained.] | [She sang.]")
    found = unit_relevances(document, (cluster(document, "Ann Lee", "She"),), "Lee")
    assert found == (1.0, 0.0, 1.0)


def test_long_description_is_no_name() -> None:
    document = doc("[A man who had lost his hat left.] | [He sang.]")
    described = cluster(document, "A man who had lost his hat", "He")
    assert unit_relevances(document, (described,), "hat") == (1.0, 0.0)


def test_boost_lifts_the_relevant_to_the_best() -> None:
    assert boost([3.0, 1.0, 2.0], [0.0, 1.0, 0.0]) == (3.0, 3.0, 2.0)
    assert boost([1.0, 1.0], [0.0, 0.5], weight=2) == (1.0, 2.0)


@pytest.mark.parametrize("weight", [-1, math.inf, math.nan])
def test_weight_must_be_finite(weight: float) -> None:
    with pytest.raises(UsageError, match="weight of the focus"):
        boost([1.0], [1.0], weight=weight)


@given(scores)
def test_nothing_relevant_changes_nothing(values: list[float]) -> None:
    assert boost(values, [0.0] * len(values)) == tuple(values)
