"""What each system chooses."""

import pytest
from tests.builders import analysis, doc, tree

from discobert.evaluate.systems import (
    edu_oracle,
    extract_of,
    free_edu_oracle,
    lead,
    lead_words,
    most_central,
    sentence_oracle,
    trimmed_tree,
)
from discobert.metrics.oracle import PAPER
from discobert.selection.budget import Budget
from discobert.selection.build import Decoding
from discobert.store.corpora.articles import Article

SENTENCES = ["Rain today.", "A ferry ran aground.", "The ferry sank.", "Crews ran aground again."]
PRIZES = "[The prizes,] [~awarded by a jury,] [~honour great work.] | [It rained all day.]"
PRIZE_TREE = tree("NS", tree("NN", tree("NS", 0, 1), 2, "same-unit"), 3)


def article(*reference: str) -> Article:
    return Article("a", "", "text", reference)


@pytest.mark.parametrize(("n_sentences", "chosen"), [(4, [0, 1, 2]), (2, [0, 1]), (0, [])])
def test_lead_takes_the_first_three(n_sentences: int, chosen: list[int]) -> None:
    assert list(lead(article("x"), SENTENCES[:n_sentences])) == chosen


def test_lexrank_takes_three_in_reading_order() -> None:
    chosen = list(most_central(article("x"), SENTENCES))
    assert chosen == sorted(chosen)
    assert len(chosen) == 3
    assert 1 in chosen


def test_the_sentence_oracle_reads_the_reference() -> None:
    assert sentence_oracle(PAPER, article("the ferry sank"), SENTENCES) == (2,)


def test_the_edu_oracle_shows_whole_closures() -> None:
    extract = edu_oracle(PAPER, article("honour great work"), analysis(PRIZES, PRIZE_TREE))
    assert extract.edus == (0, 2)
    assert extract.lines == ("The prizes honour great work.",)


def test_the_free_oracle_shows_what_scores_best() -> None:
    extract = free_edu_oracle(PAPER, article("honour great work"), analysis(PRIZES, PRIZE_TREE))
    assert extract.edus == (2,)


def test_an_oracle_with_nothing_in_common_is_empty() -> None:
    extract = edu_oracle(PAPER, article("nothing alike"), analysis(PRIZES, PRIZE_TREE))
    assert (extract.lines, extract.edus) == ((), ())


def test_trimming_keeps_the_nuclei_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    trim = Decoding(budget=Budget(words=6))
    monkeypatch.setattr("discobert.scorer.baselines.SIXTY_WORDS", trim)
    assert trimmed_tree(article("x"), analysis(PRIZES, PRIZE_TREE)).edus == (0, 2)


def test_trimming_shows_one_closure_whatever_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    trim = Decoding(budget=Budget(words=1))
    monkeypatch.setattr("discobert.scorer.baselines.SIXTY_WORDS", trim)
    assert trimmed_tree(article("x"), analysis(PRIZES, PRIZE_TREE)).edus == (0, 2)


def test_lines_are_one_per_source_sentence() -> None:
    document = doc("[A ferry sank,] [crews said.] | [It rained.]")
    assert len(extract_of(document, (0, 1, 2)).lines) == 2


@pytest.mark.parametrize(("words", "count"), [(1, 1), (5, 2), (6, 2), (99, 3)])
def test_the_first_sentences_up_to_a_number_of_words(words: int, count: int) -> None:
    sentences = ("It rained.", "They all left.", "Bo sang a song.")
    assert lead_words(words, article(), sentences) == range(count)
