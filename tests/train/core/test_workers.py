"""Results in order, few items taken ahead of their use."""

from collections.abc import Iterator

import pytest

from discobert.train.core.workers import WORKERS, map_in_order


def test_results_come_in_the_order_of_their_arguments() -> None:
    assert list(map_in_order(str, range(50))) == [str(number) for number in range(50)]


def test_few_items_are_taken_ahead_of_their_use() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    results = map_in_order(abs, items())
    assert next(results) == 0
    assert len(taken) == 2 * WORKERS + 1


def test_an_error_reaches_the_reader_at_its_place() -> None:
    def fails_at_two(number: int) -> int:
        if number == 2:
            raise ValueError("two")
        return number

    results = map_in_order(fails_at_two, range(5))
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(ValueError, match="two"):
        next(results)
