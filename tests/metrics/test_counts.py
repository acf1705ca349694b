import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.errors import InvalidValue
from discobert.metrics.counts import (
    NOTHING,
    Hits,
    SegmentationTally,
    Tally,
    compare_flags,
    compare_starts,
    overlap,
)

OFFSETS = st.frozensets(st.integers(0, 30))


def test_figures_of_a_tally() -> None:
    tally = Tally(found=3, gold=4, right=3, predicted=6)
    assert tally.recall == 0.75
    assert tally.precision == 0.5
    assert tally.f1 == pytest.approx(0.6)


def test_figures_of_nothing_are_zero() -> None:
    assert (NOTHING.precision, NOTHING.recall, NOTHING.f1) == (0, 0, 0)
    assert Hits().accuracy == 0


def test_sums_are_micro_averages() -> None:
    small, large = overlap({1}, {1}), overlap({1, 2, 3}, {4, 5, 6})
    assert (small + large).f1 == pytest.approx(0.25)
    assert (Hits(1, 1) + Hits(0, 3)).accuracy == 0.25


@given(OFFSETS, OFFSETS)
def test_f1_of_sets_is_twice_the_shared_over_both(
    gold: frozenset[int], found: frozenset[int]
) -> None:
    sizes = len(gold) + len(found)
    assert overlap(gold, found).f1 == pytest.approx(2 * len(gold & found) / sizes if sizes else 0)


def test_inner_starts_drop_gold_sentence_starts_alone() -> None:
    # Gold: sentences at 0 and 50, EDUs inside at 10 and 70. Predicted: a false sentence at 30.
    tally = compare_starts({0, 10, 50, 70}, {0, 10, 30, 50}, sentences={0, 50})
    assert tally.every == Tally(3, 4, 3, 4)
    assert tally.inner == Tally(1, 2, 1, 2)


def test_missed_sentence_start_is_no_inner_error() -> None:
    assert compare_starts({0, 50}, {0}, sentences={0, 50}).inner == NOTHING


def test_segmentation_of_two_documents_adds_up() -> None:
    one = compare_starts({0, 10}, {0}, sentences={0})
    two = compare_starts({0, 20}, {0, 20}, sentences={0})
    assert (SegmentationTally() + one + two).every == Tally(3, 4, 3, 3)
    assert (one + two).inner == Tally(1, 2, 1, 1)


def test_flags_are_scored_on_yes() -> None:
    tally = compare_flags([True, True, False, False], [True, False, True, False])
    assert tally == Tally(1, 2, 1, 2)


def test_flags_of_other_units_are_refused() -> None:
    with pytest.raises(InvalidValue, match="3 answers were predicted for 2 units"):
        compare_flags([True, False], [True, False, True])
