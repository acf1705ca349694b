from tests.builders import doc

from discobert.data.graph import Edge
from discobert.data.summary import ModelId, Scores
from discobert.logic.assemble import summarise
from discobert.logic.budget import Budget
from discobert.logic.select import SelectionOptions

MODEL = ModelId("test", "1")
DOCUMENT = doc("[Clare Hines,] [who lives in Brisbane,] [was ill.] | [She is well.]")
NEEDS = (Edge(0, 2), Edge(1, 0), Edge(2, 0))


def test_a_summary_explains_itself() -> None:
    scores = Scores((0.2, 0.1, 0.9, 0.3))
    options = SelectionOptions(budget=Budget(words=4))
    summary = summarise(DOCUMENT, scores, NEEDS, model=MODEL, options=options)
    assert summary.text == "Clare Hines was ill."
    assert [unit.reason for unit in summary.units] == ["needed by 2", None, "score", None]
    assert summary.units[0].depends_on == (2,)
    assert summary.warnings == ()


def test_warnings_reach_the_summary() -> None:
    options = SelectionOptions(budget=Budget(words=1))
    summary = summarise(DOCUMENT, Scores((0.0,) * 4), NEEDS, model=MODEL, options=options)
    assert [warning.code for warning in summary.warnings] == ["over-budget"]


def test_without_a_budget_everything_is_shown() -> None:
    summary = summarise(DOCUMENT, Scores((0.0,) * 4), NEEDS, model=MODEL)
    assert summary.text == DOCUMENT.text
