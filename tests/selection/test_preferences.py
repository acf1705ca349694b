"""What a reader wants besides a length."""

import pytest
from tests.builders import doc

from discobert.data.graph import Edge
from discobert.data.summary import Scores, Selection
from discobert.errors import UsageError
from discobert.selection.budget import Budget
from discobert.selection.candidates import Ranked
from discobert.selection.greedy import Greedy
from discobert.selection.preferences import Wishes, focused, lead_units, steer, unfulfilled
from discobert.selection.problem import SelectionMethod
from discobert.selection.select import SelectionOptions, select

SPOKEN = doc("[“We are done,”] [she said.] | [It rained all day.] | [Nobody came.]")
SAID = (Edge(1, 0),)
METHODS: tuple[SelectionMethod, ...] = (
    Greedy(),
    Ranked(lambda choices: [float(len(choice)) for choice in choices]),
)


def chosen(
    method: SelectionMethod, wishes: Wishes, scores: tuple[float, ...], words: int
) -> Selection:
    options = SelectionOptions(method=method, budget=Budget(words=words), wishes=wishes)
    return select(SPOKEN, Scores(scores), SAID, options).selection


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("words", [1, 4, 6, 99])
def test_excluded_quotations_and_what_needs_them_are_never_chosen(
    method: SelectionMethod, words: int
) -> None:
    found = chosen(method, Wishes(exclude_quotes=True), (0.9, 0.8, 0.2, -0.1), words)
    assert set(found.edus) <= {2, 3}
    assert found.edus


@pytest.mark.parametrize("method", METHODS)
def test_lead_is_chosen_before_any_score(method: SelectionMethod) -> None:
    found = chosen(method, Wishes(keep_lead=True), (-0.5, -0.9, 0.8, 0.9), 7)
    assert found.edus == (0, 1, 3)
    assert found.reasons[:2] == ("lead", "lead")
    assert found.reasons[2] == "score"


@pytest.mark.parametrize("method", METHODS[:1])
def test_lead_is_kept_as_far_as_it_fits(method: SelectionMethod) -> None:
    assert chosen(method, Wishes(keep_lead=True), (-0.5, -0.9, 0.8, 0.9), 3).edus == (0,)


def test_excluded_lead_is_no_lead() -> None:
    steering = steer(SPOKEN, SAID, Wishes(keep_lead=True, exclude_quotes=True))
    assert steering.excluded == {0, 1}
    assert steering.lead == frozenset()


def test_heading_is_no_lead() -> None:
    assert lead_units(doc("[Floods] [and rain] || [It rained,] [he said.”] | [No.]")) == {2, 3}
    assert lead_units(doc("[No end] | [none]")) == {0}


def test_text_of_quotations_keeps_them_with_a_warning() -> None:
    document = doc("[“We left,”] [he said.]")
    wishes = Wishes(exclude_quotes=True)
    assert steer(document, SAID, wishes).excluded == frozenset()
    found = select(document, Scores((1.0, 0.5)), SAID, SelectionOptions(wishes=wishes)).selection
    (warning,) = unfulfilled(document, found, wishes)
    assert warning.code == "only-quotes"
    assert unfulfilled(document, found, Wishes()) == ()


def test_focus_moves_scores_or_warns() -> None:
    scores = Scores((0.9, 0.8, 0.1, 0.0))
    assert focused(SPOKEN, scores, (), Wishes()) == (scores, ())
    moved, warnings = focused(SPOKEN, scores, (), Wishes(focus="rain"))
    assert moved.values == (0.9, 0.8, 0.1 + 0.9, 0.0)
    assert warnings == ()
    same, (warning,) = focused(SPOKEN, scores, (), Wishes(focus="moon"))
    assert same == scores
    assert warning.code == "focus-not-found"
    assert "'moon'" in warning.message


def test_focus_without_words_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="must hold a word"):
        Wishes(focus="…")
