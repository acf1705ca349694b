"""How values of JSON are shown in messages."""

from discobert.data.codecs.fields import shown


def test_huge_numbers_are_not_written_out() -> None:
    assert shown(10**5000) == "a number of many digits"
    assert shown(12) == "12"
