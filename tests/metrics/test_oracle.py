"""The oracle: what it chooses, and that its counts are those of ROUGE."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discobert.errors import ConfigError, InvalidValue
from discobert.language.tokens import Tokens, tokenise
from discobert.metrics.oracle import Objective, OracleConfig, find_oracle, gains, soft_targets
from discobert.metrics.rouge import Reference, reference_of, rouge_of_tokens

ROUGE12 = OracleConfig(objective=Objective.ROUGE12)

token_lists = st.lists(st.sampled_from("abcde"), max_size=4).map(tuple)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[Tokens], Reference, list[frozenset[int]]]:
    """Draw units, a reference, and closures that are closed: each unit needs at most one other."""
    units = draw(st.lists(token_lists, min_size=1, max_size=6))
    heads = [draw(st.integers(0, len(units) - 1)) for _ in units]
    reference = reference_of([" ".join(draw(token_lists)), " ".join(draw(token_lists))])
    return units, reference, [closure_of(heads, unit) for unit in range(len(units))]


def closure_of(heads: Sequence[int], unit: int) -> frozenset[int]:
    found: set[int] = set()
    while unit not in found:
        found.add(unit)
        unit = heads[unit]
    return frozenset(found)


def score_of(
    units: Sequence[Tokens], reference: Reference, chosen: set[int], objective: Objective
) -> float:
    found = rouge_of_tokens(reference, [units[unit] for unit in sorted(chosen)])
    return found.rouge1.f1 + (found.rouge2.f1 if objective is Objective.ROUGE12 else 0.0)


def slow_greedy(
    closures: Sequence[frozenset[int]], score: Callable[[set[int]], float]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    chosen: set[int] = set()
    steps: list[int] = []
    while True:
        scores = [round(score(chosen | closure), 12) for closure in closures]
        best = max(range(len(closures)), key=lambda unit: (scores[unit], -unit))
        if scores[best] <= round(score(chosen), 12):
            return tuple(sorted(chosen)), tuple(steps)
        chosen |= closures[best]
        steps.append(best)


def tokens(*texts: str) -> list[Tokens]:
    return [tokenise(text) for text in texts]


def test_units_are_added_until_the_score_drops() -> None:
    units = tokens("two men", "it rained all day long", "were held", "in the old town of Ghent")
    oracle = find_oracle(units, reference_of(["Two men were held"]))
    assert oracle.units == (0, 2)
    assert oracle.score == 1.0


def test_a_unit_brings_what_it_needs() -> None:
    units = tokens("the prizes", "awarded by the jury", "honour great work")
    closures = [{0}, {0, 1}, {0, 2}]
    oracle = find_oracle(units, reference_of(["honour great work"]), closures=closures)
    assert oracle.units == (0, 2)
    assert oracle.steps == (2,)


def test_equal_units_go_to_the_earlier() -> None:
    units = tokens("rain", "a storm", "a storm")
    assert find_oracle(units, reference_of(["a storm"])).steps == (1,)


def test_nothing_in_common_gives_an_empty_oracle() -> None:
    oracle = find_oracle(tokens("rain", "..."), reference_of(["a storm"]))
    assert (oracle.units, oracle.steps, oracle.score) == ((), (), 0.0)


@pytest.mark.parametrize("objective", list(Objective))
def test_no_units_give_an_empty_oracle(objective: Objective) -> None:
    reference = reference_of(["a storm"])
    config = OracleConfig(objective=objective)
    assert find_oracle([], reference, config=config).units == ()
    assert find_oracle([], reference, closures=[], config=config).units == ()
    assert soft_targets([], reference, objective=objective).tolist() == []


def test_counts_are_clipped() -> None:
    units = tokens("the the the", "the cat sat")
    assert find_oracle(units, reference_of(["the cat sat down"])).units == (1,)


def test_the_number_of_steps_can_be_bounded() -> None:
    units = tokens("a", "b", "c")
    oracle = find_oracle(units, reference_of(["a b c"]), config=OracleConfig(max_steps=2))
    assert oracle.steps == (0, 1)


def test_rouge_two_counts_pairs_across_adjacent_units() -> None:
    units = tokens("old men", "x", "y men", "sing")
    reference = reference_of(["old men sing songs"])
    assert find_oracle(units, reference, config=ROUGE12).units == (0, 3)
    assert find_oracle(units, reference, config=ROUGE12).score == pytest.approx(6 / 7 + 4 / 5)


def test_a_beam_finds_what_greedy_misses() -> None:
    units = tokens("a b c", "a b", "c d")
    reference = reference_of(["a b c d"])
    assert find_oracle(units, reference).units == (0, 2)
    assert find_oracle(units, reference, config=OracleConfig(beam=3)).units == (1, 2)


@settings(max_examples=150)
@given(problems(), st.sampled_from(Objective))
def test_greedy_equals_a_slow_greedy(
    problem: tuple[list[Tokens], Reference, list[frozenset[int]]], objective: Objective
) -> None:
    units, reference, closures = problem
    found = find_oracle(
        units, reference, closures=closures, config=OracleConfig(objective=objective)
    )
    expected = slow_greedy(closures, lambda chosen: score_of(units, reference, chosen, objective))
    if objective is Objective.ROUGE1:
        assert (found.units, found.steps) == expected
    else:  # sums of two fractions round differently, so ties may fall otherwise
        assert found.score == pytest.approx(
            score_of(units, reference, set(found.units), objective), abs=1e-9
        )


@settings(max_examples=150)
@given(problems(), st.sampled_from(Objective), st.integers(1, 4))
def test_the_oracle_is_closed_and_its_score_is_the_rouge_of_its_text(
    problem: tuple[list[Tokens], Reference, list[frozenset[int]]], objective: Objective, beam: int
) -> None:
    units, reference, closures = problem
    config = OracleConfig(objective=objective, beam=beam)
    found = find_oracle(units, reference, closures=closures, config=config)
    assert set(found.units) == set().union(*(closures[unit] for unit in found.steps))
    assert found.score == pytest.approx(
        score_of(units, reference, set(found.units), objective), abs=1e-9
    )


@settings(max_examples=150)
@given(problems(), st.sampled_from(Objective), st.data())
def test_gains_are_differences_of_rouge(
    problem: tuple[list[Tokens], Reference, list[frozenset[int]]],
    objective: Objective,
    data: st.DataObject,
) -> None:
    units, reference, closures = problem
    start = data.draw(st.sets(st.integers(0, len(units) - 1)))
    chosen = set().union(*(closures[unit] for unit in start))
    found = gains(units, reference, closures=closures, given=chosen, objective=objective)
    before = score_of(units, reference, chosen, objective)
    expected = [
        score_of(units, reference, chosen | closure, objective) - before for closure in closures
    ]
    assert found.tolist() == pytest.approx(expected, abs=1e-9)


def test_gains_start_from_what_is_given() -> None:
    units, reference = (
        tokens("two men", "were held", "two men"),
        reference_of(["Two men were held"]),
    )
    found = gains(units, reference, given=[0], objective=Objective.ROUGE1)
    assert found.tolist() == pytest.approx([0.0, 1 - 2 / 3, 2 / 4 - 2 / 3])


def test_soft_targets_run_from_zero_to_one() -> None:
    units = tokens("two men were held", "two men", "it rained")
    reference = reference_of(["Two men were held"])
    targets = soft_targets(units, reference)
    assert targets[0] == 1.0
    assert 0 < targets[1] < 1
    assert targets[2] == 0.0
    assert np.all(soft_targets(units, reference_of(["nothing alike"])) == 0.0)


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"oracle\.beam must be at least 1, got 0"):
        OracleConfig(beam=0)
    with pytest.raises(ConfigError, match=r"oracle\.max_steps must be at least 1, got 0"):
        OracleConfig(max_steps=0)
    with pytest.raises(ConfigError, match="use one of rouge1, rouge1\\+rouge2"):
        Objective("rouge7")


@pytest.mark.parametrize("closures", [[{0}], [{0}, {0}], [{0}, {1, 2}], [{0}, {-1, 1}]])
def test_closures_that_do_not_fit_the_units_are_refused(closures: list[set[int]]) -> None:
    with pytest.raises(InvalidValue, match="closure"):
        find_oracle(tokens("a", "b"), reference_of(["a"]), closures=closures)
