"""The search for sentences, with values that can be added up by hand."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.selection.selection_cases import weights_of

from discobert.selection.readable import search as module
from discobert.selection.readable.search import (
    Follows,
    SentenceScores,
    SentenceTask,
    search,
    summary_counts,
)
from discobert.selection.readable.variants import SentenceVariant
from discobert.selection.readable.weights import FEATURES, ReadableWeights

PLAIN = weights_of(best=1.0)
"""Nothing counts but the log-odds of the editors' choice."""


def always(
    sentence: int, edus: Sequence[int], shown: Sequence[int], shown_edus: Sequence[int]
) -> bool:
    return True


def task(
    worths: Sequence[float],
    *,
    weights: ReadableWeights = PLAIN,
    lengths: Sequence[int] = (),
    at_most: int | None = None,
    barred: Sequence[int] = (),
    texts: Sequence[str] = (),
    follows: Follows = always,
    shorter: dict[int, tuple[int, float]] | None = None,
    lead: int | None = None,
    contrasted: Sequence[int] = (),
) -> SentenceTask:
    """Describe sentences of two EDUs; ``shorter`` gives some a cut: its words and its safety."""
    words = lengths or [6] * len(worths)
    cuts = shorter or {}
    offered = [
        (
            SentenceVariant(index, (2 * index, 2 * index + 1)),
            *([SentenceVariant(index, (2 * index,), cuts[index][1])] if index in cuts else []),
        )
        for index in range(len(worths))
    ]
    spoken = tuple(texts or [f"w{index}" for index in range(len(worths))])

    def cost(variant: SentenceVariant) -> int:
        return cuts[variant.sentence][0] if variant.is_cut else words[variant.sentence]

    return SentenceTask(
        variants=tuple(offered),
        scores=tuple(SentenceScores(worth, 0.0, 0.0, 0.0) for worth in worths),
        bonus=(0.0,) * len(worths),
        eligible=tuple(index not in barred for index in range(len(worths))),
        texts=spoken,
        verbatim=lambda variant: spoken[variant.sentence],
        cost=cost,
        follows=follows,
        at_most=at_most,
        weights=weights,
        lead=lead,
        places=tuple(
            sum(index not in barred for index in range(end)) for end in range(len(worths))
        ),
        contrasted=frozenset(contrasted),
    )


def chosen(given: SentenceTask) -> list[int]:
    return [variant.sentence for variant in search(given)]


def test_all_that_is_worth_its_words_is_chosen_in_reading_order() -> None:
    assert chosen(task([1.0, -1.0, 3.0, 0.5])) == [0, 2, 3]


def test_every_log_odd_has_a_weight_of_its_own() -> None:
    scores = (SentenceScores(1.0, 2.0, 4.0, 0.5), SentenceScores(0.0, 0.0, 0.0, 0.0))
    for name, worth in (("best", 1.0), ("gain", 2.0), ("salience", 4.0), ("furniture", 0.5)):
        weights = weights_of(**{name: 1.0})
        less, more = (
            replace(task([0.0, 0.0], weights=weights, at_most=6), scores=scores, bonus=(0.0, bonus))
            for bonus in (worth - 0.1, worth + 0.1)
        )
        assert chosen(less) == [0]
        assert chosen(more) == [1]


def test_sentences_words_and_new_words_count() -> None:
    texts = ["The ferry sank near Dover", "A ferry sank"]
    (whole, other) = (variants[0] for variants in task([0.0, 0.0]).variants)
    counts = dict(
        zip(FEATURES, summary_counts(task([1.0, 2.0], texts=texts), [whole, other]), strict=True)
    )
    assert counts["best"] == 3.0
    assert counts["sentence"] == 2.0
    assert counts["word"] == 8
    assert counts["new_word"] == 4  # ferry, sank, near, Dover
    assert counts["repeat"] == 1.0
    assert counts["next"] == 1.0
    assert counts["central"] == pytest.approx(2 * math.log(2))  # ferry and sank


def test_the_end_of_a_summary_counts() -> None:
    weights = replace(PLAIN, question=-1.0)
    texts = ["The ferry sank", "Who was on board?"]
    assert chosen(task([1.0, 0.9], weights=weights, texts=texts)) == [0]
    assert chosen(task([1.0, 1.1], weights=weights, texts=texts)) == [0, 1]


def test_one_sentence_is_chosen_even_if_none_is_worth_its_words() -> None:
    assert chosen(task([-3.0, -1.0, -2.0])) == [1]
    assert chosen(task([-1.0, -1.0], lengths=[9, 4])) == [1]  # the cheaper one


def test_the_budget_is_kept() -> None:
    values = [3.0, 2.0, 2.0]
    assert chosen(task(values, lengths=[10, 6, 6], at_most=12)) == [1, 2]
    assert chosen(task(values, lengths=[10, 6, 6], at_most=11)) == [0]
    assert chosen(task(values, lengths=[10, 6, 6], at_most=22)) == [0, 1, 2]
    assert chosen(task(values, lengths=[10, 6, 6], at_most=5)) == []


