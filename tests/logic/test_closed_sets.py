from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from discobert.data.graph import Edge
from discobert.logic.closed_sets import best_closed_sets, closed_sets, forest
from discobert.logic.dependencies import closures, violations

N_EDUS = st.integers(1, 7)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, tuple[Edge, ...]]:
    n_edus = draw(N_EDUS)
    edus = st.integers(0, n_edus - 1)
    return n_edus, tuple(draw(st.lists(st.builds(Edge, edus, edus), max_size=8)))


@st.composite
def forests(draw: st.DrawFn) -> tuple[int, tuple[Edge, ...]]:
    """Every EDU has at most one head; some pairs need each other."""
    n_edus = draw(N_EDUS)
    order = draw(st.permutations(range(n_edus)))
    edges = []
    for place in range(1, n_edus):
        head = draw(st.none() | st.integers(0, place - 1))
        if head is not None:
            edges.append(Edge(order[place], order[head]))
            edges += [Edge(order[head], order[place])] if draw(st.booleans()) else []
    return n_edus, tuple(edges)


def all_closed_sets(n_edus: int, edges: tuple[Edge, ...]) -> set[tuple[int, ...]]:
    sets = (chosen for k in range(1, n_edus + 1) for chosen in combinations(range(n_edus), k))
    return {chosen for chosen in sets if violations(chosen, edges) == 0}


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_all_closed_sets_are_found_once(graph: tuple[int, tuple[Edge, ...]]) -> None:
    n_edus, edges = graph
    found = closed_sets(range(n_edus), closures(n_edus, edges), limit=200)
    assert found is not None
    assert len(found) == len(set(found))
    assert set(found) == all_closed_sets(n_edus, edges)


def test_a_sentence_in_the_middle_of_a_document() -> None:
    needs = closures(6, (Edge(3, 4), Edge(5, 4)))
    assert closed_sets(range(3, 6), needs, limit=9) == ((4,), (3, 4), (4, 5), (3, 4, 5))


def test_too_many_sets_are_not_listed() -> None:
    alone = closures(4, ())
    assert closed_sets(range(4), alone, limit=3) is None
    assert closed_sets(range(4), alone, limit=14) is None
    assert len(closed_sets(range(4), alone, limit=15) or ()) == 15


def test_a_forest_puts_what_depends_behind_its_head() -> None:
    needs = closures(5, (Edge(0, 1), Edge(2, 1), Edge(3, 2), Edge(2, 3)))
    trees = forest(range(5), needs)
    assert trees.members == ((1,), (0,), (2, 3), (4,))
    assert trees.after == (3, 2, 3, 4)


def test_a_node_with_two_heads_stands_below_one() -> None:
    needs = closures(4, (Edge(3, 0), Edge(3, 2), Edge(2, 1)))
    trees = forest(range(4), needs)
    assert trees.members == ((0,), (1,), (2,), (3,))
    assert trees.after == (1, 4, 4, 4)


@settings(max_examples=60, deadline=None)
@given(forests(), st.data())
def test_the_best_closed_sets_of_a_forest(
    graph: tuple[int, tuple[Edge, ...]], data: st.DataObject
) -> None:
    n_edus, edges = graph
    values = data.draw(st.lists(st.integers(-3, 9), min_size=n_edus, max_size=n_edus))
    costs = data.draw(st.lists(st.integers(0, 4), min_size=n_edus, max_size=n_edus))
    trees = forest(range(n_edus), closures(n_edus, edges))
    found = best_closed_sets(
        trees,
        [sum(values[edu] for edu in members) for members in trees.members],
        [sum(costs[edu] for edu in members) for members in trees.members],
        capacity=10,
        n_sets=99,
    )
    assert all(violations(edus, edges) == 0 for edus in found)
    for capacity in range(11):
        affordable = [
            edus
            for edus in all_closed_sets(n_edus, edges)
            if sum(costs[edu] for edu in edus) <= capacity
        ]
        best = max((sum(values[edu] for edu in edus) for edus in affordable), default=0)
        reached = [edus for edus in found if sum(costs[edu] for edu in edus) <= capacity]
        assert max((sum(values[edu] for edu in edus) for edus in reached), default=0) == max(
            0, best
        )


def test_only_some_sets_are_traced_if_asked() -> None:
    trees = forest(range(9), closures(9, ()))
    found = best_closed_sets(trees, [1.0] * 9, [1] * 9, capacity=9, n_sets=3)
    assert [len(edus) for edus in found] == [9, 5, 1]


def test_a_node_above_the_capacity_is_passed_over() -> None:
    trees = forest(range(2), closures(2, ()))
    assert best_closed_sets(trees, [9.0, 1.0], [5, 1], capacity=2, n_sets=9) == [(1,)]
