"""What stages hand on, checked once."""

from copy import copy
from dataclasses import replace

import pytest
from tests.builders import analysis, doc, tree

from discobert.data.coref import Cluster, Mention
from discobert.data.document import Span
from discobert.data.graph import Edge
from discobert.data.rst import Leaf
from discobert.data.summary import (
    Analysis,
    Example,
    ModelId,
    Scores,
    Selection,
    Summary,
    SummaryLine,
    Unit,
)
from discobert.errors import InvalidSpan, InvalidTree, InvalidValue, UsageError

DOCUMENT = doc("[We stayed,] [~reading.] | [It rained.]")


def summary(scores: tuple[float, ...], selection: Selection) -> Summary:
    return Summary(
        document=DOCUMENT,
        scores=Scores(scores),
        selection=selection,
        dependencies=(Edge(1, 2), Edge(1, 0)),
        sentences=("We stayed, reading.", "It  rained."),
        model=ModelId("test", "1"),
    )


def test_analysis_holds_every_edu() -> None:
    with pytest.raises(InvalidTree, match="EDU 1 is missing"):
        Analysis(DOCUMENT, Leaf(0))


def test_mentions_stay_inside_the_text() -> None:
    beyond = Cluster((Mention(Span(0, 99)), Mention(Span(1, 2))))
    whole = analysis("[It rained.]", Leaf(0), ("It",))
    assert whole.coref[0].mentions == (Mention(Span(0, 2)),)
    with pytest.raises(InvalidSpan, match=r"ends after the text \(10 characters\)"):
        Analysis(whole.document, whole.rst, (*whole.coref, beyond))


@pytest.mark.parametrize("edus", [(1, 0), (1, 1)])
def test_selection_is_in_reading_order(edus: tuple[int, ...]) -> None:
    with pytest.raises(InvalidValue, match="in reading order, none twice"):
        Selection(edus, ("score", "score"))


def test_every_selected_edu_has_a_reason() -> None:
    with pytest.raises(InvalidValue, match="2 EDUs were selected with 1 reasons"):
        Selection((0, 1), ("score",))


def test_summary_explains_every_edu() -> None:
    made = summary((0.5, 0.9, 0.1), Selection((0, 1), ("needed by 1", "score")))
    assert made.text == "We stayed, reading. It  rained."
    assert made.words == 5
    assert made.units[0] == Unit(0, 0, 0, 10, "We stayed,", 0.5, True, "needed by 1", ())
    assert made.units[1].depends_on == (0, 2)
    assert made.units[2] == Unit(2, 1, 20, 30, "It rained.", 0.1, False, None, ())


def test_a_summary_is_a_sequence_of_what_was_chosen() -> None:
    made = summary((0.5, 0.9, 0.1), Selection((0, 1), ("needed by 1", "score")))
    assert list(made) == list(made.selected) == list(made.units[:2])
    assert (len(made), made[0], made[-1:]) == (2, made.units[0], made.units[1:2])
    assert made.units[2] not in made


def test_explanations_are_shown_as_a_line_each() -> None:
    made = summary((0.5, 0.9, 0.1), Selection((0, 1), ("needed by 1", "score")))
    lines = str(made.explain()).splitlines()
    assert lines == [str(made.explain(unit)) for unit in range(3)]
    assert lines[1] == "1: chosen for its score (score 0.9, rank 1 of 3): reading."
    for wrong in (3, -1):
        with pytest.raises(UsageError, match=f"index of one, 0 to 2, got {wrong}"):
            made.explain(wrong)


def test_an_empty_selection_is_a_value_too() -> None:
    assert not any(unit.selected for unit in summary((0, 0, 0), Selection((), ())).units)


def test_summary_scores_every_edu() -> None:
    with pytest.raises(InvalidValue, match="2 scores for 3 EDUs"):
        summary((0.5, 0.5), Selection((), ()))


def test_summary_selects_edus_that_exist() -> None:
    with pytest.raises(InvalidValue, match="EDU 3 of 3 was selected"):
        summary((0, 0, 0), Selection((3,), ("score",)))


def test_example_keeps_reference_lines_apart() -> None:
    assert Example(analysis("[It rained.]"), ("Rain.", "It fell.")).reference == (
        "Rain.",
        "It fell.",
    )


def test_lines_know_where_their_sentence_stands() -> None:
    whole = summary((0.1, 0.2, 0.3), Selection((0, 1, 2), ("score", "needed by 0", "score")))
    first, second = whole.sentences
    assert isinstance(first, SummaryLine)
    assert isinstance(second, SummaryLine)
    assert (first, first.text) == ("We stayed, reading.", "We stayed, reading.")
    assert DOCUMENT.text[second.start : second.end] == "It rained."
    again = copy(second)
    assert (again, again.start, again.end) == (second, second.start, second.end)


def test_what_was_left_out_are_the_other_units() -> None:
    part = summary((0.1, 0.2, 0.3), Selection((2,), ("score",)))
    assert [unit.index for unit in part.left_out] == [0, 1]
    assert part.sentences == ("We stayed, reading.", "It  rained.")  # two lines of one sentence
    assert not isinstance(part.sentences[0], SummaryLine)


def test_tree_and_clusters_are_those_of_the_analysis() -> None:
    read = summary((0.1, 0.2, 0.3), Selection((2,), ("score",)))
    assert (read.tree, read.clusters) == (None, ())  # as after reading a summary from JSON
    found = Analysis(DOCUMENT, tree("NN", tree("NS", 0, 1, "mode"), 2, "joint"))
    made = replace(read, analysis=found)
    assert made.tree == found.tree
    assert made.clusters == found.clusters == ()
