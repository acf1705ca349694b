"""Sentences whole and with their safe cuts."""

import pytest
from tests.builders import doc

from discobert.data.cuts import Cut
from discobert.data.graph import Edge
from discobert.discourse.dependencies import closures
from discobert.selection.readable.variants import SentenceVariant, sentence_variants

BRIDGE = doc(
    "[The bridge,] [~which is old,] [~was closed,] [crews said.] | [It rained] [~all day long.]"
)


def offered(
    *cuts: Cut, edges: tuple[Edge, ...] = (), threshold: float = 0.8
) -> tuple[tuple[SentenceVariant, ...], ...]:
    closed = closures(len(BRIDGE.edus), edges)
    return sentence_variants(BRIDGE, closed, cuts, threshold=threshold)


def shown(found: tuple[SentenceVariant, ...]) -> list[tuple[int, ...]]:
    return [variant.edus for variant in found]


def test_without_cuts_every_sentence_is_offered_whole() -> None:
    assert offered() == ((SentenceVariant(0, (0, 1, 2, 3)),), (SentenceVariant(1, (4, 5)),))
    assert not any(variant.is_cut for found in offered() for variant in found)


def test_a_safe_cut_is_offered_after_the_whole_sentence() -> None:
    first, second = offered(Cut((1,), 0.9))
    assert shown(first) == [(0, 1, 2, 3), (0, 2, 3)]
    assert [variant.is_cut for variant in first] == [False, True]
    assert first[1].harmless == 0.9
    assert shown(second) == [(4, 5)]


def test_a_cut_counts_in_its_own_sentence() -> None:
    first, second = offered(Cut((5,), 0.9))
    assert shown(first) == [(0, 1, 2, 3)]
    assert shown(second) == [(4, 5), (4,)]


@pytest.mark.parametrize(("harmless", "n_offered"), [(0.79, 1), (0.8, 2), (1.0, 2)])
def test_a_cut_must_be_safe_enough(harmless: float, n_offered: int) -> None:
    assert len(offered(Cut((1,), harmless))[0]) == n_offered


def test_what_was_cut_without_any_doubt_is_still_known_to_be_cut() -> None:
    (_, cut), _ = offered(Cut((1,), 1.0))
    assert cut.is_cut
    assert cut.harmless == pytest.approx(1.0)


def test_a_cut_that_strands_a_dependent_is_refused() -> None:
    needs = (Edge(1, 0),)
    assert shown(offered(Cut((0,), 0.9), edges=needs)[0]) == [(0, 1, 2, 3)]
    assert shown(offered(Cut((1,), 0.9), edges=needs)[0]) == [(0, 1, 2, 3), (0, 2, 3)]
    assert shown(offered(Cut((0, 1), 0.9), edges=needs)[0]) == [(0, 1, 2, 3), (2, 3)]


def test_a_cut_of_the_whole_sentence_leaves_nothing_to_offer() -> None:
    assert shown(offered(Cut((4, 5), 0.9))[1]) == [(4, 5)]


def test_two_disjoint_safe_cuts_are_combined() -> None:
    first, _ = offered(Cut((3,), 0.9), Cut((1,), 0.95))
    assert shown(first) == [(0, 1, 2, 3), (0, 2, 3), (0, 1, 2), (0, 2)]
    assert first[3].harmless == pytest.approx(0.9 * 0.95)


def test_cuts_that_are_unsafe_together_or_overlap_are_not_combined() -> None:
    assert shown(offered(Cut((1,), 0.85), Cut((3,), 0.85))[0])[1:] == [(0, 2, 3), (0, 1, 2)]
    overlapping = offered(Cut((1,), 0.99), Cut((1, 3), 0.98))
    assert shown(overlapping[0])[1:] == [(0, 2, 3), (0, 2)]


def test_two_cuts_may_not_strand_a_dependent_together() -> None:
    found = offered(Cut((0,), 0.99), Cut((1,), 0.98), edges=(Edge(0, 1),))
    assert shown(found[0]) == [(0, 1, 2, 3), (1, 2, 3), (2, 3)]


def test_only_the_four_safest_cuts_are_looked_at() -> None:
    long = doc("".join(f"[part {index}] " for index in range(6)))
    cuts = [Cut((index,), 0.81 + index / 100) for index in range(5)]
    (found,) = sentence_variants(long, closures(6, ()), cuts, threshold=0.8)
    gone = [set(range(6)).difference(variant.edus) for variant in found]
    assert gone == [set(), {4}, {3}, {2}, {1}]
