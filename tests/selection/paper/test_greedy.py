import pytest
from tests.builders import doc
from tests.selection.selection_cases import solve

from discobert.data.graph import Edge
from discobert.data.summary import Scores
from discobert.errors import UsageError
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding
from discobert.selection.paper.greedy import Greedy, Overflow
from discobert.selection.redundancy import ALLOW_REPEATS, Blocking, Redundancy

# The worked example of the method: selecting the last EDU forces the two it leans on.
BEREHULAK = doc(
    "[Winner:] [This iconic photo was part of a winning series,] [~and shows James Dorbor,] "
    "[~suspected of being infected,] [~being carried by medical staff.] | [He was 8.]"
)
NEEDS = (Edge(0, 1), Edge(2, 1), Edge(3, 4), Edge(4, 2))


def chosen(
    scores: tuple[float, ...], budget: Budget, search: Greedy, edges: tuple[Edge, ...] = NEEDS
) -> dict[int, str]:
    decoding = Decoding(search=search, budget=budget)
    selection = solve(BEREHULAK, Scores(scores), edges, decoding).selection
    return dict(zip(selection.edus, selection.reasons, strict=True))


def test_an_edu_comes_with_all_that_it_needs() -> None:
    assert chosen((0.0, 0.1, 0.2, 0.3, 0.9, 0.4), Budget(edus=3), Greedy()) == {
        1: "needed by 4",
        2: "needed by 4",
        4: "score",
    }


def test_what_does_not_fit_is_skipped() -> None:
    scores = (0.0, 0.1, 0.2, 0.9, 0.4, 0.3)
    assert list(chosen(scores, Budget(edus=3), Greedy())) == [1, 2, 4]
    assert list(chosen(scores, Budget(edus=2), Greedy())) == [1, 5]


def test_what_does_not_fit_ends_the_selection_if_asked() -> None:
    stop = Greedy(overflow=Overflow.STOP)
    assert list(chosen((0.1, 0.5, 0.2, 0.9, 0.4, 0.3), Budget(edus=2), stop)) == [1]
    assert list(chosen((0.3, 0.1, 0.2, 0.5, 0.4, 0.9), Budget(edus=2), stop)) == [5]


def test_steps_are_counted_as_in_the_paper() -> None:
    scores = (0.0, 0.1, 0.2, 0.3, 0.9, 0.4)
    assert list(chosen(scores, Budget(), Greedy(max_steps=1))) == [1, 2, 4]
    assert list(chosen(scores, Budget(), Greedy(max_steps=2))) == [1, 2, 4, 5]
    assert list(chosen(scores, Budget(words=99), Greedy(max_steps=1))) == [1, 2, 4]
    assert len(chosen(scores, Budget(), Greedy(max_steps=9))) == 6


def test_the_earlier_of_equals_is_taken() -> None:
    assert list(chosen((0.5,) * 6, Budget(edus=1), Greedy(), edges=())) == [0]


def test_negative_scores_are_taken_in_order_too() -> None:
    assert list(chosen((-5.0, -1.0, -9.0, -9.0, -9.0, -2.0), Budget(edus=2), Greedy())) == [1, 5]


def test_fewer_than_one_step_is_refused() -> None:
    with pytest.raises(UsageError, match="max_steps must be at least 1, got 0"):
        Greedy(max_steps=0)


REPEATS = doc(
    "[The storm hit the coast,] [officials said.] | [The storm hit the coast on Monday.] | "
    "[Two people died.]"
)


@pytest.mark.parametrize(
    ("redundancy", "expected"),
    [
        (Blocking(), (0, 1, 3)),
        (ALLOW_REPEATS, (0, 2, 3)),
    ],
)
def test_a_repeat_is_refused_or_allowed(redundancy: Redundancy, expected: tuple[int, ...]) -> None:
    decoding = Decoding(budget=Budget(edus=3), redundancy=redundancy)
    scores = Scores((0.9, 0.4, 0.8, 0.5))
    assert solve(REPEATS, scores, (), decoding).selection.edus == expected


def test_a_closure_is_refused_whole() -> None:
    decoding = Decoding(budget=Budget(edus=3), redundancy=Blocking())
    scores = Scores((0.1, 0.7, 0.8, 0.5))
    chosen = solve(REPEATS, scores, (Edge(1, 0),), decoding)
    assert chosen.selection.edus == (2, 3)


def test_a_minimum_overrides_blocking() -> None:
    scores = Scores((0.1, 0.7, 0.8, 0.5))
    for budget, expected in (
        (Budget(edus=3), (2, 3)),
        (Budget(edus=3, min_edus=2), (2, 3)),
        (Budget(edus=3, min_edus=3), (0, 2, 3)),
    ):
        decoding = Decoding(budget=budget, redundancy=Blocking())
        assert solve(REPEATS, scores, (Edge(1, 0),), decoding).selection.edus == expected
