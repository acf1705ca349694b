import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import cluster, doc

from discobert.data.coref import Cluster, Mention
from discobert.data.document import Span
from discobert.metrics.coreference import (
    Chain,
    CorefTally,
    compare_chains,
    compare_edu_pairs,
    edu_pairs,
    token_chains,
)
from discobert.metrics.counts import NOTHING, Tally

PARTITIONS = st.lists(st.integers(0, 4), max_size=12).map(
    lambda places: chains(
        *("".join(chr(97 + i) for i, p in enumerate(places) if p == q) for q in range(5))
    )
)


def chains(*words: str) -> tuple[Chain, ...]:
    """Write chains as strings of one-letter mentions; singletons are dropped as in scoring."""
    return tuple(frozenset(word) for word in words if len(word) > 1)


def figures(tally: Tally) -> tuple[float, float, float]:
    return tally.recall, tally.precision, tally.f1


def test_worked_example_of_the_reference_scorer() -> None:
    # Pradhan et al. 2014: key {a b c} {d e f g}, response {a b} {c d} {f g h i}.
    scores = compare_chains(chains("abc", "defg"), chains("ab", "cd", "fghi"))
    assert figures(scores.muc) == pytest.approx((2 / 5, 2 / 5, 2 / 5))
    assert figures(scores.b3) == pytest.approx((35 / 12 / 7, 4 / 8, 5 / 11))
    assert figures(scores.ceafe) == pytest.approx((1.3 / 2, 1.3 / 3, 0.52))
    assert scores.conll_f1 == pytest.approx((0.4 + 5 / 11 + 0.52) / 3)


@pytest.mark.parametrize(
    ("response", "muc", "b3", "ceafe"),
    [
        # Test cases 1 to 4 of the reference scorer; the key is {a} {b c} {d e f}.
        ("a bc def", (3 / 3, 3 / 3), (6 / 6, 6 / 6), (3 / 3, 3 / 3)),
        ("a de", (1 / 3, 1 / 1), (7 / 18, 3 / 3), (1.8 / 3, 1.8 / 2)),
        ("a bcx defy z", (3 / 3, 3 / 5), (6 / 6, 55 / 108), (93 / 35 / 3, 93 / 35 / 4)),
        ("a bcx dy z", (1 / 3, 1 / 3), (10 / 18, 17 / 42), (2.2 / 3, 2.2 / 4)),
    ],
)
def test_cases_of_the_reference_scorer(
    response: str,
    muc: tuple[float, float],
    b3: tuple[float, float],
    ceafe: tuple[float, float],
) -> None:
    key = [frozenset(chain) for chain in ("a", "bc", "def")]
    scores = compare_chains(key, [frozenset(chain) for chain in response.split()])
    assert figures(scores.muc)[:2] == pytest.approx(muc)
    assert figures(scores.b3)[:2] == pytest.approx(b3)
    assert figures(scores.ceafe)[:2] == pytest.approx(ceafe)


def test_muc_ignores_which_chains_are_merged() -> None:
    # Bagga and Baldwin 1998: two wrong merges cost MUC the same, B-cubed tells them apart.
    gold = chains("abcde", "fg", "hijkl")
    small = compare_chains(gold, chains("abcde", "fghijkl"))
    large = compare_chains(gold, chains("abcdehijkl", "fg"))
    assert figures(small.muc)[:2] == figures(large.muc)[:2] == pytest.approx((1, 0.9))
    assert (small.b3.precision, large.b3.precision) == pytest.approx((0.762, 0.583), abs=0.001)
    assert small.b3.recall == large.b3.recall == 1


@given(PARTITIONS)
def test_same_chains_are_perfect(gold: tuple[Chain, ...]) -> None:
    scores = compare_chains(gold, gold)
    assert scores.conll_f1 == pytest.approx(1 if gold else 0)


@given(PARTITIONS, PARTITIONS)
def test_sides_mirror_each_other(gold: tuple[Chain, ...], predicted: tuple[Chain, ...]) -> None:
    one, two = compare_chains(gold, predicted), compare_chains(predicted, gold)
    for a, b in ((one.muc, two.muc), (one.b3, two.b3), (one.ceafe, two.ceafe)):
        assert (a.recall, a.precision) == pytest.approx((b.precision, b.recall))
        assert 0 <= a.f1 <= 1 + 1e-9


def test_documents_add_up_before_they_are_averaged() -> None:
    one = compare_chains(chains("ab"), chains("ab"))
    two = compare_chains(chains("abc"), ())
    assert (CorefTally() + one + two).muc == Tally(1, 3, 1, 1)
    assert (one + two).ceafe.recall == 0.5


def test_mentions_are_told_by_the_tokens_they_touch() -> None:
    # "the boss's car": the tokens are the, boss, 's, car.
    tokens = [Span(0, 3), Span(4, 8), Span(8, 10), Span(11, 14)]
    words = Cluster((Mention(Span(0, 10)), Mention(Span(11, 14))))
    inside = Cluster((Mention(Span(1, 9)), Mention(Span(11, 14))))
    assert token_chains([words], tokens) == token_chains([inside], tokens)


def test_mention_that_two_clusters_claim_stays_with_the_first() -> None:
    tokens = [Span(i, i + 1) for i in range(0, 10, 2)]
    one, two, three = (Mention(Span(i, i + 1)) for i in (0, 2, 4))
    found = token_chains([Cluster((one, two)), Cluster((two, three))], tokens)
    assert found == (frozenset({(0, 1), (1, 2)}),)


def test_mention_outside_tokens_and_singletons_are_dropped() -> None:
    tokens = [Span(0, 1), Span(4, 5)]
    assert token_chains([Cluster((Mention(Span(0, 1)), Mention(Span(2, 3))))], tokens) == ()


def test_edu_pairs_join_edus_with_a_shared_mention() -> None:
    document = doc("[Ann came] [and she won.] | [Ann left.] | [It rained.]")
    ann = cluster(document, "Ann", "she", "Ann")
    alone = Cluster((Mention(Span(0, 12)),))
    assert edu_pairs(document, [ann, alone]) == {(0, 1), (0, 2), (1, 2)}


def test_edu_pairs_are_compared_over_the_same_edus() -> None:
    document = doc("[Ann came] [and she won.] | [Ann left.]")
    gold, found = cluster(document, "Ann", "she", "Ann"), cluster(document, "Ann", "Ann")
    assert compare_edu_pairs(document, [gold], [found]) == Tally(1, 3, 1, 1)
    assert compare_edu_pairs(document, [], []) == NOTHING
