"""The method from text to summary."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import MODEL, FixedScorer, analysis, tree
from tests.strategies import analyses

from discobert.analyser.rules import RuleAnalyser
from discobert.data.document import SourceText
from discobert.data.summary import Analysis, Scores, SentenceSalience
from discobert.discourse.dependencies import violations
from discobert.discourse.units import UnitKind
from discobert.language.sentences import NewsSplitter
from discobert.pipeline import Pipeline
from discobert.scorer.baselines import PositionScorer
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding, Salience, selection_problem
from discobert.selection.paper.greedy import Greedy
from discobert.selection.request import PAPER_REQUEST, ReferencePolicy, Style, SummaryRequest
from discobert.selection.select import select

ANALYSER = RuleAnalyser(NewsSplitter())
PIPELINE = Pipeline(ANALYSER, PositionScorer(MODEL))


def within(unit: UnitKind | None = None, **bounds: int) -> SummaryRequest:
    return SummaryRequest(budget=Budget(**bounds), style=Style.PAPER, unit=unit)


def test_chosen_clause_brings_what_it_needs() -> None:
    source = analysis(
        "[He left] [because it rained.] | [She stayed.]", tree("NS", tree("NS", 0, 1), 2)
    )
    pipeline = Pipeline(ANALYSER, FixedScorer((0.1, 0.9, 0.5)))
    summary = pipeline.summarise_analysis(source, within(UnitKind.EDU, edus=2))
    assert summary.text == "He left because it rained."
    assert [unit.reason for unit in summary.units] == ["needed by 1", "score", None]
    assert [unit.depends_on for unit in summary.units] == [(), (0,), ()]
    assert summary.model == MODEL


def test_sentences_can_be_the_units() -> None:
    source = analysis(
        "[He left] [because it rained.] | [She stayed.]", tree("NS", tree("NS", 0, 1), 2)
    )
    pipeline = Pipeline(ANALYSER, FixedScorer((0.1, 0.4, 0.5)))
    summary = pipeline.summarise_analysis(source, within(UnitKind.SENTENCE, words=3))
    assert [unit.text for unit in summary.units] == ["He left because it rained.", "She stayed."]
    assert summary.sentences == ("She stayed.",)


def test_unit_over_the_budget_is_given_with_a_warning() -> None:
    source = analysis("[One two three.]")
    summary = PIPELINE.summarise_analysis(source, within(UnitKind.EDU, words=1))
    assert summary.text == "One two three."
    assert [warning.code for warning in summary.warnings] == ["over-budget"]


def test_a_summary_depends_on_its_own_text_alone() -> None:
    texts = [SourceText("a", "It rained. They left."), SourceText("b", "It snowed, but Bo stayed.")]
    request = within(UnitKind.EDU, words=5)
    forth = [PIPELINE.summarise(text, request) for text in texts]
    back = [PIPELINE.summarise(text, request) for text in reversed(texts)]
    assert forth == back[::-1]
    assert [summary.document.id for summary in forth] == ["a", "b"]


def test_a_raw_text_is_summarised_by_its_analysis() -> None:
    text = SourceText("a", "It rained. They left. It snowed, but Bo stayed. He slept.")
    summary = PIPELINE.summarise(text, PAPER_REQUEST)
    assert summary == PIPELINE.summarise_analysis(ANALYSER.analyse(text), PAPER_REQUEST)
    assert len(summary.sentences) == 3


@settings(max_examples=40)
@given(analyses(), st.sampled_from(["words", "sentences", "edus", "chars"]), st.integers(1, 9))
@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("kind", list(UnitKind))
def test_summary_is_closed_within_budget_and_never_empty(
    kind: UnitKind, style: Style, source: Analysis, bound: str, limit: int
) -> None:
    request = replace(within(kind, **{bound: limit}), style=style)
    summary = PIPELINE.summarise_analysis(source, request)
    assert summary.selection.edus
    assert violations(summary.selection.edus, summary.dependencies) == 0
    lengths = {
        "words": summary.words,
        "sentences": len({u.sentence for u in summary.units if u.selected}),
        "edus": len(summary.selection.edus),
        "chars": len(summary.text),
    }
    warned = [warning.code for warning in summary.warnings]
    assert lengths[bound] <= limit or warned == ["over-budget"]
    for unit in summary.units:
        assert source.document.text[unit.start : unit.end] == unit.text


LINES = analysis("[It rained.] | [It poured again.] | [They all went home.] | [Bo sang.]")


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ({}, 5),
        ({"min_words": 4}, 5),
        ({"min_words": 6}, 7),
        ({"min_sentences": 3}, 7),
        ({"min_edus": 3}, 7),
        ({"min_words": 99}, 11),
        ({"min_words": 3, "words": 4}, 4),
    ],
)
def test_a_minimum_is_reached_and_else_changes_nothing(bounds: dict[str, int], words: int) -> None:
    usual = Decoding(budget=Budget(sentences=2))
    pipeline = Pipeline(ANALYSER, FixedScorer((0.4, 0.3, 0.1, 0.2), usual))
    summary = pipeline.summarise_analysis(LINES, within(None, **bounds))
    assert summary.words == words
    missed = {warning.code for warning in summary.warnings}
    assert missed == ({"under-minimum"} if bounds == {"min_words": 99} else set())


def test_a_minimum_in_other_units_than_usual() -> None:
    pipeline = Pipeline(ANALYSER, FixedScorer((0.4, 0.3, 0.1, 0.2)))
    summary = pipeline.summarise_analysis(LINES, within(UnitKind.SENTENCE, min_chars=20))
    assert len(summary.sentences) == 3


def test_names_take_the_place_of_pronouns_on_demand() -> None:
    source = analysis("[Al Ray came.] | [It rained.] | [He sang a song.]", None, ("Al Ray", "He"))
    pipeline = Pipeline(ANALYSER, FixedScorer((0.3, 0.4, 0.9)))
    resolved = replace(within(words=5), references=ReferencePolicy.RESOLVE)
    summary = pipeline.summarise_analysis(source, resolved)
    assert summary.text == "Al Ray sang a song."
    assert [change.by for change in summary.replacements] == ["Al Ray"]
    summary = pipeline.summarise_analysis(source, within(words=7))
    assert summary.text == "Al Ray came. He sang a song."


def test_units_that_the_model_was_not_tuned_for_get_three_sentences() -> None:
    scorer = FixedScorer((0.4, 0.3, 0.1, 0.2), Decoding(budget=Budget(edus=1)))
    pipeline = Pipeline(ANALYSER, scorer)
    assert pipeline.summarise_analysis(LINES, PAPER_REQUEST).text == "It rained."
    whole = pipeline.summarise_analysis(LINES, within(UnitKind.SENTENCE))
    assert whole.sentences == ("It rained.", "It poured again.", "Bo sang.")


def test_an_upper_bound_takes_the_place_of_the_tuned_length_and_search() -> None:
    tuned = Decoding(search=Greedy(max_steps=1), budget=Budget(edus=1))
    pipeline = Pipeline(ANALYSER, FixedScorer((0.4, 0.3, 0.1, 0.2), tuned))
    assert pipeline.summarise_analysis(LINES, within(words=7)).words == 7


def test_warnings_come_in_one_order() -> None:
    source = analysis("[“It rains all day,”] [he said.]")
    pipeline = Pipeline(ANALYSER, FixedScorer((0.5, 0.4)))
    request = SummaryRequest(budget=Budget(words=1), focus="moon", exclude_quotes=True)
    codes = [warning.code for warning in pipeline.summarise_analysis(source, request).warnings]
    assert codes == ["over-budget", "focus-not-found", "only-quotes"]


def test_sentences_are_scored_by_their_own_network_where_there_is_one() -> None:
    source = analysis("[He left] [because it rained.] | [She stayed.]")
    odds = (-900.0, 2.0)
    salience = Salience(
        Scores((0.9, 0.8, 0.1)), sentences=SentenceSalience(odds, odds, odds, (0.0, 0.0))
    )
    request = SummaryRequest.of(style="paper", unit="sentence", words=3)
    problem = selection_problem(source, salience, request)
    assert problem.salience.values == pytest.approx((0.0, 0.8808), abs=1e-4)
    assert select(problem).selection.edus == (1,)
