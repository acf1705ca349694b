"""Weights of the readable style, tried one after the other."""

from dataclasses import replace

import pytest

from discobert import Summarizer
from discobert.data.codecs.fields import Field
from discobert.data.document import Span
from discobert.data.summary import SentenceSalience
from discobert.errors import UsageError
from discobert.evaluate.extracts import NEWS
from discobert.evaluate.readable_tuning import (
    CHOICES,
    ScoredArticle,
    ScoredExtract,
    Trial,
    TuningTexts,
    drawn_weights,
    tune_weights,
    tuned_settings,
)
from discobert.metrics.rouge import reference_of
from discobert.selection.readable.weights import ReadableWeights
from discobert.store.corpora.extracts import Extract

TEXT = "The bridge fell. It rained all day long in town. Nobody was hurt there."
SPANS = (Span(0, 16), Span(17, 48), Span(49, 71))
START = ReadableWeights(words=8)


def texts() -> TuningTexts:
    summarizer = Summarizer.load("rules")
    analysis = summarizer.analyze(TEXT)
    odds = (3.0, -3.0, 2.0)
    salience = replace(
        summarizer.pipeline.scorer.score(analysis),
        sentences=SentenceSalience(odds, odds, odds, (0.0, 0.0, 0.0)),
    )
    extract = Extract("a", "news", "dev", SPANS, best=(0, 2), more=(), never=(1,))
    article = ScoredArticle(analysis, salience, reference_of(["The bridge fell."]))
    return TuningTexts((ScoredExtract(extract, analysis, salience),), (article,))


def test_good_weights_find_the_editors_choice() -> None:
    trial = tune_weights(texts(), [START])
    assert trial.extracts[NEWS].f1.mean == pytest.approx(100.0)
    assert trial.rouge_gain > 0


def test_the_best_trial_is_kept_and_every_one_reported() -> None:
    seen: list[Trial] = []
    bad = replace(START, bias=-20.0)  # nothing is worth its words
    best = tune_weights(texts(), [bad, START, bad], on_trial=seen.append)
    assert best.weights == START
    assert [trial.weights for trial in seen] == [bad, START, bad]


def test_trials_start_from_given_weights_and_are_reproducible() -> None:
    first = list(drawn_weights(START, trials=5, seed=3))
    assert first[0] == START
    assert first == list(drawn_weights(START, trials=5, seed=3))
    assert all(weights.bias in CHOICES["bias"] for weights in first[1:])


def test_no_trial_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one trial"):
        tune_weights(texts(), [])


def test_weights_travel_in_the_settings_of_a_bundle() -> None:
    settings = tuned_settings({"language": "en", "sentences": {"hidden": 256}}, START)
    section = Field(settings, "settings").member("sentences")
    assert section.object()["hidden"] == 256
    assert ReadableWeights.of(section.member("readable").object()) == START
    assert settings["language"] == "en"
