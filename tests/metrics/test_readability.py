"""Faults of summaries, counted."""

import pytest
from tests.builders import doc, tree

from discobert.metrics.readability import (
    LINE_FAULTS,
    lone_connectives,
    missing_subjects,
    missing_verbs,
    split_attributions,
    stranded_relatives,
)


@pytest.mark.parametrize(
    ("fault", "lines", "expected"),
    [
        ("unbalanced-quotes", ["He said 'yes.", "It’s (fine) now."], 1),
        ("unbalanced-quotes", ["'I came.", "I saw.'"], 0),
        ("unbalanced-quotes", [], 0),
        ("unbalanced-brackets", ["It rained (a lot.", '"Well."'], 1),
        ("lower-case-starts", ["and so on.", "iPhone sales fell.", "It rained.", "12 came."], 1),
        ("missing-stops", ["It rained", "It rained.", "'Really?'", "A note.[1]"], 1),
    ],
)
def test_faults_that_show_in_lines(fault: str, lines: list[str], expected: int) -> None:
    assert LINE_FAULTS[fault](lines) == expected


MEN = doc("[Two men,] [~who lived here,] [were held.] | [~Which way,] [they asked?]")


def test_a_relative_clause_at_the_start_of_a_line_is_stranded() -> None:
    assert stranded_relatives(MEN, [1], ["Who lived here."]) == 1
    assert stranded_relatives(MEN, [1], ["Lived here."]) == 0
    assert stranded_relatives(doc("[She,] [~who sang,] [left.]"), [1, 2], ["Who sang left."]) == 1
    assert stranded_relatives(MEN, [0, 1, 3], ["Two men who lived here.", "Which way?"]) == 0


def test_a_subject_may_be_missing() -> None:
    assert missing_subjects(MEN, [1]) == 1
    assert missing_subjects(MEN, [0, 1]) == 0
    assert missing_subjects(MEN, [0, 1, 2]) == 0
    assert missing_subjects(doc("[~Going home,] [~singing.]"), [1]) == 0


def test_a_verb_may_be_missing() -> None:
    assert missing_verbs(MEN, [0]) == 1
    assert missing_verbs(MEN, [0, 2]) == 0
    assert missing_verbs(doc("[No way,] [no hope.]"), [1]) == 0


def test_attributions_may_be_split() -> None:
    document = doc("[He said] [it rained.]")
    rst = tree("SN", 0, 1, "attribution")
    counts = [split_attributions(document, rst, edus) for edus in ([], [0], [1], [0, 1])]
    assert counts == [0, 1, 1, 0]


def test_connectives_may_lead_back_to_nothing() -> None:
    document = doc("[It rained.] | [But they came.] | [He also sang.] | [So it ended.]")
    assert lone_connectives(document, [1, 3], ["But they came.", "So it ended."]) == 2
    assert lone_connectives(document, [0, 1], ["It rained.", "But they came."]) == 0
    assert lone_connectives(document, [2], ["He also sang."]) == 1
    assert lone_connectives(document, [2], ["He sang."]) == 0
    assert lone_connectives(document, [2, 3], ["He also sang."]) == 0
