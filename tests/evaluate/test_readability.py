"""Readability faults over several summaries."""

import pytest
from tests.builders import analysis, tree

from discobert.evaluate.readability import KINDS, LINE_FAULTS, all_faults, line_faults, per_summary

FOUND = analysis(
    "[Al Ray came.] | [He said] [it rained.] | [But she] [who sang] [left.]",
    tree("NS", 0, tree("NS", tree("SN", 1, 2, "attribution"), tree("NS", tree("NS", 3, 4), 5))),
    ("Al Ray", "He"),
)


def test_every_kind_is_counted() -> None:
    counts = all_faults(FOUND, (1, 4), ("He said", "who sang."))
    assert set(counts) == set(KINDS)
    assert {kind for kind, count in counts.items() if count} == {
        "lower-case-starts",
        "missing-stops",
        "stranded-relatives",
        "split-attributions",
        "dangling-pronouns",
    }


def test_a_connective_may_lead_back() -> None:
    assert all_faults(FOUND, (3, 4, 5), ("But she who sang left.",))["lone-connectives"] == 1


def test_faults_are_averaged_and_references_added_up() -> None:
    one = all_faults(FOUND, (1, 2), ("He said it rained.",))
    none = all_faults(FOUND, (0,), ("Al Ray came.",))
    assert per_summary([one, none])["dangling"] == pytest.approx(0.5)


def test_without_edus_only_lines_are_judged() -> None:
    found = per_summary([line_faults(("it rained",)), line_faults(())])
    assert set(found) == set(LINE_FAULTS)
    assert found["missing-stops"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("kind", "edus", "lines"),
    [
        ("unbalanced-quotes", (0,), ("'Al Ray came.",)),
        ("unbalanced-brackets", (0,), ("Al Ray (came.",)),
        ("lower-case-starts", (2,), ("it rained.",)),
        ("missing-stops", (0,), ("Al Ray came",)),
        ("stranded-relatives", (4, 5), ("Who sang left.",)),
        ("missing-subjects", (7,), ("And sang.",)),
        ("split-attributions", (2,), ("It rained.",)),
    ],
)
def test_kinds_that_issue_7_names_are_each_counted(
    kind: str, edus: tuple[int, ...], lines: tuple[str, ...]
) -> None:
    found = analysis(
        "[Al Ray came.] | [He said] [it rained.] | [But she] [who sang] [left.] |"
        " [Bo came] [~and sang.]",
        tree(
            "NS",
            0,
            tree(
                "NS",
                tree("SN", 1, 2, "attribution"),
                tree("NS", tree("NS", tree("NS", 3, 4), 5), tree("NN", 6, 7)),
            ),
        ),
    )
    assert all_faults(found, edus, lines)[kind] == 1
    whole = ("Al Ray came.", "He said it rained.", "But she who sang left.", "Bo came and sang.")
    assert all_faults(found, range(8), whole)[kind] == 0
