"""Cuts are checked when they are made."""

import pytest

from discobert.data.cuts import Cut
from discobert.errors import InvalidValue


@pytest.mark.parametrize("edus", [(), (2, 1), (1, 1)])
def test_edus_are_in_reading_order_none_twice(edus: tuple[int, ...]) -> None:
    with pytest.raises(InvalidValue, match="in reading order, none twice, at least one"):
        Cut(edus, 0.5)


@pytest.mark.parametrize("harmless", [-0.1, 1.1, float("nan")])
def test_probability_is_between_zero_and_one(harmless: float) -> None:
    with pytest.raises(InvalidValue, match=r"must be in \[0, 1\]"):
        Cut((1, 3), harmless)
