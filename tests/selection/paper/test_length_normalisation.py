"""What units are worth beside what they cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import doc
from tests.selection.selection_cases import solve

from discobert.data.graph import Edge
from discobert.data.summary import Scores
from discobert.errors import UsageError
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding
from discobert.selection.paper.length_normalisation import NO_NORMALISATION, LengthNormalisation

ALONE = [frozenset([0]), frozenset([1]), frozenset([2])]


def test_without_an_economy_scores_are_worth_what_they_say() -> None:
    assert NO_NORMALISATION.weighed([0.3, -1.0, 0.5], ALONE, [1, 2, 3]) == (0.3, -1.0, 0.5)


def test_a_share_of_worth_is_the_mean_score_of_all_words_brought() -> None:
    closures = [frozenset([0]), frozenset([0, 1])]
    # EDU 1 brings EDU 0: (0.2 * 6 + 0.8 * 2) / 8 = 0.35.
    assert LengthNormalisation(share=1.0).weighed([0.2, 0.8], closures, [6, 2]) == pytest.approx(
        (0.2, 0.35)
    )
    assert LengthNormalisation(share=0.5).weighed([0.2, 0.8], closures, [6, 2]) == pytest.approx(
        (0.2, 0.575)
    )


def test_worth_falls_with_a_power_of_the_words_brought() -> None:
    found = LengthNormalisation(power=0.5).weighed([0.6, 0.6, 0.6], ALONE, [4, 9, 0])
    assert found == pytest.approx((0.3, 0.2, 0.6))  # a unit without words counts as one word


def test_what_is_worth_nothing_gets_no_better_by_its_length() -> None:
    short, long, _ = LengthNormalisation(power=0.5).weighed([-0.6, -0.6, 0.0], ALONE, [4, 9, 1])
    assert (short, long) == pytest.approx((-1.2, -1.8))


def test_the_powers_and_shares_that_make_sense_are_named() -> None:
    with pytest.raises(UsageError, match=r"power must be between 0 and 1, got 1\.5"):
        LengthNormalisation(power=1.5)
    with pytest.raises(UsageError, match="share must be between 0 and 1, got -1"):
        LengthNormalisation(share=-1)


DOCUMENT = doc(
    "[The mayor of the old town spoke for an hour] [after rain had fallen all day.] "
    "| [Roads closed.]"
)
SCORES = Scores((0.2, 0.62, 0.6))
NEEDS = (Edge(1, 0),)


def chosen(budget: Budget, economy: LengthNormalisation) -> tuple[int, ...]:
    decoding = Decoding(budget=budget, length_normalisation=economy)
    return solve(DOCUMENT, SCORES, NEEDS, decoding).selection.edus


def test_a_short_unit_may_beat_a_long_one_of_a_better_score() -> None:
    budget = Budget(words=16)
    assert chosen(budget, NO_NORMALISATION) == (0, 1)
    assert chosen(budget, LengthNormalisation(power=0.2)) == (0, 2)
    assert chosen(budget, LengthNormalisation(share=0.5)) == (0, 2)


def test_where_units_are_counted_long_ones_cost_no_more() -> None:
    assert chosen(Budget(sentences=1), LengthNormalisation(share=0.5, power=0.5)) == (0, 1)


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=8),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_units_of_one_length_that_need_nothing_keep_their_order(
    scores: list[float], share: float, power: float
) -> None:
    closures = [frozenset([unit]) for unit in range(len(scores))]
    worths = LengthNormalisation(share=share, power=power).weighed(
        scores, closures, [7] * len(scores)
    )
    by_worth = sorted(range(len(scores)), key=lambda unit: worths[unit])
    assert [scores[unit] for unit in by_worth] == pytest.approx(sorted(scores))
