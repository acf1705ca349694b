"""What clauses need beyond the tree, rule by rule."""

import gc
from weakref import ref

import pytest
from hypothesis import given
from tests.builders import doc, tree
from tests.strategies import analyses

from discobert.data.graph import Edge
from discobert.data.rst import RstTree
from discobert.data.summary import Analysis
from discobert.discourse import clause_needs
from discobert.discourse.clause_needs import (
    DEFAULT,
    NONE,
    STRICT,
    Need,
    SelectionDependencies,
    with_needs,
)
from discobert.discourse.dependencies import closures, enforced_dependencies


def found(need: Need, markup: str, rst: RstTree) -> set[tuple[int, int]]:
    document = doc(markup)
    edges = enforced_dependencies(document, rst)
    added = set(with_needs(document, rst, edges, (need,))).difference(edges)
    assert {edge.label for edge in added} <= {need.name}
    return {(edge.dependent, edge.head) for edge in added}


def test_a_phrase_without_verb_needs_what_follows() -> None:
    markup = "[Militants] [linked to him were held] [when police came.]"
    rst = tree("NS", tree("NS", 0, 1), 2)
    assert found(clause_needs.VERB, markup, rst) == {(0, 1)}


def test_a_last_phrase_needs_what_comes_before() -> None:
    markup = "[He ran] [and his dog.]"
    assert found(clause_needs.VERB, markup, tree("NN", 0, 1)) == {(1, 0)}


def test_a_phrase_that_has_its_clause_needs_no_more() -> None:
    markup = "[In the rain,] [he ran.]"
    assert found(clause_needs.VERB, markup, tree("SN", 0, 1)) == set()


def test_an_interrupted_clause_is_whole_without_a_known_verb() -> None:
    markup = "[The prizes,] [awarded here,] [~honour work.]"
    rst = tree("NN", tree("NS", 0, 1), 2, "same-unit")
    assert found(clause_needs.VERB, markup, rst) == set()


def test_a_clause_without_subject_needs_the_one_before() -> None:
    markup = "[The crew,] [with help,] [~gave them vests.]"
    rst = tree("SN", tree("NS", 0, 1), 2)
    assert found(clause_needs.SUBJECT, markup, rst) == {(2, 0)}


def test_the_first_subject_of_the_clause_it_continues_is_taken() -> None:
    markup = "[He insists] [it was fair,] [~and said] [they agreed.]"
    rst = tree("NN", tree("SN", 0, 1, "attribution"), tree("SN", 2, 3, "attribution"))
    assert found(clause_needs.SUBJECT, markup, rst) == {(2, 0)}


def test_without_any_subject_before_the_neighbour_is_taken() -> None:
    markup = "[~Leaving home,] [~singing songs,] [they went.]"
    rst = tree("SN", 0, tree("SN", 1, 2))
    assert found(clause_needs.SUBJECT, markup, rst) == {(1, 0)}


def test_no_subject_is_taken_from_another_sentence() -> None:
    markup = "[It rained.] | [The crew,] [with help,] [~gave them vests.]"
    rst = tree("NN", 0, tree("SN", tree("NS", 1, 2), 3))
    assert found(clause_needs.SUBJECT, markup, rst) == {(3, 1)}


def test_a_subject_that_is_needed_already_is_enough() -> None:
    assert found(clause_needs.SUBJECT, "[He ran] [~to win.]", tree("NS", 0, 1)) == set()


def test_a_relative_clause_needs_what_it_modifies() -> None:
    markup = "[They met a man] [who sang.]"
    assert found(clause_needs.ANTECEDENT, markup, tree("NN", 0, 1)) == {(1, 0)}


def test_the_that_of_a_statement_may_stand_alone() -> None:
    rst = tree("SN", 0, 1, "attribution")
    assert found(clause_needs.ANTECEDENT, "[They said] [that he sang.]", rst) == set()


def test_a_subordinate_clause_needs_the_nearest_that_can_stand() -> None:
    markup = "[When it rained,] [as it did,] [they left] [if they could.]"
    rst = tree("NN", 0, tree("NN", 1, tree("NN", 2, 3)))
    assert found(clause_needs.MAIN_CLAUSE, markup, rst) == {(0, 2), (1, 2), (3, 2)}


def test_nothing_but_subordinate_clauses_need_no_others() -> None:
    markup = "[When it rained,] [if it did.]"
    assert found(clause_needs.MAIN_CLAUSE, markup, tree("NN", 0, 1)) == set()


@pytest.mark.parametrize(
    "markup",
    [
        "[It is the sort of meal] [that he likes.]",
        "[He saw the] [big house.]",
        "[He was held on suspicion] [of killing her.]",
        "[They were too busy] [to come.]",
        "[She was made] [to feel bad.]",
        "[Nothing was said about those] [who left.]",
        "[Police believe] [he fled.]",
        "[Lorries may not cross] [until it is mended.]",
    ],
)
def test_an_open_end_needs_what_completes_it(markup: str) -> None:
    assert found(clause_needs.COMPLETION, markup, tree("NS", 0, 1)) == {(0, 1)}


