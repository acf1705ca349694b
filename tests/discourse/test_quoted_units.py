"""Which units are quotations."""

import pytest
from tests.builders import doc

from discobert.discourse.quoted_units import quoted_units


@pytest.mark.parametrize(
    ("markup", "quoted"),
    [
        ("[“We are done,”] [she said.]", {0}),
        ('["We are done," she said.]', {0}),
        ("[He called it a “win”.] | [It rained.]", set()),
        ("[‘It is late,’] [he said] [(and soon “left”).]", {0}),
        ("[«Nous partons»,] [dit-il.]", {0}),
        ("[“We left.] | [It was late.] || [“Then it rained.”] | [Bo slept.]", {0, 1, 2}),
        ("[It is 6' 2\" long.]", set()),
        ("[– ”] | [Ann left.]", set()),
    ],
)
def test_units_mostly_in_quotation_marks_are_quotations(markup: str, quoted: set[int]) -> None:
    assert quoted_units(doc(markup)) == quoted
