"""Figures over several documents."""

import pytest
from tests.evaluate.gold import MISLED, RIGHT, UNCUT, Oracle, gold

from discobert.data.summary import ModelId
from discobert.errors import InputError
from discobert.evaluate.analyses.evaluate import score_document
from discobert.evaluate.analyses.formats import tables, to_json
from discobert.evaluate.analyses.report import AnalysisReport, report_on

ANALYSER = Oracle({"a": UNCUT, "b": RIGHT}, {"a": MISLED, "b": RIGHT})
DOCUMENTS = [gold("a", genre="fiction", non_commercial=True), gold("b")]


def report() -> AnalysisReport:
    return report_on(
        [score_document(ANALYSER, gold) for gold in DOCUMENTS], model=ModelId("m", "1")
    )


EXPECTED = {
    "segmentation.f1": 100 * 10 / 11,
    "segmentation.precision": 100,
    "segmentation.recall": 100 * 5 / 6,
    "segmentation.intra_f1": 200 / 3,
    "sentences.f1": 100,
    "parsing.gold_edus.span": 75,
    "parsing.gold_edus.nuclearity": 50,
    "parsing.gold_edus.relation": 75,
    "parsing.gold_edus.full": 50,
    "parsing.end_to_end.span": 600 / 7,
    "parsing.end_to_end.nuclearity": 600 / 7,
    "parsing.end_to_end.relation": 600 / 7,
    "parsing.end_to_end.full": 600 / 7,
    "dependencies.intra_uas": 50,
    "dependencies.per_edu": 1 / 5,
    "dependencies.gold_per_edu": 1 / 3,
    "coref.conll_f1": 100 * (0.8 + 0.8 + 0.9) / 3,
    "coref.muc": 80,
    "coref.b3": 80,
    "coref.ceafe": 90,
    "coref.mention_f1": 800 / 9,
    "coref.edu_edge_f1": 200 / 3,
    "subjects.f1": 100 * 10 / 11,
}


def test_figures_are_micro_averages() -> None:
    found = {name: interval.mean for name, interval in report().figures.items()}
    assert found == pytest.approx(EXPECTED)


def test_intervals_hold_the_figure_and_reach_both_documents() -> None:
    found = report().figures["parsing.gold_edus.full"]
    assert (found.low, found.mean, found.high) == (0, 50, 100)
    perfect = report().figures["sentences.f1"]
    assert (perfect.low, perfect.high) == (100, 100)


def test_intervals_are_the_same_each_time() -> None:
    assert report().figures == report().figures


def test_licence_and_genre_are_told_apart() -> None:
    found = report()
    assert found.documents == 2
    assert found.in_licence.documents == 1
    assert found.in_licence.figures["segmentation.f1"] == 100
    assert found.by_genre["fiction"].figures["segmentation.f1"] == pytest.approx(80)
    assert list(found.by_genre) == ["fiction", "news"]


def test_nothing_to_evaluate_is_an_error() -> None:
    with pytest.raises(InputError, match="no document"):
        report_on([])


def test_json_has_the_agreed_members() -> None:
    found = to_json(report())
    assert found["segmentation"] == {
        "f1": 90.9091,
        "precision": 100,
        "recall": 83.3333,
        "intra_f1": 66.6667,
    }
    assert found["sentences"] == {"f1": 100}
    labels = ["span", "nuclearity", "relation", "full"]
    parsing = found["parsing"]
    assert isinstance(parsing, dict)
    assert {part: list(v) for part, v in parsing.items() if isinstance(v, dict)} == {
        "gold_edus": labels,
        "end_to_end": labels,
    }
    assert found["dependencies"] == {"intra_uas": 50, "per_edu": 0.2, "gold_per_edu": 0.3333}
    assert found["coref"] == {
        "conll_f1": 83.3333,
        "muc": 80,
        "b3": 80,
        "ceafe": 90,
        "mention_f1": 88.8889,
        "edu_edge_f1": 66.6667,
    }
    assert found["subjects"] == {"f1": 90.9091}
    assert found["documents"] == 2
    assert found["model"] == {"name": "m", "version": "1"}


def test_json_holds_intervals_and_parts() -> None:
    found = to_json(report())
    ci95, inside, genres = found["ci95"], found["in_licence"], found["by_genre"]
    assert isinstance(ci95, dict)
    assert isinstance(inside, dict)
    assert isinstance(genres, dict)
    assert ci95["sentences"] == {"f1": [100, 100]}
    assert inside["documents"] == 1
    assert inside["subjects"] == {"f1": 100}
    assert set(genres) == {"fiction", "news"}


def test_tables_show_every_figure() -> None:
    shown = tables(report())
    (heading, rows), (_, genres) = shown.values()
    assert heading == ("figure", "all 2", "95 % interval", "in licence: 1")
    assert len(rows) == len(EXPECTED) + 1
    assert rows[0] == ("EDU boundaries F1", "90.9", "[80.0, 100.0]", "100.0")
    assert rows[14] == ("  dependencies an EDU", "0.20", "[0.00, 0.33]", "0.33")
    assert [row[:3] for row in genres] == [("fiction", "1", "80.0"), ("news", "1", "100.0")]


def test_tables_do_without_documents_in_licence() -> None:
    scores = [score_document(ANALYSER, DOCUMENTS[0])]
    (_, rows), _ = tables(report_on(scores)).values()
    assert rows[0][3] == "–"
    assert to_json(report_on(scores))["model"] is None