@pytest.mark.parametrize(
    "markup",
    [
        "[He bought a house] [that he likes.]",
        "[He ran home] [to win.]",
        "[So he said,] [they left.]",
        "[Lorries may cross] [until it is mended.]",
    ],
)
def test_a_closed_end_does_not(markup: str) -> None:
    assert found(clause_needs.COMPLETION, markup, tree("NS", 0, 1)) == set()


def test_first_persons_need_their_speaker() -> None:
    rst = tree("NS", 0, 1, "attribution")
    assert found(clause_needs.SPEAKER, "['I won,'] [he said.]", rst) == {(0, 1)}
    assert found(clause_needs.SPEAKER, "['He won,'] [he said.]", rst) == set()


def test_what_is_doubted_needs_the_doubt() -> None:
    rst = tree("SN", 0, 1, "attribution")
    assert found(clause_needs.DOUBTED, "[She had no idea] [he won.]", rst) == {(1, 0)}
    assert found(clause_needs.DOUBTED, "[Nobody heard] [that he won.]", rst) == {(1, 0)}
    assert found(clause_needs.DOUBTED, "[She saw] [he won.]", rst) == set()
    assert found(clause_needs.ATTRIBUTION, "[She saw] [he won.]", rst) == {(1, 0)}


def test_endless_sentences_are_left_alone() -> None:
    n_edus = 70
    markup = " ".join("[and more]" for _ in range(n_edus))
    rst: RstTree = tree("NN", 0, 1)
    for edu in range(2, n_edus):
        rst = tree("NN", rst, edu)
    assert found(clause_needs.VERB, markup, rst) == set()
    assert found(clause_needs.SUBJECT, markup, rst) == set()


def test_without_rules_dependencies_stay_as_they_are() -> None:
    document = doc("[Militants] [were held.]")
    edges = (Edge(1, 0, "x"),)
    assert with_needs(document, tree("NS", 0, 1), edges, NONE) is edges


def test_dependencies_of_the_same_text_are_found_once() -> None:
    markup, rst = "[Militants] [linked to him were held.]", tree("NN", 0, 1)
    document, dependencies = doc(markup), SelectionDependencies()
    edges = dependencies(document, rst)
    assert edges == with_needs(document, rst, enforced_dependencies(document, rst), DEFAULT)
    assert dependencies(document, rst) is edges
    assert dependencies(document, rst, NONE) == ()
    assert dependencies(document, tree("SN", 0, 1)) != edges
    assert dependencies(doc("[Ann was held] [and Bo left.]"), rst) == ()


def test_found_dependencies_do_not_keep_their_text() -> None:
    document, dependencies = doc("[Militants] [were held.]"), SelectionDependencies()
    dependencies(document, tree("NN", 0, 1))
    kept = ref(document)
    del document
    gc.collect()
    assert kept() is None


@given(analyses())
def test_needs_only_add_and_stay_inside_sentences(analysis: Analysis) -> None:
    document = analysis.document
    edges = enforced_dependencies(document, analysis.rst)
    more = with_needs(document, analysis.rst, edges, STRICT)
    pairs = [(edge.dependent, edge.head) for edge in more]
    assert pairs == sorted(set(pairs))
    assert {(edge.dependent, edge.head) for edge in edges} <= set(pairs)
    sentence = [edu.sentence for edu in document.edus]
    assert all(sentence[a] == sentence[b] for a, b in pairs)
    before, after = (closures(len(document.edus), found) for found in (edges, more))
    assert all(less <= full for less, full in zip(before, after, strict=True))


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("[If it costs more,] [members will pay.]", (1, 0)),
        ("[If it costs more] [members will pay.]", (1, 0)),
        ("[Members will pay] [if it costs more.]", (0, 1)),
        ("[They buy one;] [if it costs more,] [members will pay.]", (2, 1)),
        ("[They buy one,] [provided that it is cheap.]", (0, 1)),
        ("[Nobody may cross] [unless the flag is up.]", (0, 1)),
    ],
)
def test_what_holds_on_a_condition_brings_it(markup: str, expected: tuple[int, int]) -> None:
    n_edus = markup.count("[")
    rst = tree("NN", 0, 1) if n_edus == 2 else tree("NN", 0, tree("SN", 1, 2))
    assert found(clause_needs.CONDITIONAL, markup, rst) == {expected}


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("[They left] [because it rained,] [and because the boat leaked.]", {(2, 1)}),
        ("[They left because it rained,] [she said,] [and because the boat leaked.]", {(2, 1)}),
        ("[It was she] [who sang] [and, perhaps, who danced.]", set()),
        ("[It rained.] [And that was the end] [of all of it.]", {(1, 0)}),
    ],
)
def test_a_second_clause_of_a_kind_brings_the_first(
    markup: str, expected: set[tuple[int, int]]
) -> None:
    rst = tree("NN", 0, tree("NN", 1, 2))
    assert found(clause_needs.PARALLEL_CLAUSE, markup, rst) == expected


def test_a_clause_that_only_looks_like_a_condition_brings_nothing() -> None:
    markup = "[Members will pay] [iffy as it is.]"
    assert not found(clause_needs.CONDITIONAL, markup, tree("NN", 0, 1))


def test_a_condition_that_stands_alone_is_nobodys() -> None:
    markup = "[Members will pay.] | [If it costs more.] | [Nobody likes it.]"
    assert not found(clause_needs.CONDITIONAL, markup, tree("NN", 0, tree("NN", 1, 2)))
