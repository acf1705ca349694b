"""Classes of the treebank's fine relations."""

import pytest

from discobert.store.treebanks.classes import TREEBANK_RELATIONS, treebank_class


@pytest.mark.parametrize(
    ("fine", "expected"),
    [
        ("elaboration-object-attribute-e", "elaboration"),
        ("List", "joint"),
        ("Same-Unit", "same-unit"),
        ("purpose", "enablement"),
        ("temporal-same-time", "temporal"),
        ("TextualOrganization", "textual-organization"),
        ("problem-solution-n", "topic-comment"),
        ("something-new", "something-new"),
    ],
)
def test_fine_relations_fall_into_their_class(fine: str, expected: str) -> None:
    assert treebank_class(fine) == expected


def test_there_are_eighteen_classes() -> None:
    assert len(TREEBANK_RELATIONS) == 18
