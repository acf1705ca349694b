from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from discobert.logic.knapsack import (
    Group,
    Option,
    best_bounded_options,
    best_options,
    core,
)

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


def dearer(option: Option) -> Option:
    """Give an option the cost that its bound stands for: more, by what its value says."""
    return option._replace(cost=option.cost + int(option.value) % 3)


@settings(max_examples=80, deadline=None)
@given(GROUPS, st.integers(0, 20))
def test_options_of_bounded_cost_are_chosen_as_if_it_were_known(
    groups: list[list[Option]], capacity: int
) -> None:
    known = [[dearer(option) for option in group] for group in groups]
    assert best_bounded_options(groups, capacity, dearer) == best_options(known, capacity)


def test_few_costs_are_looked_up() -> None:
    groups = [
        [
            Option(float((i * 37 + 11 * k) % 101 + 1), (i * 13) % 17 + 3 + 2 * k, (i,))
            for k in (0, 1)
        ]
        for i in range(300)
    ]
    asked: list[Option] = []

    def exact(option: Option) -> Option:
        asked.append(option)
        return dearer(option)

    chosen = best_bounded_options(groups, 60, exact)
    assert chosen == best_options([[dearer(option) for option in group] for group in groups], 60)
    assert len(asked) < 100
    assert best_bounded_options([], 60, exact) == []


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
