from dataclasses import replace

from tests.builders import chain, doc, tree

from discobert.data.document import Span
from discobert.data.graph import Edge
from discobert.discourse.dependencies import enforced_dependencies
from discobert.metrics.counts import Hits, Tally
from discobert.metrics.parsing import Parseval, compare_heads, compare_trees, single_heads

FOUR = doc("[He came,] [saw,] | [and won] [what he could.]")
GOLD = tree("NS", tree("NN", 0, 1, "joint"), tree("SN", 2, 3, "mode"), "cause")


def test_identical_trees_score_one() -> None:
    scores = compare_trees(FOUR, GOLD, FOUR, GOLD)
    assert scores.span == scores.nuclearity == scores.relation == scores.full == Tally(3, 3, 3, 3)


def test_labels_count_on_the_node_they_belong_to() -> None:
    predicted = tree("NS", tree("NN", 0, 1, "list"), tree("NS", 2, 3, "mode"), "cause")
    scores = compare_trees(FOUR, GOLD, FOUR, predicted)
    assert scores.span.f1 == 1
    assert scores.nuclearity == Tally(2, 3, 2, 3)
    assert scores.relation == Tally(2, 3, 2, 3)
    assert scores.full == Tally(1, 3, 1, 3)


def test_root_counts_and_leaves_do_not() -> None:
    scores = compare_trees(FOUR, GOLD, FOUR, chain(4))
    assert scores.span == Tally(2, 3, 2, 3)


def test_trees_over_other_edus_match_by_characters() -> None:
    # The prediction misses the boundary inside the first sentence: two of its two spans are gold.
    predicted = doc("[He came, saw,] | [and won] [what he could.]")
    scores = compare_trees(FOUR, GOLD, predicted, tree("NS", 0, tree("SN", 1, 2, "mode"), "cause"))
    assert scores.span == scores.full == Tally(2, 3, 2, 2)


def test_space_at_the_end_of_an_edu_changes_nothing() -> None:
    first, *others = FOUR.edus
    wider = replace(FOUR, edus=(replace(first, span=Span(0, first.span.end + 1)), *others))
    assert compare_trees(FOUR, GOLD, wider, GOLD).full.f1 == 1


def test_one_edu_has_no_node() -> None:
    one = doc("[Yes.]")
    assert compare_trees(one, chain(1), one, chain(1)) == Parseval()


def test_deep_trees_are_compared() -> None:
    long = doc(" ".join("[a]" for _ in range(3000)))
    assert compare_trees(long, chain(3000), long, chain(3000)).full.f1 == 1


def test_scores_of_two_documents_add_up() -> None:
    once = compare_trees(FOUR, GOLD, FOUR, chain(4))
    assert (Parseval() + once + once).span == Tally(4, 6, 4, 6)


def test_heads_are_counted_in_sentences_with_several_edus() -> None:
    document = doc("[He said] [~that he came] [~and won.] | [Fine.]")
    assert compare_heads(document, {0: 1, 2: 1}, {0: 1, 2: 0}) == Hits(2, 3)


def test_no_head_is_an_answer() -> None:
    document = doc("[He came] [and he saw.]")
    assert compare_heads(document, {}, {}) == Hits(2, 2)
    assert compare_heads(document, {}, {1: 0}) == Hits(1, 2)


def test_parts_of_one_clause_keep_one_head_each() -> None:
    document = doc("[The man] [who fell] [was hurt.]")
    parts = tree("NN", tree("NS", 0, 1), 2, "same-unit")
    edges = enforced_dependencies(document, parts)
    assert single_heads(edges) == {0: 2, 1: 0, 2: 0}


def test_head_that_does_not_need_the_dependent_comes_first() -> None:
    edges = [Edge(0, 2), Edge(2, 0), Edge(0, 5)]
    assert single_heads(edges) == {0: 5, 2: 0}


def test_middle_part_of_a_clause_hangs_on_the_first() -> None:
    document = doc("[The man,] [the boss,] [was hurt.]")
    parts = tree("NN", 0, tree("NN", 1, 2, "same-unit"), "same-unit")
    assert single_heads(enforced_dependencies(document, parts)) == {0: 1, 1: 0, 2: 1}
