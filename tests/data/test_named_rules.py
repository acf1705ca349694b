"""Rules switched off by name."""

import pytest

from discobert.data.named_rules import without
from discobert.discourse import clause_needs
from discobert.errors import UsageError


def test_rules_are_switched_off_by_name() -> None:
    kept = without(clause_needs.DEFAULT, ["doubt"])
    assert set(clause_needs.DEFAULT) - set(kept) == {clause_needs.DOUBTED}


def test_an_unknown_rule_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no rule named 'verbs'; the rules are: verb, subject"):
        without(clause_needs.DEFAULT, ["verbs"])
    with pytest.raises(UsageError, match="the rules are: none"):
        without(clause_needs.NONE, ["verb"])
