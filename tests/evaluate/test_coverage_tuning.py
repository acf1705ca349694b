"""Which words a summary will have: fits to made-up data, and the command on a small corpus."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from tests.builders import analysis, tree

from discobert import Summarizer
from discobert.cli.app import run
from discobert.data.summary import Scores, SentenceSalience
from discobert.errors import InputError
from discobert.evaluate.coverage_tuning import (
    PAIR_WEIGHTS,
    SCORE_WEIGHTS,
    SENTENCE_WEIGHTS,
    ScoredArticle,
    fit_coverage,
    fit_gram_model,
)
from discobert.scorer.network import NeuralScorer
from discobert.selection.build import Salience
from discobert.selection.paper.ngrams import N_FEATURES, Gram, GramTable

SOURCE = analysis("[Ann won,] [~Bo lost.] | [Cy sang.]", tree("NN", tree("NS", 0, 1), 2))
SENTENCES = SentenceSalience((0.0, 1.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))


def test_known_weights_are_found_again() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(20_000, N_FEATURES))
    odds = 1.5 * rows[:, 0] - 0.5 * rows[:, 3] - 1.0
    grams = tuple((str(index),) for index in range(len(rows)))
    has = rng.random(len(rows)) < 1 / (1 + np.exp(-odds))
    wanted = frozenset(gram for gram, known in zip(grams, has, strict=True) if known)
    model = fit_gram_model([(GramTable(grams, rows), wanted)])
    assert model.bias == pytest.approx(-1.0, abs=0.1)
    assert model.weights[0] == pytest.approx(1.5, abs=0.1)
    assert model.weights[3] == pytest.approx(-0.5, abs=0.1)
    assert model.weights[1] == pytest.approx(0.0, abs=0.1)


def test_features_that_never_vary_and_sure_targets_do_no_harm() -> None:
    rows = np.zeros((4, N_FEATURES))
    rows[2:, 0] = 1.0
    grams: tuple[Gram, ...] = (("a",), ("b",), ("c",), ("d",))
    model = fit_gram_model([(GramTable(grams, rows), frozenset(grams[2:]))])
    assert model.probabilities(rows).round().tolist() == [0, 0, 1, 1]


def test_words_are_fitted_and_weights_chosen_by_rouge() -> None:
    salience = Salience(Scores((0.9, 0.2, 0.4)), sentences=SENTENCES)
    articles = [
        ScoredArticle.of(SOURCE, salience, [reference])
        for reference in ("Ann won.", "Cy sang.", "Ann won and Cy sang.")
    ]
    fit = fit_coverage(articles)
    n_trials = len(PAIR_WEIGHTS) * len(SCORE_WEIGHTS) + len(SENTENCE_WEIGHTS)
    assert len(fit.trials) == n_trials
    assert fit.model.pair_weight in PAIR_WEIGHTS
    assert fit.model.score_weight in SCORE_WEIGHTS
    assert fit.model.sentence_weight in SENTENCE_WEIGHTS
    best = max(sum(trial.rouge) for trial in fit.trials if trial.unit.value == "edu")
    kept = [trial for trial in fit.trials if sum(trial.rouge) == best]
    assert (fit.model.pair_weight, fit.model.score_weight) in {
        (trial.pair_weight, trial.weight) for trial in kept
    }
    with pytest.raises(InputError, match="two texts with summaries are needed, got 1"):
        fit_coverage(articles[:1])


def test_scores_of_sentences_are_needed() -> None:
    with pytest.raises(InputError, match="no network for sentences"):
        ScoredArticle.of(SOURCE, Salience(Scores((0.5,) * 3)), ["Ann won."])


PEOPLE = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo")
PLACES = ("harbour", "market", "library", "station")


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    rng = random.Random(1)
    rows = []
    for index in range(4):
        person, other = rng.sample(PEOPLE, 2)
        place = PLACES[index]
        rows.append(
            {
                "id": f"n{index}",
                "article": [
                    f"{person} Ray will reopen the old {place} soon. The work took two years.",
                    f"{other} Lee, who lives nearby, said that the {place} had been missed by all.",
                    "A band will play in the afternoon. Rain is expected in the evening.",
                ],
                "highlights": [f"{person} Ray reopens the {place} after two years."],
            }
        )
    source = tmp_path / "articles.jsonl"
    source.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    out = tmp_path / "prepared"
    given = ["prepare", str(source), str(out), "--corpus", "cnndm-jsonl", "--jobs", "1", "--quiet"]
    assert run(given) == 0
    return out


def test_the_command_writes_a_bundle_that_knows_words(
    prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card = tmp_path / "card.md"
    card.write_text("# A card\n", encoding="utf-8")
    target = tmp_path / "tuned"
    given = ["tune-coverage", str(target), "--data", str(prepared), "--quiet"]
    assert run([*given, "--version", "9.9.9", "--card", str(card)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("4 texts; unit, pairs, scores: ROUGE-1 / 2 / Lsum\nedu, scores alone: ")
    assert "kept: pairs " in shown
    assert (target / "MODEL_CARD.md").read_text(encoding="utf-8") == "# A card\n"
    summarizer = Summarizer.load(target)
    assert summarizer.model.version == "9.9.9"
    scorer = summarizer.pipeline.scorer
    assert isinstance(scorer, NeuralScorer)
    shipped = Summarizer.load().pipeline.scorer
    assert isinstance(shipped, NeuralScorer)
    assert scorer.coverage is not None
    assert scorer.coverage != shipped.coverage
    text = "Ann Ray will reopen the old harbour on Saturday. The work took two years. It rained."
    assert summarizer.summarize(text, words=8, style="paper").words <= 8


def test_a_model_without_weights_is_refused(
    prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["tune-coverage", str(tmp_path / "b"), "--data", str(prepared), "--model", "rules"]
    assert run(given) == 2
    assert "has nothing to tune" in capsys.readouterr().err
