"""EDUs or sentences as units."""

from tests.builders import analysis, tree

from discobert.data.graph import Edge
from discobert.data.summary import Scores
from discobert.discourse.units import UnitKind, candidates

ANALYSIS = analysis("[One] [and two.] | [Three.]", tree("NS", tree("NS", 0, 1), 2))
SCORES = Scores((0.2, 0.9, 0.5))


def test_edus_come_with_their_dependencies() -> None:
    assert candidates(ANALYSIS, SCORES, UnitKind.EDU) == (
        ANALYSIS.document,
        SCORES,
        (Edge(1, 0, "rel"),),
    )


def test_sentence_is_as_good_as_its_best_edu_and_needs_none() -> None:
    document, scores, dependencies = candidates(ANALYSIS, SCORES, UnitKind.SENTENCE)
    assert [document.edu_text(index) for index in range(2)] == ["One and two.", "Three."]
    assert document.sentences == ANALYSIS.document.sentences
    assert scores == Scores((0.9, 0.5))
    assert dependencies == ()
