"""Why a readable summary lacks a unit."""

from dataclasses import replace

from tests.builders import analysis, tree
from tests.selection.selection_cases import weights_of

from discobert.data.cuts import Cut
from discobert.data.explanation import LEFT
from discobert.data.summary import Analysis, Scores, SentenceSalience
from discobert.selection.build import Decoding, Salience, selection_problem
from discobert.selection.explain import reasons_left_out
from discobert.selection.request import SummaryRequest
from discobert.selection.select import select

PLAIN = replace(
    weights_of(best=1.0),
    floor=-100.0,
    cut=0.85,
)
NEWS = analysis(
    "[Al Ray,] [~who is old,] [~won the vote.] | [Rain fell on Monday.] | [But he sang.] | "
    "[Crews closed the bridge.]",
    tree("NS", tree("NN", tree("NS", 0, 1), 2, "same-unit"), tree("NS", 3, tree("NS", 4, 5))),
)


def reasons(
    source: Analysis, values: tuple[float, ...], *skipped: int, words: int
) -> tuple[tuple[int, ...], dict[int, str]]:
    """Return what was selected, and the reason of each unit that was not."""
    skip = tuple(float(index in skipped) for index in range(len(values)))
    n_edus = len(source.document.edus)
    given = Salience(
        Scores((0.5,) * n_edus),
        Decoding(readable=PLAIN),
        sentences=SentenceSalience(values, values, values, skip),
    )
    solution = select(selection_problem(source, given, SummaryRequest.of(words=words)))
    selected = solution.selection.edus
    left = [edu for edu in range(n_edus) if edu not in selected]
    found = dict(zip(left, reasons_left_out(solution), strict=True))
    assert LEFT.keys() >= set(found.values())
    return selected, found


def test_nothing_is_left_of_a_text_that_fits() -> None:
    assert reasons(NEWS, (1.0, 1.0, 1.0, 1.0), words=50) == (tuple(range(6)), {})


def test_a_cut_is_named() -> None:
    source = replace(NEWS, cuts=(Cut((1,), 0.95),))
    selected, found = reasons(source, (5.0, -1.0, -1.0, -1.0), words=6)
    assert selected == (0, 2)
    assert found[1] == "cut"


def test_furniture_is_named() -> None:
    selected, found = reasons(NEWS, (5.0, 3.0, -1.0, -1.0), 1, words=16)
    assert selected == (0, 1, 2)
    assert found == {3: "furniture", 4: "end", 5: "end"}


def test_what_refers_to_something_left_out_is_named() -> None:
    _, found = reasons(NEWS, (5.0, -6.0, 5.0, -3.0), words=17)
    assert found[4] == "reference"
    _, found = reasons(NEWS, (5.0, 3.0, -5.0, -3.0), words=17)
    assert found[4] == "end"  # its neighbour is shown, and it would fit


def test_what_is_not_worth_its_words_is_where_the_summary_ends() -> None:
    selected, found = reasons(NEWS, (5.0, 3.0, -1.0, -1.0), words=16)
    assert selected == (0, 1, 2, 3)
    assert found == {4: "end", 5: "end"}


def test_what_does_not_fit_is_named() -> None:
    selected, found = reasons(NEWS, (5.0, 3.0, -1.0, 2.0), words=13)
    assert selected == (0, 1, 2, 3)
    assert found == {4: "length", 5: "length"}
