"""EDUs or sentences as units."""

import pytest
from tests.builders import analysis, doc, tree

from discobert.data.graph import Edge
from discobert.data.summary import Scores
from discobert.discourse.units import UnitKind, quoted_units, scored_units

ANALYSIS = analysis("[One] [and two.] | [Three.]", tree("NS", tree("NS", 0, 1), 2))
SCORES = Scores((0.2, 0.9, 0.5))


def test_edus_come_with_their_dependencies() -> None:
    assert scored_units(ANALYSIS, SCORES, UnitKind.EDU) == (
        ANALYSIS.document,
        SCORES,
        (Edge(1, 0, "rel"),),
    )


def test_sentence_is_as_good_as_its_best_edu_and_needs_none() -> None:
    document, scores, dependencies = scored_units(ANALYSIS, SCORES, UnitKind.SENTENCE)
    assert [document.edu_text(index) for index in range(2)] == ["One and two.", "Three."]
    assert document.sentences == ANALYSIS.document.sentences
    assert scores == Scores((0.9, 0.5))
    assert dependencies == ()


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
