"""Means, comparison and agreement of ratings, by arithmetic, and how they are written."""

import json

import pytest
from tests.evaluate.rating_builders import ratings

from discobert.data.json_text import dumps
from discobert.data.rating import Question
from discobert.errors import InputError
from discobert.evaluate.ratings.formats import rating_tables, ratings_to_json
from discobert.evaluate.ratings.score import score_ratings
from discobert.render.tables import markdown_tables

ANN = ratings(
    {"old": [(3, 3, 3), (2, 2, 2), (4, 4, 4)], "new": [(5, 3, 2), (4, 2, 2), (4, 4, 3)]},
    name="Ann",
)
BO = ratings({"old": [(1, 3, 3), None, None], "new": [(5, 5, 5), None, (4, 4, 4)]}, rater="r2")


def test_systems_are_told_apart_wherever_they_stood() -> None:
    report = score_ratings([ANN])
    old, new = (report.grades[system][Question.OVERALL] for system in ("old", "new"))
    assert old.interval.mean == 3.0
    assert new.interval.mean == pytest.approx(13 / 3)
    assert (old.n_documents, old.n_ratings) == (3, 3)
    assert old.deviation == 1.0
    assert old.interval.low <= 3.0 <= old.interval.high


def test_documents_weigh_the_same_however_many_raters_they_had() -> None:
    report = score_ratings([ANN, BO])
    old = report.grades["old"][Question.OVERALL]
    assert old.interval.mean == pytest.approx(((3 + 1) / 2 + 2 + 4) / 3)
    assert (old.n_documents, old.n_ratings) == (3, 4)


def test_the_second_system_is_compared_with_the_first() -> None:
    found = score_ratings([ANN]).versus[Question.OVERALL]
    assert found.difference.mean == pytest.approx(4 / 3)
    assert (found.better, found.same, found.worse) == (2, 1, 0)
    assert found.p_value == 0.5  # two of two that differ point one way: 2 of 4 turns are as far
    assert found.n_documents == 3


def test_only_pairs_of_one_rater_are_compared() -> None:
    found = score_ratings([BO]).versus[Question.OVERALL]
    assert (found.n_documents, found.difference.mean, found.p_value) == (1, 4.0, 1.0)


def test_agreement_needs_two_raters() -> None:
    assert score_ratings([ANN]).agreement == {}
    found = score_ratings([ANN, BO]).agreement[Question.OVERALL]
    assert found.n_pairs == 3
    assert found.same == pytest.approx(2 / 3)


def test_raters_and_documents_are_counted() -> None:
    report = score_ratings([ANN, BO])
    assert [(rater.name, rater.n_finished) for rater in report.raters] == [("Ann", 3), ("r2", 1)]
    assert [rater.name for rater in report.unfinished] == ["r2"]
    assert (report.documents, report.documents_rated) == (3, 3)
    assert score_ratings([BO]).documents_rated == 2


def test_no_answer_at_all_is_an_error() -> None:
    nothing = ratings({"old": [None] * 3, "new": [None] * 3})
    with pytest.raises(InputError, match="no question has been answered"):
        score_ratings([nothing])


def test_one_sided_answers_give_grades_and_no_comparison() -> None:
    report = score_ratings([ratings({"old": [(1, 2, 3), None, None], "new": [None] * 3})])
    assert report.versus == {}
    assert report.grades["new"] == {}
    grade = report.grades["old"][Question.OVERALL]
    assert (grade.interval.low, grade.interval.high, grade.deviation) == (1.0, 1.0, 0.0)
    assert "| new | – | – | – | 0 |" in markdown_tables(rating_tables(report))


def test_json_has_the_promised_members() -> None:
    found = json.loads(dumps(ratings_to_json(score_ratings([ANN, BO]))))
    assert (found["format"], found["documents"], found["documents_rated"]) == (1, 3, 3)
    assert found["raters"][0] == {"name": "Ann", "documents_finished": 3, "ratings": 18}
    overall = found["systems"]["new"]["overall"]
    assert overall["mean"] == pytest.approx(4.3333)
    assert set(overall) == {"mean", "sd", "ci95", "documents", "ratings"}
    versus = found["versus"]
    assert (versus["system"], versus["against"]) == ("new", "old")
    assert set(versus["overall"]) == {"difference", "ci95", "p", "better", "same", "worse"}
    assert set(found["agreement"]["overall"]) == {"alpha", "same", "within_one", "pairs"}


def test_tables_have_titles_that_say_how_much_was_rated() -> None:
    text = markdown_tables(rating_tables(score_ratings([ANN, BO])))
    assert "**Ratings from 1 to 5 by 2 raters on 3 of 3 documents: mean ± deviation, 95 %" in text
    assert "**new against old, paired by document**" in text
    assert "**Agreement of raters**" in text
    assert "| Ann | 3 | 18 |" in text
    alone = markdown_tables(rating_tables(score_ratings([ANN])))
    assert "by 1 rater on" in alone
    assert "Agreement" not in alone


def test_without_any_difference_alpha_is_a_dash() -> None:
    same = {"old": [(3, 3, 3)] * 3, "new": [(3, 3, 3)] * 3}
    report = score_ratings([ratings(same), ratings(same, rater="r2")])
    assert "| overall | – | 100 % | 100 % | 6 |" in markdown_tables(rating_tables(report))
    value = json.loads(dumps(ratings_to_json(report)))
    assert value["agreement"]["overall"]["alpha"] is None


def test_scores_do_not_depend_on_chance() -> None:
    assert score_ratings([ANN, BO]) == score_ratings([ANN, BO])
