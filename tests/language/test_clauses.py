"""Clause boundaries and links by rule."""

from itertools import pairwise
from time import process_time

import pytest

from discobert.data.rst import Nuclearity
from discobert.language.clauses import Link, clause_starts, has_subject, link, resumes


def cut(sentence: str) -> list[str]:
    starts = [*clause_starts(sentence), len(sentence)]
    return [sentence[a:b].strip() for a, b in pairwise(starts)]


@pytest.mark.parametrize(
    "marked",
    [
        "One.",
        "Bread, butter and jam.",
        "She came home | because the shop was closed.",
        "She has lived here since 1931, alone.",
        "The shop closed | before anyone noticed it.",
        "He paid for it | by selling his car.",
        "The bridge, | which carries many cars, | was closed.",
        "The prizes, | awarded annually by the university, | were announced.",
        "The town opens the bridge, | ending a year of detours.",
        "When they lifted the deck, | they found a crack.",
        "After a long winter, the ferry stopped.",
        '"Nobody wanted that," | said the engineer.',
        "“Why me?” | he asked them.",
        '"It is late," "and it is cold," the sign read.',
        "He said | that the work was done.",
        "It is a day | that will be remembered.",
        "She met the man | who led the choir.",
        "Nobody is who they seem.",
        "The ferry ran, | but it carried few people.",
        "The ferry ran in January | and it carried few people.",
        "The columns are made of steel | and should last for years.",
        "The rain stopped; | the band played on.",
        "There was one problem: | nobody had the key.",
        "He wants three things: bread, salt and wine.",
        "The ferry stopped – | the wind had risen.",
        "They work at night | so that traffic can pass.",
        "They work at night | even though it is cold.",
        "During the meeting, during the wedding, nothing.",
    ],
)
def test_clauses_start_where_marked(marked: str) -> None:
    assert cut(marked.replace("| ", "")) == marked.split(" | ")


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("The bridge,", True),
        ("which carries many cars,", True),
        ("was closed in May", False),
        ("and should last for years.", False),
        ("and it should last", True),
        ("by selling his car", False),
        ("to sell the car", True),
        ("said the engineer.", True),
        ("and -", False),
    ],
)
def test_clause_that_starts_with_its_verb_has_no_subject(clause: str, expected: bool) -> None:
    assert has_subject(clause) is expected


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ('"No," ', "said the man.", Link.ATTRIBUTION_AFTER),
        ("The man said", "that it was late.", Link.ATTRIBUTION_BEFORE),
        ("When it rained,", "they left.", Link.CONTEXT_BEFORE),
        ("They left", "when it rained.", Link.CONTEXT_AFTER),
        ("They work", "so that we sleep.", Link.CONTEXT_AFTER),
        ("They left,", "but it rained.", Link.ADVERSATIVE),
        ("They left,", "and it rained.", Link.JOINT),
        ("They left;", "it rained.", Link.JOINT),
        ("They left,", "taking the car.", Link.ELABORATION),
        ("They left:", "silently.", Link.ELABORATION),
    ],
)
def test_connectives_tell_how_clauses_hang_together(left: str, right: str, expected: Link) -> None:
    assert link(left, right, opens_sentence=True) is expected


def test_subordinate_clause_in_mid_sentence_hangs_on_what_came_before() -> None:
    how = link("when it rains,", "so that we sleep.", opens_sentence=False)
    assert how is Link.CONTEXT_AFTER


def test_interrupted_clause_is_recognised_by_its_commas_and_verb() -> None:
    assert resumes("The bridge,", "which is old,", "was closed.")
    assert not resumes("The bridge", "which is old,", "was closed.")
    assert not resumes("The bridge,", "which is old", "was closed.")
    assert not resumes("It rained,", "the old bridge,", "was closed.")
    assert not resumes("He saw it,", "which is odd,", "and he left.")


def test_a_link_has_a_relation_and_a_nuclearity() -> None:
    assert Link.ATTRIBUTION_BEFORE.relation == "attribution"
    assert Link.ATTRIBUTION_BEFORE.nuclearity is Nuclearity.RIGHT


def test_marks_without_a_word_take_no_time_for_each_other() -> None:
    start = process_time()
    assert clause_starts("> " * 10_000) == (0,)
    assert not has_subject("- " * 100_000)
    assert process_time() - start < 2
