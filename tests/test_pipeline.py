"""The method from text to summary."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import analysis, tree
from tests.strategies import analyses

from discobert.analyser.rules import NoCoref, PositionScorer, RightBranchingParser, RuleSegmenter
from discobert.data.summary import Analysis, ModelId, Scores
from discobert.discourse.dependencies import violations
from discobert.discourse.units import UnitKind
from discobert.language.sentences import NewsSplitter
from discobert.pipeline import FixedLength, Pipeline, StagedAnalyser
from discobert.selection.budget import Budget
from discobert.selection.select import RESOLVED, SelectionOptions

MODEL = ModelId("m", "1")
ANALYSER = StagedAnalyser(RuleSegmenter(NewsSplitter()), RightBranchingParser(), NoCoref())
PIPELINE = Pipeline(ANALYSER, FixedLength(PositionScorer(MODEL)))


@dataclass(frozen=True)
class Fixed:
    """A scorer that knows the answer."""

    values: tuple[float, ...]
    model: ModelId = MODEL

    def score(self, analyses: Sequence[Analysis]) -> list[Scores]:
        return [Scores(self.values) for _ in analyses]


def within(**bounds: int) -> SelectionOptions:
    return SelectionOptions(budget=Budget(**bounds))


def test_chosen_clause_brings_what_it_needs() -> None:
    source = analysis(
        "[He left] [because it rained.] | [She stayed.]", tree("NS", tree("NS", 0, 1), 2)
    )
    pipeline = Pipeline(ANALYSER, FixedLength(Fixed((0.1, 0.9, 0.5))))
    (summary,) = pipeline.summarise([source], within(edus=2), UnitKind.EDU)
    assert summary.text == "He left because it rained."
    assert [unit.reason for unit in summary.units] == ["needed by 1", "score", None]
    assert [unit.depends_on for unit in summary.units] == [(), (0,), ()]
    assert summary.model == MODEL


def test_sentences_can_be_the_units() -> None:
    source = analysis(
        "[He left] [because it rained.] | [She stayed.]", tree("NS", tree("NS", 0, 1), 2)
    )
    pipeline = Pipeline(ANALYSER, FixedLength(Fixed((0.1, 0.4, 0.5))))
    (summary,) = pipeline.summarise([source], within(words=3), UnitKind.SENTENCE)
    assert [unit.text for unit in summary.units] == ["He left because it rained.", "She stayed."]
    assert summary.sentences == ("She stayed.",)


def test_unit_over_the_budget_is_given_with_a_warning() -> None:
    (summary,) = PIPELINE.summarise([analysis("[One two three.]")], within(words=1), UnitKind.EDU)
    assert summary.text == "One two three."
    assert [warning.code for warning in summary.warnings] == ["over-budget"]


def test_batch_equals_one_by_one() -> None:
    texts = [("a", "It rained. They left."), ("b", "It snowed, but they stayed.")]
    together = PIPELINE.summarise(ANALYSER.analyse(texts), within(words=5), UnitKind.EDU)
    apart = [
        PIPELINE.summarise(ANALYSER.analyse([text]), within(words=5), UnitKind.EDU)[0]
        for text in texts
    ]
    assert together == apart


@settings(max_examples=40)
@given(analyses(), st.sampled_from(["words", "sentences", "edus", "chars"]), st.integers(1, 9))
@pytest.mark.parametrize("kind", list(UnitKind))
def test_summary_is_closed_within_budget_and_never_empty(
    kind: UnitKind, source: Analysis, bound: str, limit: int
) -> None:
    (summary,) = PIPELINE.summarise([source], within(**{bound: limit}), kind)
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
    usual = SelectionOptions(budget=Budget(sentences=2))
    pipeline = Pipeline(ANALYSER, FixedLength(Fixed((0.4, 0.3, 0.1, 0.2)), usual))
    (summary,) = pipeline.summarise([LINES], within(**bounds) if bounds else None)
    assert summary.words == words
    missed = {warning.code for warning in summary.warnings}
    assert missed == ({"under-minimum"} if bounds == {"min_words": 99} else set())


def test_a_minimum_in_other_units_than_usual() -> None:
    pipeline = Pipeline(ANALYSER, FixedLength(Fixed((0.4, 0.3, 0.1, 0.2))))
    (summary,) = pipeline.summarise([LINES], within(min_chars=20), UnitKind.SENTENCE)
    assert len(summary.sentences) == 3


def test_names_take_the_place_of_pronouns_on_demand() -> None:
    source = analysis("[Al Ray came.] | [It rained.] | [He sang a song.]", None, ("Al Ray", "He"))
    pipeline = Pipeline(ANALYSER, FixedLength(Fixed((0.3, 0.4, 0.9))))
    (summary,) = pipeline.summarise([source], within(words=5), style=RESOLVED)
    assert summary.text == "Al Ray sang a song."
    assert [change.by for change in summary.replacements] == ["Al Ray"]
    (summary,) = pipeline.summarise([source], within(words=7))
    assert summary.text == "Al Ray came. He sang a song."
