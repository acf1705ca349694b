"""Heads for texts that are no news, by arithmetic and against torch."""

import numpy as np
import pytest

from discobert import Summarizer
from discobert.runtime.tensors import Array
from discobert.scorer.genre_features import N_GENRE_FEATURES
from discobert.scorer.genre_network import GenreNetwork, NewsDetector, genre_inputs
from discobert.scorer.graph_layers import Linear
from discobert.scorer.sentence_network import SentenceOutputs

SENTENCES = ("The river rose.", "It flooded the mill.", "Nobody was hurt.")
INPUTS, HIDDEN, WIDTH = 4, 3, 2
ALL = INPUTS + N_GENRE_FEATURES + HIDDEN


def numbers(*shape: int) -> Array:
    found: Array = np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)
    return found


def network(bias: float = 0.0) -> GenreNetwork:
    return GenreNetwork.of(
        {
            "news.mean": np.array([1, 0, 0], dtype=np.float32),
            "news.scale": np.array([1, 1, 2], dtype=np.float32),
            "news.weight": np.array([[1, 0, 1]], dtype=np.float32),
            "news.bias": np.array([bias], dtype=np.float32),
            "heads.mean": numbers(ALL),
            "heads.scale": np.abs(numbers(ALL)),
            "heads.inner.weight": numbers(WIDTH, ALL),
            "heads.inner.bias": numbers(WIDTH),
            "heads.out.weight": numbers(3, WIDTH),
            "heads.out.bias": numbers(3),
            "heads.skip.weight": numbers(3, ALL),
            "heads.skip.bias": numbers(3),
        }
    )


@pytest.mark.parametrize(("bias", "expected"), [(-3.9, True), (-4.1, False)])
def test_news_are_told_by_the_mean_vector(bias: float, expected: bool) -> None:
    # The mean is (3, 1, 1): (3 - 1) * 1 + (1 - 0) * 2 = 4.
    means = np.array([[2, 0, 0], [4, 2, 2]], dtype=np.float32)
    assert network(bias).is_news(means) is expected


def test_scores_are_those_of_the_formula() -> None:
    found, means = network(), numbers(3, HIDDEN)
    salience, gain, best, never = numbers(4, 3)
    outputs = SentenceOutputs(salience, gain, best, never, numbers(3, INPUTS))
    scores = found(outputs, means, SENTENCES)
    rows = genre_inputs(outputs.inputs, means, SENTENCES)
    assert rows.shape == (3, ALL)
    scaled = (rows - found.mean) * found.scale
    inner = np.maximum(scaled @ found.inner.weight.T + found.inner.bias, 0)
    logits = inner @ found.out.weight.T + found.out.bias
    logits = logits + scaled @ found.skip.weight.T + found.skip.bias
    assert scores.best == pytest.approx(logits[:, 0].tolist(), rel=1e-4)
    assert scores.never == pytest.approx((1 / (1 + np.exp(-logits[:, 1]))).tolist(), rel=1e-4)
    assert scores.gain == pytest.approx(logits[:, 2].tolist(), rel=1e-4)
    assert scores.salience == pytest.approx(salience.tolist())  # that of the sentence network


def test_a_detector_is_a_logistic_regression() -> None:
    row = np.zeros(2, dtype=np.float32)
    linear = Linear(np.array([[1, -1]], dtype=np.float32), np.array([0], dtype=np.float32))
    detector = NewsDetector(row, row + 1, linear)
    assert detector(np.array([[2, 1]], dtype=np.float32))
    assert not detector(np.array([[1, 2]], dtype=np.float32))


NEWS = (
    "LONDON (Reuters) - Police arrested three men on Tuesday after a car was set on fire in Leeds. "
    "No one was hurt, a spokesman said. The men, aged between 19 and 24, are expected to appear in "
    "court on Thursday. Witnesses told the BBC that they had heard an explosion shortly after "
    "midnight. Officers have appealed for information."
)
MANUAL = (
    "A hedge is a row of shrubs. We measured soil temperature at five distances from twelve "
    "hedges. In this study we show that gaps matter more than height. The method is described in "
    "the next section. These results suggest that closing gaps would protect more crops."
)


@pytest.mark.parametrize(("text", "is_news"), [(NEWS, True), (MANUAL, False)])
def test_the_shipped_model_tells_news_from_a_paper(text: str, is_news: bool) -> None:
    summarizer = Summarizer.load()
    salience = summarizer.pipeline.scorer.score(summarizer.analyze(text))
    assert (salience.other is None) is is_news
    weights = salience.decoding.readable
    assert (weights.first > 0.3) is is_news  # only news stand or fall with their first sentence
