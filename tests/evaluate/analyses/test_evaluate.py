"""Analyses against gold, by arithmetic."""

import os
from itertools import islice
from pathlib import Path

import pytest
from tests.evaluate.gold import MISLED, RIGHT, UNCUT, Oracle, gold

from discobert.analyser.rules import RuleAnalyser
from discobert.data.document import SentenceLayout, SourceText
from discobert.evaluate.analyses.evaluate import score_document
from discobert.evaluate.analyses.report import figures
from discobert.language.sentences import NewsSplitter
from discobert.metrics.counts import Tally
from discobert.store.treebanks.gum import gold_analysis, read_gum

PERFECT = Oracle({"a": RIGHT}, {"a": RIGHT})
RULES = RuleAnalyser(NewsSplitter())
FAULTY = Oracle({"a": UNCUT}, {"a": MISLED})


def counts(analyser: Oracle, name: str) -> tuple[float, float, float]:
    """Return what is right, and how much there is in gold and in the prediction."""
    tally = score_document(analyser, gold("a")).tallies[name]
    return tally.found, tally.gold, tally.predicted


def test_gold_itself_is_perfect() -> None:
    found = figures(score_document(PERFECT, gold("a")).tallies)
    assert {name for name, value in found.items() if value != 100} == {
        "dependencies.per_edu",
        "dependencies.gold_per_edu",
    }
    assert found["dependencies.per_edu"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("edus", (2, 3, 2)),
        ("inner", (0, 1, 0)),
        ("sentences", (2, 2, 2)),
        ("end_to_end.span", (1, 2, 1)),
        ("end_to_end.nuclearity", (1, 2, 1)),
        ("end_to_end.relation", (1, 2, 1)),
        ("end_to_end.full", (1, 2, 1)),
        ("gold_edus.span", (1, 2, 2)),
        ("gold_edus.nuclearity", (0, 2, 2)),
        ("gold_edus.relation", (1, 2, 2)),
        ("gold_edus.full", (0, 2, 2)),
        ("heads", (0, 2, 2)),
        ("muc", (1, 1, 2)),
        ("ceafe", (0.8, 1, 1)),
        ("mentions", (2, 2, 3)),
        ("edu_edges", (1, 1, 3)),
        ("subjects", (2, 3, 2)),
    ],
)
def test_faults_are_counted_where_they_are(name: str, expected: tuple[float, float, float]) -> None:
    assert counts(FAULTY, name) == expected


def test_b_cubed_weighs_the_two_sides_apart() -> None:
    assert score_document(FAULTY, gold("a")).tallies["b3"] == Tally(2, 2, 4 / 3, 3)


def test_dependencies_are_counted_in_the_analysis_of_raw_text() -> None:
    tallies = score_document(FAULTY, gold("a")).tallies
    assert tallies["dependencies"] == Tally(0, 2)
    assert tallies["gold_dependencies"] == Tally(1, 3)


def test_gold_sentences_and_edus_are_given_once() -> None:
    analyser = Oracle({"a": RIGHT}, {"a": RIGHT})
    score = score_document(analyser, gold("a", non_commercial=True))
    document = RIGHT.document
    layout = SentenceLayout(document.sentences, document.paragraphs)
    assert analyser.given == [
        (SourceText("a", document.text), layout, tuple(edu.span for edu in document.edus))
    ]
    assert (score.id, score.genre, score.in_licence, score.words) == ("a", "news", False, 7)
    assert score.cpu_seconds >= 0


def test_rules_parse_the_edus_they_are_given() -> None:
    document = gold("a")
    layout = SentenceLayout(document.sentences, document.paragraphs)
    encoded = RULES.encode(SourceText("a", document.text), layout)
    found = RULES.analyse_encoded(encoded, document.edus)
    assert found.document.edus == RIGHT.document.edus
    assert score_document(RULES, document).tallies["gold_edus.span"].found == 2


def test_rules_find_sentences_where_none_are_given() -> None:
    found = RULES.analyse_encoded(RULES.encode(SourceText("a", "It rains. We go.")))
    assert [edu.sentence for edu in found.document.edus] == [0, 1]


@pytest.mark.slow
@pytest.mark.skipif("DISCOBERT_SHARED_DATA" not in os.environ, reason="needs the shared corpora")
def test_gold_documents_of_gum_are_perfect() -> None:
    path = Path(os.environ["DISCOBERT_SHARED_DATA"]) / "gum" / "gum_v11.jsonl.xz"
    for document in islice(read_gum(path), 3):
        answer = {document.id: gold_analysis(document)}
        found = figures(score_document(Oracle(answer, answer), document).tallies)
        assert [v for name, v in found.items() if "per_edu" not in name] == [100.0] * 21