def test_a_document_without_sentences_gives_nothing() -> None:
    assert chosen(task([])) == []


def test_the_lead_gets_a_bonus() -> None:
    weights = replace(PLAIN, first=1.0)
    values = [1.0, 1.5]
    assert chosen(task(values, weights=weights, at_most=6)) == [1]
    assert chosen(task(values, weights=weights, at_most=6, lead=0)) == [0]
    assert chosen(task([0.4, 1.5], weights=weights, at_most=6, lead=0)) == [1]


def test_a_neighbour_gets_a_bonus() -> None:
    weights = replace(PLAIN, next=0.5)
    assert chosen(task([5.0, 1.0, 1.4], weights=weights, at_most=12)) == [0, 1]
    assert chosen(task([5.0, 1.0, 1.6], weights=weights, at_most=12)) == [0, 2]


def test_a_jump_costs_by_the_sentences_skipped_up_to_a_bound() -> None:
    weights = replace(PLAIN, distance=-0.5, max_jump=2)
    none = -9.0
    assert chosen(task([5.0, none, 0.6], weights=weights)) == [0, 2]
    assert chosen(task([5.0, none, 0.4], weights=weights)) == [0]
    assert chosen(task([5.0, none, none, 1.1], weights=weights)) == [0, 3]
    assert chosen(task([5.0, none, none, 0.9], weights=weights)) == [0]
    assert chosen(task([5.0, none, none, none, none, 1.1], weights=weights)) == [0, 5]
    assert chosen(task([none, none, 0.1], weights=weights)) == [2]  # nothing is skipped before it


def test_repeats_are_lowered_in_proportion() -> None:
    weights = replace(PLAIN, repeat=-2.0)
    said = "The ferries sank near Dover."
    assert chosen(task([3.0, 1.9], weights=weights, texts=[said, "A ferry SINKS"])) == [0, 1]
    assert chosen(task([3.0, 1.9], weights=weights, texts=[said, "Dover ferry, it sank."])) == [0]
    assert chosen(task([3.0, 2.1], weights=weights, texts=[said, f"{said} Again."])) == [0, 1]
    half = [said, "Dover was calm."]
    assert chosen(task([3.0, 1.1], weights=weights, texts=half)) == [0, 1]
    assert chosen(task([3.0, 0.9], weights=weights, texts=half)) == [0]


def test_a_sentence_that_was_told_already_is_left_out() -> None:
    line = "Hull striker faces knee surgery soon"
    given = task([1.0, 2.0, 3.0], texts=[line, "The town waits", f"{line}."])
    assert chosen(given) == [1, 2]
    assert chosen(task([1.0, 2.0, 3.0], texts=["a b", "The town waits", "b a"])) == [0, 1, 2]


def test_the_same_words_are_told_once_however_few_they_are() -> None:
    texts = ("Fire broke out.", "Fire broke  out.", "Fire broke.", "Out broke the fire.")
    chosen = search(task([1.0, 1.0, 1.0, 1.0], texts=texts))
    assert [variant.sentence for variant in chosen] == [0, 2, 3]


def test_function_words_are_no_repeat() -> None:
    weights = replace(PLAIN, repeat=-9.0)
    assert chosen(task([3.0, 0.1], weights=weights, texts=["It was so.", "So it was."])) == [0, 1]


def test_what_may_not_be_chosen_never_is() -> None:
    assert chosen(task([9.0, 1.0, 9.0], barred=[0, 2])) == [1]
    assert chosen(task([9.0, 9.0], barred=[0, 1])) == []


