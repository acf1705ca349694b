"""The rules of the paper, of its released code, and ours."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import chain, doc, tree

from discobert.data.document import Document, Edu, Span
from discobert.data.graph import Edge
from discobert.data.rst import Leaf, RstTree
from discobert.discourse.dependencies import (
    LEGACY,
    OURS,
    PAPER,
    VARIANTS,
    DependencyRules,
    LeadingPunctuation,
    SameUnit,
    Scope,
    SubjectTest,
    attributions,
    closures,
    dependencies,
    enforced,
    enforced_dependencies,
    heads,
    is_same_unit,
    promotion_depths,
    violations,
)

# The structure of the paper's Fig. 2, with EDUs counted from 0.
PRIZE = doc(
    "[~Winner:] [This photo from the harbour was part of a series,] [~and shows a boy,] "
    "[~thought to be lost,] [~being carried by two sailors.]"
)
PRIZE_TREE = tree("SN", 0, tree("NN", 1, tree("NS", 2, tree("SN", 3, 4)), "list"))

# The structure of its sentence 20.
PRIZES = doc("[The prizes,] [~awarded each year by the city,] [~recognise outstanding work.]")
PRIZES_TREE = tree("NN", tree("NS", 0, 1, "elaboration"), 2, "same-unit")


def arrows(edges: tuple[Edge, ...]) -> set[tuple[int, int]]:
    return {(edge.dependent, edge.head) for edge in edges}


@pytest.mark.parametrize("rules", [OURS, PAPER])
def test_figure_2_of_the_paper(rules: DependencyRules) -> None:
    edges = dependencies(PRIZE, PRIZE_TREE, rules=rules)
    assert arrows(edges) == {(3, 4), (4, 2), (2, 1), (0, 1)}
    expected = [{0, 1}, {1}, {2, 1}, {3, 4, 2, 1}, {4, 2, 1}]
    assert [set(closure) for closure in closures(5, edges)] == expected


def test_figure_2_in_the_released_code_loses_the_clause_without_subject() -> None:
    assert arrows(dependencies(PRIZE, PRIZE_TREE, rules=LEGACY)) == {(3, 4), (4, 2), (0, 1)}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (OURS, {(1, 0), (2, 0), (0, 2)}),
        (PAPER, {(1, 0), (2, 0)}),
        (LEGACY, {(1, 0)}),
    ],
    ids=["ours", "paper", "legacy"],
)
def test_sentence_20_of_figure_1(rules: DependencyRules, expected: set[tuple[int, int]]) -> None:
    assert arrows(dependencies(PRIZES, PRIZES_TREE, rules=rules)) == expected


def test_selecting_the_predicate_of_sentence_20_brings_its_subject() -> None:
    for rules in (OURS, PAPER):
        edges = enforced_dependencies(PRIZES, PRIZES_TREE, rules=rules)
        assert closures(3, edges)[2] == {0, 2}


def test_figure_1_selection_is_closed() -> None:
    """Its selection: 1-1, 2-1, 5-2, 20-1, 20-3, 22-1."""
    document = doc(
        "[The prizes were given today,] [~honouring the year's best work.] | "
        "[The city's paper won one prize] [~for a series on its harbour.] | "
        "[~Winner:] [This photo was part of a series,] [~and shows a boy.] | "
        "[The prizes,] [~awarded each year by the city,] [~recognise outstanding work.] | "
        "[The prizes go back a century.]"
    )
    sentences: list[RstTree] = [
        tree("NS", 0, 1),
        tree("NS", 2, 3),
        tree("SN", 4, tree("NN", 5, 6)),
        tree("NN", tree("NS", 7, 8), 9, "same-unit"),
        Leaf(10),
    ]
    whole: RstTree = sentences[0]
    for sentence in sentences[1:]:
        whole = tree("NS", whole, sentence)
    edges = enforced_dependencies(document, whole)
    assert violations({0, 2, 5, 7, 9, 10}, edges) == 0
    assert violations({0, 2, 5, 9, 10}, edges) == 1
    assert arrows(edges) == {(1, 0), (3, 2), (4, 5), (6, 5), (8, 7), (9, 7), (7, 9)}


@pytest.mark.parametrize(("nuclearity", "edge"), [("NS", (1, 0)), ("SN", (0, 1))])
def test_satellite_depends_on_nucleus(nuclearity: str, edge: tuple[int, int]) -> None:
    document = doc("[It rained,] [so we stayed.]")
    assert dependencies(document, tree(nuclearity, 0, 1, "cause")) == (Edge(*edge, "cause"),)


def test_right_nucleus_with_a_subject_is_free() -> None:
    assert dependencies(doc("[It rained] [and we stayed.]"), tree("NN", 0, 1)) == ()


def test_right_nucleus_without_a_subject_depends_on_the_left_one() -> None:
    document = doc("[We stayed] [~and read.]")
    assert arrows(dependencies(document, tree("NN", 0, 1))) == {(1, 0)}


def test_head_of_two_nuclei_is_the_left_one() -> None:
    document = doc("[~Tired,] [we stayed] [and we read.]")
    assert arrows(dependencies(document, tree("SN", 0, tree("NN", 1, 2)))) == {(0, 1)}


def test_subject_may_be_sought_in_the_whole_right_span() -> None:
    document = doc("[We stayed] [~and read] [what we had.]")
    shape = tree("NN", 0, tree("NS", 1, 2))
    whole_span = DependencyRules(subject_test=SubjectTest.RIGHT_SPAN)
    assert arrows(dependencies(document, shape)) == {(1, 0), (2, 1)}
    assert arrows(dependencies(document, shape, rules=whole_span)) == {(2, 1)}


@pytest.mark.parametrize("nuclearity", ["NN", "NS", "SN"])
def test_parts_of_a_clause_need_each_other(nuclearity: str) -> None:
    document = doc("[The man] [slept.]")
    shape = tree(nuclearity, 0, 1, "Same-Unit")
    assert arrows(dependencies(document, shape)) == {(0, 1), (1, 0)}


def test_all_parts_of_a_clause_in_three_close_together() -> None:
    document = doc("[The man] [in the hat] [slept.]")
    shape = tree("NN", 0, tree("NN", 1, 2, "same-unit"), "same-unit")
    assert closures(3, dependencies(document, shape)) == (frozenset({0, 1, 2}),) * 3


@pytest.mark.parametrize("name", ["same-unit", "same_unit", "Same-Unit", "sameunit", "SAME UNIT"])
def test_same_unit_is_known_by_any_spelling(name: str) -> None:
    assert is_same_unit(name)
    assert not is_same_unit(f"{name}s")


def test_only_dependencies_inside_a_sentence_are_enforced() -> None:
    document = doc("[We stayed,] [~reading.] | [It rained.]")
    shape = tree("NS", tree("NS", 0, 1), 2)
    edges = dependencies(document, shape)
    assert arrows(edges) == {(1, 0), (2, 0)}
    assert arrows(enforced(document, edges)) == {(1, 0)}


def test_released_code_drops_a_dependent_span_that_leaves_the_sentence() -> None:
    document = doc("[We stayed,] [~reading] [what we had.] | [It rained.]")
    shape = tree("NS", 0, tree("NS", tree("NS", 1, 2), 3))
    assert arrows(enforced_dependencies(document, shape)) == {(1, 0), (2, 1)}
    assert arrows(dependencies(document, shape, rules=LEGACY)) == {(2, 1)}


def test_sentence_scope_holds_for_both_directions_of_a_clause() -> None:
    document = doc("[The man] | [slept.] [~reading.]")
    rules = DependencyRules(scope=Scope.SENTENCE)
    shape = tree("NN", 0, tree("NS", 1, 2), "same-unit")
    assert arrows(dependencies(document, shape, rules=rules)) == {(2, 1)}


@pytest.mark.parametrize(
    ("markup", "shape", "expected"),
    [
        ('["Yes,] [we stayed.]', tree("NN", 0, 1), {(0, 1)}),
        ("[Yes,] [we stayed.]", tree("NN", 0, 1), set()),
        ('["Yes,] [we stayed.]', tree("NS", 0, 1), {(1, 0)}),
        ('[We said] ["yes] [and stayed.]', tree("SN", 0, tree("NN", 1, 2)), {(0, 1)}),
    ],
)
def test_released_code_subordinates_leading_punctuation(
    markup: str, shape: RstTree, expected: set[tuple[int, int]]
) -> None:
    assert arrows(dependencies(doc(markup), shape, rules=LEGACY)) == expected


def test_variants_are_known_by_name() -> None:
    assert VARIANTS == {"ours": OURS, "paper": PAPER, "legacy": LEGACY}
    assert DependencyRules(same_unit=SameUnit.ORDINARY) == PAPER
    assert LEGACY.leading_punctuation is LeadingPunctuation.SATELLITE


def test_a_single_edu_depends_on_nothing() -> None:
    assert dependencies(doc("[Yes.]"), Leaf(0)) == ()
    assert closures(1, ()) == (frozenset({0}),)


def test_heads_link_every_branch_once() -> None:
    assert arrows(heads(PRIZE_TREE)) == {(3, 4), (4, 2), (2, 1), (0, 1)}


arrow_lists = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)


@given(arrow_lists)
def test_closures_equal_reachability(pairs: list[tuple[int, int]]) -> None:
    reach = [{edu} for edu in range(10)]
    for _ in range(10):
        for dependent, head in pairs:
            for known in reach:
                if dependent in known:
                    known.add(head)
    found = closures(10, [Edge(*pair) for pair in pairs])
    assert [set(closure) for closure in found] == reach


@given(arrow_lists, st.frozensets(st.integers(0, 9)))
def test_no_violations_means_closed(pairs: list[tuple[int, int]], chosen: frozenset[int]) -> None:
    edges = [Edge(*pair) for pair in pairs]
    closed = all(closures(10, edges)[edu] <= chosen for edu in chosen)
    assert (violations(chosen, edges) == 0) == closed


def test_a_unit_with_two_missing_dependencies_counts_once() -> None:
    assert violations([0, 3], [Edge(0, 1), Edge(0, 2), Edge(3, 0)]) == 1


def test_very_long_documents_stay_fast() -> None:
    n_edus = 20_000
    edus = tuple(Edu(Span(2 * i, 2 * i + 1), i // 3) for i in range(n_edus))
    sentences = tuple(Span(6 * i, min(6 * i + 6, 2 * n_edus)) for i in range(edus[-1].sentence + 1))
    document = Document("long", "a " * n_edus, sentences, edus)
    started = time.process_time()
    edges = enforced_dependencies(document, chain(n_edus))
    assert max(map(len, closures(n_edus, edges))) == 3
    assert time.process_time() - started < 2


def test_the_satellite_is_the_source() -> None:
    document = doc("[He said] [it rained] [and poured.]")
    rst = tree("SN", 0, tree("NN", 1, 2), "attribution")
    assert attributions(document, rst) == ((0, 1),)


def test_the_source_may_follow() -> None:
    document = doc("[It rained,] [he said.]")
    assert attributions(document, tree("NS", 0, 1, "attribution-positive")) == ((1, 0),)


def test_other_relations_and_other_sentences_do_not_count() -> None:
    document = doc("[It rained,] [he left.] | [He said so.]")
    rst = tree("NS", tree("NS", 0, 1, "context"), 2, "attribution")
    assert attributions(document, rst) == ()


def test_one_edu_is_the_root() -> None:
    assert promotion_depths(Leaf(0)) == (0,)


def test_a_nucleus_rises_to_the_root_and_a_satellite_stays() -> None:
    assert promotion_depths(tree("NS", 0, 1)) == (0, 1)
    assert promotion_depths(tree("SN", 0, 1)) == (1, 0)
    assert promotion_depths(tree("NN", 0, 1)) == (0, 0)


def test_the_sentence_of_the_papers_second_figure() -> None:
    inner = tree("NS", 2, tree("SN", 3, 4))
    rst = tree("SN", 0, tree("NN", 1, inner))
    assert promotion_depths(rst) == (1, 0, 0, 4, 3)


def test_deep_trees_need_no_recursion() -> None:
    rst: RstTree = Leaf(0)
    for edu in range(1, 5000):
        rst = tree("NS", rst, edu)
    depths = promotion_depths(rst)
    assert depths[0] == 0
    assert depths[1] == 4999
    assert depths[4999] == 1
