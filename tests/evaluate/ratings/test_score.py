"""Means, comparisons, preferences, faults and agreement by arithmetic, and how they are written."""

import json

import pytest
from tests.evaluate.rating_builders import PANEL, THREE, ratings

from discobert.data.codecs.json_text import dumps
from discobert.data.rating import Fault, FaultKind, Question
from discobert.errors import InputError
from discobert.evaluate.ratings.formats import rating_tables, ratings_to_json
from discobert.evaluate.ratings.score import MisleadingLine, score_ratings
from discobert.render.tables import markdown_tables

ANN = ratings(
    {"old": [(3, 3, 3), (2, 2, 2), (4, 4, 4)], "new": [(5, 3, 2), (4, 2, 2), (4, 4, 3)]},
    name="Ann",
)
BO = ratings({"old": [(1, 3, 3), None, None], "new": [(5, 5, 5), None, (4, 4, 4)]}, rater="r2")

BROKEN, REPEAT = Fault(FaultKind.BROKEN, "x"), Fault(FaultKind.REPEAT)
CAT = ratings(
    {
        "lead": [(3, 3, 3, 3, 0), (4, 4, 4, 4, 0)],
        "old": [(2, 2, 2, 2, 1), (2, 2, 2, 2, 1)],
        "new": [(5, 5, 5, 5, 0), (5, 5, 5, 5, 1)],
    },
    panel=THREE,
    rater="cat",
    ranks={"lead": [2, 1], "old": [3, 1], "new": [1, 3]},
    faults={("old", 0): (BROKEN, BROKEN), ("old", 1): (REPEAT,)},
    reasons={("old", 0): "“hearsay” | as\nfact", ("lead", 0): "not ticked"},
)
DAN = ratings(
    {
        "lead": [(3, 3, 3, 3, 0), None],
        "old": [(3, 3, 3, 3, 0), None],
        "new": [(4, 4, 4, 4, 0), None],
    },
    panel=THREE,
    rater="dan",
)


def test_systems_are_told_apart_wherever_they_stand() -> None:
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
    (pair,) = score_ratings([ANN]).pairs
    assert (pair.system, pair.against) == ("new", "old")
    found = pair.differences[Question.OVERALL]
    assert found.interval.mean == pytest.approx(4 / 3)
    assert (found.better, found.same, found.worse) == (2, 1, 0)
    assert found.p_value == 0.5  # two of two that differ point one way: 2 of 4 turns are as far


def test_only_pairs_of_one_rater_are_compared() -> None:
    (pair,) = score_ratings([BO]).pairs
    found = pair.differences[Question.OVERALL]
    assert (found.better, found.same, found.worse) == (1, 0, 0)
    assert (found.interval.mean, found.p_value) == (4.0, 1.0)


def test_every_two_of_three_systems_are_compared() -> None:
    pairs = score_ratings([CAT]).pairs
    assert [(pair.system, pair.against) for pair in pairs] == [
        ("old", "lead"),
        ("new", "lead"),
        ("new", "old"),
    ]
    assert pairs[1].differences[Question.INFORMATIVENESS].interval.mean == pytest.approx(1.5)
    assert pairs[0].differences[Question.MISLEADING].interval.mean == 1.0


def test_preferences_follow_ranks_and_ties_count_as_half() -> None:
    old_lead, new_lead, new_old = (pair.preference for pair in score_ratings([CAT]).pairs)
    assert old_lead is not None
    assert new_lead is not None
    assert new_old is not None
    assert (old_lead.better, old_lead.same, old_lead.worse) == (0, 1, 1)
    assert old_lead.share.mean == 0.25
    assert (new_lead.better, new_lead.same, new_lead.worse) == (1, 0, 1)
    assert (new_old.better, new_old.same, new_old.worse) == (1, 0, 1)


def test_without_ranks_preferences_follow_the_overall_rating() -> None:
    old_lead, new_lead, _ = (pair.preference for pair in score_ratings([DAN]).pairs)
    assert old_lead is not None
    assert new_lead is not None
    assert (old_lead.better, old_lead.same, old_lead.worse) == (0, 1, 0)
    assert (new_lead.better, new_lead.same, new_lead.worse) == (1, 0, 0)


def test_every_rater_counts_in_preferences_and_documents_are_resampled() -> None:
    new_lead = score_ratings([CAT, DAN]).pairs[1].preference
    assert new_lead is not None
    assert (new_lead.better, new_lead.worse) == (2, 1)
    assert new_lead.share.mean == pytest.approx(2 / 3)
    # The first document alone gives 1, the second alone 0.
    assert (new_lead.share.low, new_lead.share.high) == (0.0, 1.0)


