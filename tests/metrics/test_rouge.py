"""Our ROUGE and rouge-score give the same figures."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer

from discobert.language.tokens import tokenise
from discobert.metrics.rouge import Rouge, reference_of, rouge
from discobert.store.corpora.json_lines import ArticleSample

SCORER = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=True)
TOKENIZER = DefaultTokenizer(use_stemmer=True)
# Few words make many ties between equally long subsequences.
WORDS = ["a", "b", "c", "the", "running", "runs", "cities", "city's", "2014", "...", "U.S."]

lines_of = st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), max_size=5)


def expected(reference: list[str], candidate: list[str]) -> list[float]:
    scores = SCORER.score("\n".join(reference), "\n".join(candidate))
    return [
        figure
        for name in ("rouge1", "rouge2", "rougeLsum")
        for figure in (scores[name].precision, scores[name].recall, scores[name].fmeasure)
    ]


def figures(found: Rouge) -> list[float]:
    return [
        figure
        for score in (found.rouge1, found.rouge2, found.rouge_l)
        for figure in (score.precision, score.recall, score.f1)
    ]


def test_a_summary_equal_to_its_reference_scores_one() -> None:
    lines = ["Police arrested two men.", "They had fled the city."]
    assert figures(rouge(reference_of(lines), lines)) == [1.0] * 9


@pytest.mark.parametrize("lines", [[], [""], ["..."], ["", "?!"]])
def test_a_summary_without_words_scores_zero(lines: list[str]) -> None:
    full = ["Police arrested two men."]
    assert figures(rouge(reference_of(full), lines)) == [0.0] * 9
    assert figures(rouge(reference_of(lines), full)) == [0.0] * 9


def test_a_token_is_not_counted_oftener_than_the_candidate_has_it() -> None:
    found = rouge(reference_of(["the dog", "the cat"]), ["the bird"])
    assert found.rouge_l.recall == 1 / 4


def test_lines_matter_to_rouge_l_alone() -> None:
    reference = reference_of(["one two three four"])
    together = rouge(reference, ["three four one two"])
    apart = rouge(reference, ["three four", "one two"])
    assert together.rouge1 == apart.rouge1
    assert together.rouge2 == apart.rouge2
    assert (together.rouge_l.f1, apart.rouge_l.f1) == (0.5, 1.0)


@given(st.text(max_size=40))
def test_tokens_of_any_text(text: str) -> None:
    assert list(tokenise(text)) == TOKENIZER.tokenize(text)


@settings(max_examples=300)
@given(lines_of, lines_of)
def test_random_lines(reference: list[str], candidate: list[str]) -> None:
    found = figures(rouge(reference_of(reference), candidate))
    assert found == pytest.approx(expected(reference, candidate), abs=1e-6)


def test_thousands_of_random_pairs() -> None:
    rng = np.random.default_rng(7)

    def summary(vocabulary: str) -> list[str]:
        sizes = rng.integers(14, size=rng.integers(5))
        return [" ".join(rng.choice(list(vocabulary), size=size)) for size in sizes]

    for vocabulary in ("ab", "abc", "abcdefgh", "abcdefghijklmnopqrstuvwxyz"):
        for _ in range(600):
            reference, candidate = summary(vocabulary), summary(vocabulary)
            found = figures(rouge(reference_of(reference), candidate))
            assert found == pytest.approx(expected(reference, candidate), abs=1e-6)


@pytest.mark.slow
def test_thousands_of_real_pairs() -> None:
    folder = os.environ.get("DISCOBERT_SHARED_DATA")
    if folder is None:
        pytest.skip("DISCOBERT_SHARED_DATA is not set")
    rng = np.random.default_rng(7)
    for article in ArticleSample(
        path=Path(folder) / "cnndm" / "train-1.jsonl.xz", limit=2000
    ).articles():
        candidate = article.text.split("\n")[: rng.integers(1, 7)]
        found = figures(rouge(reference_of(article.reference), candidate))
        assert found == pytest.approx(expected(list(article.reference), candidate), abs=1e-6)
