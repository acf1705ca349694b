"""Means, intervals, sources and comparisons, as values and as text."""

import json

import pytest

from discobert.data.codecs.json_text import dumps
from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.evaluate.formats import tables, to_json, to_lines
from discobert.evaluate.grammar import GrammarErrors
from discobert.evaluate.readability import KINDS, LINE_FAULTS
from discobert.evaluate.report import EvaluationReport, report_on
from discobert.evaluate.runner import ArticleResult, SystemResult
from discobert.render.tables import markdown_tables


def result(score: float, *, n_edus: int = 0, n_violations: int = 0) -> SystemResult:
    return SystemResult(
        lines=("One.", "Two."),
        rouge=(score, score / 2, score / 4),
        words=2,
        n_edus=n_edus,
        n_dependencies=n_edus // 2,
        n_violations=n_violations,
        seconds=0.5,
        model=ModelId("tiny", "1") if n_edus else None,
        faults={"strict": GrammarErrors(1, 2, 0, 1000)} if n_edus else {},
        reading=dict.fromkeys(KINDS if n_edus else LINE_FAULTS, 1),
    )


def results() -> list[ArticleResult]:
    return [
        ArticleResult(
            id=str(n),
            source="cnn" if n < 10 else "dailymail",
            systems={
                "lead3": result(40.0 + n % 3),
                "ours": result(42.0 + n % 3, n_edus=10, n_violations=n % 2),
            },
        )
        for n in range(40)
    ]


@pytest.fixture(scope="module")
def report() -> EvaluationReport:
    return report_on(results())


def test_json_has_the_promised_members(report: EvaluationReport) -> None:
    found = json.loads(dumps(to_json(report)))
    assert (found["format"], found["documents"]) == (1, 40)
    ours = found["systems"]["ours"]
    assert ours["rouge1"] == pytest.approx(42.975)
    assert ours["rouge2"] == pytest.approx(42.975 / 2, abs=1e-4)
    assert ours["ci95"]["rougeL"][0] < ours["rougeL"] < ours["ci95"]["rougeL"][1]
    assert ours["by_source"]["cnn"]["documents"] == 10
    assert (ours["words"], ours["tokens"], ours["lines"]) == (2.0, 2.0, 2.0)
    assert ours["violations"] == 20
    assert ours["dependencies_per_edu"] == 0.5
    assert ours["seconds_per_document"] == 0.5
    assert ours["model"] == {"name": "tiny", "version": "1"}
    assert found["systems"]["lead3"]["dependencies_per_edu"] == 0.0
    assert found["systems"]["lead3"]["model"] is None
    assert ours["errors_per_10k_characters"]["strict"]["punctuation"] == 20.0
    assert found["systems"]["lead3"]["errors_per_10k_characters"] is None
    assert ours["faults_per_summary"]["missing-verbs"] == 1.0
    assert ours["faults_per_summary"]["dangling"] == 4.0
    assert "dangling" not in found["systems"]["lead3"]["faults_per_summary"]


def test_others_are_compared_with_the_lead(report: EvaluationReport) -> None:
    assert report.systems["lead3"].versus == {}
    first, *_ = report.systems["ours"].versus["lead3"]
    assert first.difference.mean == pytest.approx(2.0)
    assert first.p_value < 0.01


def test_a_report_does_not_depend_on_chance() -> None:
    assert report_on(results()) == report_on(results())


def test_markdown_holds_every_table(report: EvaluationReport) -> None:
    text = markdown_tables(tables(report))
    assert text.count("**") == 12
    assert "| missing verbs | – | 100.0 |" in text
    assert "| ours | 42.98 [" in text
    assert "| ours | lead3 | +2.00 [" in text
    assert "| lead3 | dailymail | 30 | 41.00 |" in text


def test_a_lone_system_has_no_comparison() -> None:
    alone = [ArticleResult(r.id, "", {"lead3": r.systems["lead3"]}) for r in results()]
    assert len(tables(report_on(alone))) == 3
    assert "(none)" in markdown_tables(tables(report_on(alone)))


def test_articles_are_lines_of_json() -> None:
    first, *_ = to_lines(results()).splitlines()
    row = json.loads(first)
    assert row["id"] == "0"
    assert row["systems"]["ours"]["summary"] == ["One.", "Two."]
    assert row["systems"]["ours"]["rouge1"] == 42.0


def test_no_article_is_an_error() -> None:
    with pytest.raises(InputError, match="no article to evaluate"):
        report_on([])