def test_a_sentence_that_cannot_follow_is_left_out() -> None:
    def follows(
        sentence: int, edus: Sequence[int], shown: Sequence[int], shown_edus: Sequence[int]
    ) -> bool:
        assert [edu // 2 for edu in shown_edus[::2]] == list(shown)
        return sentence != 2 or tuple(shown) == (1,)

    assert chosen(task([1.0, 0.5, 9.0], follows=follows)) == [1, 2]
    assert chosen(task([1.0, -9.5, 9.0], follows=follows)) == [0]


def test_a_jump_does_not_count_what_may_not_be_chosen() -> None:
    weights = replace(PLAIN, distance=-0.5, next=1.0)
    assert chosen(task([5.0, 9.0, 0.1], weights=weights, barred=[1])) == [0, 2]
    assert chosen(task([5.0, 9.0, -0.9], weights=weights, barred=[1])) == [0, 2]
    assert chosen(task([5.0, 9.0, -1.1], weights=weights, barred=[1])) == [0]


def test_a_sentence_without_the_one_that_limits_it_costs() -> None:
    weights = replace(PLAIN, contrast=-1.0)
    values = [0.9, -0.95, 2.0]
    assert chosen(task(values, weights=weights)) == [0, 2]
    assert chosen(task(values, weights=weights, contrasted=[0])) == [2]
    assert chosen(task([0.9, 0.2, 2.0], weights=weights, contrasted=[0])) == [0, 1, 2]
    assert chosen(task([1.5, -0.9, 2.0], weights=weights, contrasted=[0])) == [0, 1, 2]
    assert chosen(task([1.1], weights=weights, contrasted=[0])) == [0]


def test_a_cut_is_taken_only_where_the_whole_sentence_does_not_fit() -> None:
    weights = replace(PLAIN, cut_sentence=-0.5)
    given = task([3.0], weights=weights, lengths=[10], shorter={0: (6, 0.9)})
    assert [variant.edus for variant in search(given)] == [(0, 1)]
    assert [variant.edus for variant in search(replace(given, at_most=9))] == [(0,)]
    # The cut makes room for the second one.
    both = task([3.0, 0.6], weights=weights, lengths=[10, 4], shorter={0: (8, 0.9)}, at_most=12)
    assert [variant.edus for variant in search(both)] == [(0,), (2, 3)]
    less = task([3.0, 0.4], weights=weights, lengths=[10, 4], shorter={0: (8, 0.9)}, at_most=12)
    assert [variant.edus for variant in search(less)] == [(0, 1)]


def test_the_words_of_a_cut_count() -> None:
    given = task([3.0], lengths=[10], shorter={0: (6, 0.9)}, texts=["The old ferry sank"])
    cut = given.variants[0][1]
    shown = replace(given, verbatim=lambda variant: "The ferry" if variant.is_cut else "")
    counts = dict(zip(FEATURES, summary_counts(shown, [cut]), strict=True))
    assert (counts["cut_sentence"], counts["cut_word"], counts["word"]) == (1.0, 2, 2)


def test_a_full_beam_keeps_what_is_best_and_the_empty_selection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_BEAM", 1)
    assert chosen(task([1.0, 2.0, 3.0])) == [0, 1, 2]
    # The first fills the beam; the last starts anew from the empty selection.
    assert chosen(task([1.0, 2.0, 9.0], lengths=[6, 60, 60], at_most=60)) == [2]


TASKS = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(-8, 8).map(lambda v: v / 2), min_size=n, max_size=n),
        st.lists(st.integers(1, 4).map(lambda v: 6 * v), min_size=n, max_size=n),
        st.sets(st.integers(0, n - 1)),
        st.none() | st.integers(0, n - 1),
        st.integers(0, 90),
    )
)
WEIGHTS = st.builds(
    lambda **drawn: replace(PLAIN, **drawn),
    sentence=st.sampled_from([0.0, -1.0]),
    first=st.sampled_from([0.0, 2.0]),
    next=st.sampled_from([0.0, 0.5]),
    jump=st.sampled_from([0.0, -0.5]),
    distance=st.sampled_from([0.0, -0.25]),
    max_jump=st.integers(0, 3),
)
Drawn = tuple[list[float], list[int], set[int], int | None, int]


def worth(given: SentenceTask, subset: Sequence[int]) -> float:
    weights, total = given.weights, 0.0
    for index, sentence in enumerate(subset):
        total += given.scores[sentence].best + weights.sentence
        total += weights.first if sentence == given.lead else 0.0
        if index:
            skipped = given.places[sentence] - given.places[subset[index - 1]] - 1
            far = weights.jump + weights.distance * min(skipped, weights.max_jump)
            total += far if skipped else weights.next
    return total


@settings(max_examples=150, deadline=None)
@given(TASKS, WEIGHTS)
def test_a_wide_beam_finds_the_best_of_all_subsets(drawn: Drawn, weights: ReadableWeights) -> None:
    # Costs are multiples of six, and no repeats count: then partial selections with the same last
    # sentence and cost differ in nothing but their score.
    values, lengths, barred, lead, at_most = drawn
    given = task(
        values, weights=weights, lengths=lengths, barred=[*barred], lead=lead, at_most=at_most
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BEAM", 1000)
        found = chosen(given)
    allowed = [index for index in range(len(values)) if index not in barred]
    subsets = [
        subset
        for size in range(1, len(allowed) + 1)
        for subset in combinations(allowed, size)
        if sum(lengths[index] for index in subset) <= at_most
    ]
    assert bool(found) is bool(subsets)
    if found:
        assert tuple(found) in subsets
        best = max(worth(given, subset) for subset in subsets)
        assert worth(given, found) == pytest.approx(best)


@settings(max_examples=100, deadline=None)
@given(TASKS, st.sampled_from([PLAIN, ReadableWeights()]), st.integers(2, 30))
def test_selections_are_in_reading_order_within_the_budget_and_always_the_same(
    drawn: Drawn, weights: ReadableWeights, beam: int
) -> None:
    values, lengths, barred, lead, at_most = drawn
    odd = [length + index for index, length in enumerate(lengths)]
    given = task(values, weights=weights, lengths=odd, barred=[*barred], lead=lead, at_most=at_most)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BEAM", beam)
        found = search(given)
        assert found == search(given)
    order = [variant.sentence for variant in found]
    assert order == sorted(set(order))
    assert barred.isdisjoint(order)
    assert sum(given.cost(variant) for variant in found) <= at_most
    fitting = [i for i, n_words in enumerate(odd) if i not in barred and n_words <= at_most]
    assert bool(found) is bool(fitting)
