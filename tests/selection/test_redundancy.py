import pytest
from tests.builders import doc

from discobert.errors import UsageError
from discobert.selection.redundancy import (
    ALLOW_REPEATS,
    Blocking,
    ngrams,
    repeated_share,
)

DOCUMENT = doc("[It isn’t new,] [he Said.] | [It isn't] [old.]")


def test_ngrams_cross_the_border_of_neighbours_in_a_sentence_only() -> None:
    assert ngrams(DOCUMENT, [0, 1, 2], 2) == {
        ("it", "isn't"),
        ("isn't", "new"),
        ("new", "he"),
        ("he", "said"),
    }
    assert ngrams(DOCUMENT, [0, 3], 4) == frozenset()


def test_overlap_is_the_share_of_ngrams_already_shown() -> None:
    shown = ngrams(DOCUMENT, [0, 1], 2)
    assert repeated_share(ngrams(DOCUMENT, [2, 3], 2), shown) == 0.5
    assert repeated_share(ngrams(DOCUMENT, [3], 2), shown) == 0.0


def test_blocking_refuses_any_repeat() -> None:
    assert Blocking().worth(0.4, 0.01) is None
    assert Blocking().worth(0.4, 0.0) == 0.4


def test_repeats_may_be_allowed() -> None:
    assert ALLOW_REPEATS.worth(1.0, 1.0) == 1.0


def test_values_out_of_range_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 1 word, got 0"):
        Blocking(0)