def test_misleading_is_a_share_of_summaries() -> None:
    grades = score_ratings([CAT, DAN]).grades
    shares = [grades[name][Question.MISLEADING].interval.mean for name in THREE.systems]
    assert shares == [0.0, 0.75, 0.5]


def test_only_lines_called_misleading_are_listed() -> None:
    found = score_ratings([CAT, DAN]).misleading
    assert found == (MisleadingLine("old", "a", "“hearsay” | as\nfact"),)


def test_faults_are_counted_in_100_rated_summaries() -> None:
    faults = score_ratings([CAT, DAN]).faults
    assert faults["old"] == {
        FaultKind.BROKEN: pytest.approx(200 / 3),
        FaultKind.REPEAT: pytest.approx(100 / 3),
    }
    assert faults["lead"] == {}


def test_agreement_needs_two_raters() -> None:
    assert score_ratings([ANN]).agreement == {}
    found = score_ratings([ANN, BO]).agreement[Question.OVERALL]
    assert found.n_pairs == 3
    assert found.same == pytest.approx(2 / 3)
    shared = score_ratings([CAT, DAN]).agreement
    assert (shared[Question.OVERALL].n_pairs, shared[Question.OVERALL].within_one) == (3, 1.0)
    assert shared[Question.MISLEADING].same == pytest.approx(2 / 3)


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
    assert report.pairs[0].differences == {}
    assert report.pairs[0].preference is None
    assert report.grades["new"] == {}
    grade = report.grades["old"][Question.OVERALL]
    assert (grade.interval.low, grade.interval.high, grade.deviation) == (1.0, 1.0, 0.0)
    assert "| new | – | – | – | 0 |" in markdown_tables(rating_tables(report))


def test_json_has_the_promised_members() -> None:
    found = json.loads(dumps(ratings_to_json(score_ratings([ANN, BO]))))
    assert (found["format"], found["documents"], found["documents_rated"]) == (1, 3, 3)
    assert found["sheet"] == PANEL.panel
    assert found["raters"][0] == {"name": "Ann", "documents_finished": 3, "ratings": 18}
    overall = found["systems"]["new"]["overall"]
    assert overall["mean"] == pytest.approx(4.3333)
    assert set(overall) == {"mean", "sd", "ci95", "documents", "ratings"}
    versus = found["versus"]
    assert (versus["system"], versus["against"]) == ("new", "old")
    assert set(versus["overall"]) == {"difference", "ci95", "p", "better", "same", "worse"}
    assert set(found["agreement"]["overall"]) == {"alpha", "same", "within_one", "pairs"}


def test_json_of_three_systems_has_every_comparison() -> None:
    found = json.loads(dumps(ratings_to_json(score_ratings([CAT, DAN]))))
    assert "versus" not in found
    assert len(found["comparisons"]) == 3
    assert found["comparisons"][0]["preference"] == {
        "better": 0,
        "same": 2,
        "worse": 1,
        "share": 0.3333,
        "ci95": found["comparisons"][0]["preference"]["ci95"],
    }
    assert found["faults_per_100"]["old"]["broken"] == pytest.approx(66.6667)
    assert found["misleading"][0]["system"] == "old"
    assert found["systems"]["old"]["misleading"]["mean"] == 0.75


def test_tables_have_titles_that_tell_how_much_was_rated() -> None:
    text = markdown_tables(rating_tables(score_ratings([ANN, BO])))
    assert "**Ratings from 1 to 5 by 2 raters on 3 of 3 documents: mean ± deviation, 95 %" in text
    assert "**new against old, paired by document**" in text
    assert "**Agreement of raters**" in text
    assert "| Ann | 3 | 18 |" in text
    alone = markdown_tables(rating_tables(score_ratings([ANN])))
    assert "by 1 rater on" in alone
    assert "Agreement" not in alone


def test_tables_of_three_systems_have_preferences_faults_and_misleading_lines() -> None:
    text = markdown_tables(rating_tables(score_ratings([CAT, DAN])))
    assert "| new over lead | 2 | 0 | 1 | 67 % [0, 100] |" in text
    assert "| broken | 0 | 67 | 0 |" in text
    assert "| old | a | “hearsay” / as fact |" in text
    assert "75 % [" in text


def test_without_any_difference_alpha_is_a_dash() -> None:
    same = {"old": [(3, 3, 3)] * 3, "new": [(3, 3, 3)] * 3}
    report = score_ratings([ratings(same), ratings(same, rater="r2")])
    assert "| overall | – | 100 % | 100 % | 6 |" in markdown_tables(rating_tables(report))
    value = json.loads(dumps(ratings_to_json(report)))
    assert value["agreement"]["overall"]["alpha"] is None


def test_scores_do_not_depend_on_chance() -> None:
    assert score_ratings([ANN, BO]) == score_ratings([ANN, BO])
