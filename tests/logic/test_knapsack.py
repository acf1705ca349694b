from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from discobert.logic.knapsack import Group, Option, best_options, core

OPTIONS = st.builds(Option, st.integers(-2, 9).map(float), st.integers(1, 6), st.just(()))
GROUPS = st.lists(st.lists(OPTIONS, min_size=1, max_size=3), min_size=1, max_size=5)


def value(options: list[Option]) -> float:
    return sum(option.value for option in options)


def best_value(groups: list[list[Option]], capacity: int) -> float:
    choices = product(*([None, *group] for group in groups))
    taken = ([option for option in choice if option] for choice in choices)
    return max(value(t) for t in taken if sum(option.cost for option in t) <= capacity)


@settings(max_examples=80, deadline=None)
@given(GROUPS, st.integers(0, 20))
def test_best_options_equal_brute_force(groups: list[list[Option]], capacity: int) -> None:
    chosen = best_options(groups, capacity)
    assert sum(option.cost for option in chosen) <= capacity
    assert value(chosen) == best_value(groups, capacity)


def test_equals_go_to_the_earlier_group() -> None:
    first, second = Option(1.0, 2, (0,)), Option(1.0, 2, (1,))
    assert best_options([[first], [second]], 3) == [first]


@settings(max_examples=80, deadline=None)
@given(GROUPS, st.integers(1, 20), st.integers(0, 5))
def test_a_core_decides_all_groups_but_the_most_doubtful(
    groups: list[list[Option]], capacity: int, size: int
) -> None:
    decided = core(groups, capacity, size=size)
    assert len(decided.open) == min(size, len(groups))
    certain = [group for index, group in enumerate(groups) if index not in decided.open]
    assert len(decided.fixed) <= len(certain)
    assert sum(option.cost for option in decided.fixed) <= capacity


def test_a_core_with_exact_rest_is_nearly_optimal() -> None:
    groups: list[Group] = [
        [Option(float((i * 37) % 101 + 1), (i * 13) % 17 + 3, (i,))] for i in range(300)
    ]
    decided = core(groups, 400, size=40)
    left = 400 - sum(option.cost for option in decided.fixed)
    chosen = decided.fixed + best_options([groups[index] for index in decided.open], left)
    assert value(chosen) == value(best_options(groups, 400))
