"""Candidate summaries: greedy selection at several lengths, and without a pick."""

import pytest
from tests.builders import analysis, tree
from tests.selection.selection_cases import solve

from discobert.data.summary import Scores
from discobert.discourse.dependencies import enforced_dependencies
from discobert.errors import UsageError
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding
from discobert.selection.paper.ranked import (
    CandidateOptions,
    GreedyInput,
    Ranked,
    candidate_choices,
)
from discobert.selection.redundancy import Blocking

NOTHING: frozenset[object] = frozenset()


def ground(*closures: set[int], grams: list[set[object]] | None = None) -> GreedyInput:
    said = [frozenset(part) for part in grams] if grams else [NOTHING] * len(closures)
    return GreedyInput(tuple(range(len(closures))), closures, said)


def sets(found: list[dict[int, str]]) -> list[list[int]]:
    return [sorted(reasons) for reasons in found]


def test_candidates_grow_by_whole_closures() -> None:
    options = CandidateOptions(min_steps=1, max_steps=3, leave_out=0)
    found = candidate_choices(ground({0, 2}, {1}, {2}, {3}), options)
    assert sets(found) == [[0, 2], [0, 1, 2], [0, 1, 2, 3]]
    assert found[0] == {0: "score", 2: "needed by 0"}


def test_first_picks_are_left_out_in_turn_with_all_that_need_them() -> None:
    options = CandidateOptions(min_steps=2, max_steps=2, leave_out=2)
    found = candidate_choices(ground({0}, {1}, {0, 2}, {3}), options)
    assert sets(found) == [[0, 1], [1, 3], [0, 2]]


def test_repeats_are_refused() -> None:
    options = CandidateOptions(min_steps=2, max_steps=2, leave_out=0)
    found = candidate_choices(ground({0}, {1}, {2}, grams=[{"a"}, {"a", "b"}, {"c"}]), options)
    assert sets(found) == [[0, 2]]


def test_a_short_document_gives_its_longest() -> None:
    assert sets(candidate_choices(ground({0}, {1}), CandidateOptions(leave_out=0))) == [[0, 1]]


def test_no_candidate_comes_twice() -> None:
    found = sets(candidate_choices(ground({0}, {1}, {2}), CandidateOptions(min_steps=1)))
    assert len(found) == len({tuple(units) for units in found})


@pytest.mark.parametrize("wrong", [{"min_steps": 0}, {"min_steps": 9}, {"leave_out": -1}])
def test_impossible_options_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="min_steps"):
        CandidateOptions(**wrong)


def ranked(budget: Budget, *, longest: bool, blocking: bool = False) -> tuple[int, ...]:
    read = analysis(
        "[One clause here] [and another here.] | [A second sentence stands.] | [A third is here.]",
        tree("NS", tree("NS", 0, 1), tree("NN", 2, 3)),
    )
    search = Ranked(
        lambda found: [len(units) * (1 if longest else -1) for units in found],
        CandidateOptions(min_steps=1, max_steps=3, leave_out=0),
    )
    decoding = Decoding(search=search, budget=budget)
    if blocking:
        decoding = Decoding(search=search, budget=budget, redundancy=Blocking(1))
    edges = enforced_dependencies(read.document, read.rst)
    solution = solve(read.document, Scores((0.1, 0.9, 0.8, 0.7)), edges, decoding)
    return solution.selection.edus


def test_the_rank_decides_the_length() -> None:
    assert ranked(Budget(), longest=True) == (0, 1, 2, 3)
    assert ranked(Budget(), longest=False) == (0, 1)


def test_candidates_over_the_limit_are_not_asked_for() -> None:
    assert ranked(Budget(edus=3), longest=True) == (0, 1, 2)


def test_if_no_candidate_fits_the_best_unit_is_given() -> None:
    assert ranked(Budget(edus=1), longest=True) == (2,)


def test_repeated_words_are_kept_out_of_candidates() -> None:
    assert ranked(Budget(), longest=True, blocking=True) == (0, 1, 2)
