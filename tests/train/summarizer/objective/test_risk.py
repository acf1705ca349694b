"""Sampled summaries and their expected ROUGE."""

import math
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.tiny import tiny_examples, tiny_tokenizer  # noqa: E402 - after the check

from discobert.runtime.pieces import lay_out_analysis  # noqa: E402
from discobert.train.summarizer.corpus import prepared_example  # noqa: E402
from discobert.train.summarizer.features.items import ItemOptions, RankData, item_of  # noqa: E402
from discobert.train.summarizer.objective.ranking import candidate_rouge  # noqa: E402
from discobert.train.summarizer.objective.risk import (  # noqa: E402
    Sampled,
    SampleOptions,
    expected_risk,
    sampled_summaries,
)


def rank() -> RankData:
    document = prepared_example(tiny_examples()[0])
    found = item_of(document, ItemOptions(), lambda read: lay_out_analysis(tiny_tokenizer(), read))
    return found.rank


def sample(of: RankData, *, words: int, seed: int = 3) -> Sampled:
    logits = torch.linspace(1, -1, len(of.words))
    options = SampleOptions(n_samples=12, words=words)
    return sampled_summaries(of, logits, options, np.random.default_rng(seed))


def test_the_risk_is_minus_the_expected_gain_over_the_mean() -> None:
    sampled = Sampled(
        np.array([[1, 0], [0, 1]], dtype=np.float32), np.array([0.6, 0.2], dtype=np.float32)
    )
    logits = torch.tensor([math.log(3.0), 0.0], requires_grad=True)
    risk = expected_risk(logits, sampled)
    # Chances 3/4 and 1/4, gains over the mean of 0.4: 0.2 and -0.2.
    assert risk.item() == pytest.approx(-(0.75 * 0.2 - 0.25 * 0.2))
    risk.backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    # The derivative of 0.2 (p - (1 - p)) by the first logit is 0.4 p (1 - p).
    assert logits.grad.tolist() == pytest.approx([-0.4 * 0.75 * 0.25, 0.4 * 0.75 * 0.25])


def test_one_summary_has_no_risk() -> None:
    sampled = Sampled(np.ones((1, 2), dtype=np.float32), np.array([0.5], dtype=np.float32))
    logits = torch.zeros(2, requires_grad=True)
    expected_risk(logits, sampled).backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert logits.grad.tolist() == [0, 0]


def test_summaries_are_closed_different_and_within_the_words() -> None:
    document = rank()
    sampled = sample(document, words=12)
    assert len(sampled.rouge) > 1
    rows = [tuple(np.flatnonzero(row).tolist()) for row in sampled.members]
    assert len(set(rows)) == len(rows)
    for units in rows:
        assert document.words[list(units)].sum() <= 12
        for dependent, head in document.needs.tolist():
            assert head in units or dependent not in units
    assert sampled.rouge.tolist() == candidate_rouge(document, rows).tolist()


def test_the_same_seed_gives_the_same_summaries() -> None:
    first, second = (sample(rank(), words=12) for _ in range(2))
    assert np.array_equal(first.members, second.members)


def test_no_summary_fits() -> None:
    document = replace(rank(), words=np.full_like(rank().words, 50))
    sampled = sample(document, words=10)
    assert sampled.members.shape == (0, len(document.words))
    assert expected_risk(torch.zeros(len(document.words)), sampled).item() == 0
