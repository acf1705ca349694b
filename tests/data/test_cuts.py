"""Cuts must be possible."""

import pytest

from discobert.data.cuts import Cut
from discobert.errors import InvalidValue


@pytest.mark.parametrize("harmless", [0.0, 0.5, 1.0])
def test_edus_in_reading_order_with_a_probability_are_a_cut(harmless: float) -> None:
    cut = Cut((2, 4), harmless)
    assert (cut.edus, cut.harmless) == ((2, 4), harmless)


@pytest.mark.parametrize("edus", [(), (1, 1), (2, 1)])
def test_edus_that_are_none_twice_or_out_of_order_are_refused(edus: tuple[int, ...]) -> None:
    with pytest.raises(InvalidValue, match="in reading order, none twice, at least one"):
        Cut(edus, 0.9)


@pytest.mark.parametrize("harmless", [-0.1, 1.1, float("nan")])
def test_a_probability_out_of_range_is_refused(harmless: float) -> None:
    with pytest.raises(InvalidValue, match=r"must be in \[0, 1\], got "):
        Cut((1,), harmless)
