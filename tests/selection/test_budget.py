import math

import pytest
from tests.builders import doc

from discobert.errors import UsageError
from discobert.selection.budget import NO_BUDGET, Budget, LengthUnit, Limit, length_in

TEN_WORDS = doc("[One two three four five.] | [Six seven] [eight nine ten.]")


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (NO_BUDGET, Limit(LengthUnit.WORDS, None)),
        (Budget(words=7), Limit(LengthUnit.WORDS, 7)),
        (Budget(sentences=1), Limit(LengthUnit.SENTENCES, 1)),
        (Budget(edus=2), Limit(LengthUnit.EDUS, 2)),
        (Budget(chars=10**9), Limit(LengthUnit.CHARS, 10**9)),
        (Budget(ratio=0.29), Limit(LengthUnit.WORDS, 2)),
        (Budget(ratio=0.3), Limit(LengthUnit.WORDS, 3)),
        (Budget(ratio=1), Limit(LengthUnit.WORDS, 10)),
        (Budget(ratio=0.05), Limit(LengthUnit.WORDS, 0)),
        (Budget(words=7, min_words=3), Limit(LengthUnit.WORDS, 7, 3)),
        (Budget(words=7, min_ratio=0.5), Limit(LengthUnit.WORDS, 7, 5)),
        (Budget(ratio=0.5, min_words=2), Limit(LengthUnit.WORDS, 5, 2)),
        (Budget(min_chars=9), Limit(LengthUnit.CHARS, None, 9)),
    ],
)
def test_a_budget_becomes_bounds_for_a_document(budget: Budget, limit: Limit) -> None:
    assert budget.limit(TEN_WORDS) == limit


@pytest.mark.parametrize("name", ["words", "sentences", "edus", "chars", "min_words", "min_edus"])
@pytest.mark.parametrize("value", [0, -5, math.nan, math.inf, 2.5, True, "7"])
def test_counts_below_one_or_not_whole_are_refused(name: str, value: float) -> None:
    with pytest.raises(UsageError, match=rf"{name} must be a whole number of at least 1, got "):
        Budget(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["ratio", "min_ratio"])
@pytest.mark.parametrize("value", [0, -0.1, 1.01, math.nan, math.inf, "0.5"])
def test_ratios_outside_0_to_1_are_refused(name: str, value: float) -> None:
    with pytest.raises(UsageError, match=rf"{name} must be more than 0 and at most 1, got "):
        Budget(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"words": 5, "chars": 9}, "give only one of words and chars"),
        ({"min_words": 5, "min_edus": 2}, "give only one of min_words and min_edus"),
        ({"words": 5, "min_edus": 2}, "min_edus cannot go with words: use min_words"),
        ({"words": 5, "min_words": 6}, "min_words 6 is more than words 5"),
        ({"ratio": 0.1, "min_ratio": 0.2}, "min_ratio 0.2 is more than ratio 0.1"),
    ],
)
def test_contradictory_bounds_are_refused(bounds: dict[str, int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Budget(**bounds)


def test_lengths_are_counted_on_the_joined_text() -> None:
    lines = ("One  two.", "Three.")
    lengths = [length_in(unit, lines, n_edus=5, n_sentences=2) for unit in LengthUnit]
    assert lengths == [3, 2, 5, len("One  two. Three.")]


def test_a_lower_bound_alone_is_a_minimum() -> None:
    assert Budget(min_chars=3).is_minimum
    assert not Budget(min_words=3, words=4).is_minimum
    assert not Budget().is_minimum


def test_one_of_a_unit_is_singular() -> None:
    assert LengthUnit.WORDS.counted(1) == "1 word"
    assert LengthUnit.CHARS.counted(20) == "20 chars"
