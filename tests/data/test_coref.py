"""Clusters hold their mentions in reading order."""

import pytest

from discobert.data.coref import Cluster, Mention
from discobert.data.document import Span
from discobert.errors import InvalidSpan

FIRST, SECOND = Mention(Span(0, 3)), Mention(Span(5, 8))


def test_mentions_may_nest() -> None:
    assert Cluster((FIRST, Mention(Span(0, 9)), SECOND)).mentions[0] is FIRST


def test_a_cluster_needs_a_mention() -> None:
    with pytest.raises(InvalidSpan, match="at least one mention"):
        Cluster(())


@pytest.mark.parametrize("mentions", [(SECOND, FIRST), (FIRST, FIRST)])
def test_mentions_are_in_reading_order(mentions: tuple[Mention, ...]) -> None:
    with pytest.raises(InvalidSpan, match="in reading order, none twice"):
        Cluster(mentions)
