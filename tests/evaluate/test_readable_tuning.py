"""Weights of the readable style, fitted to ratings."""

import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from discobert import Summarizer
from discobert.cli.app import run
from discobert.data.codecs.fields import Field
from discobert.data.document import Span
from discobert.data.summary import Analysis, SentenceSalience
from discobert.errors import InputError, UsageError
from discobert.evaluate.readable_tuning import (
    CountedText,
    HeldOutScorers,
    counted_text,
    fit_weights,
    tuned_settings,
)
from discobert.selection.build import Salience
from discobert.selection.readable.weights import FEATURES, ReadableWeights
from discobert.store.bundle import SHIPPED, open_bundle
from discobert.store.corpora.extracts import fold_of
from discobert.store.corpora.rated_summaries import (
    RatedSummary,
    RatedText,
    TextSources,
    read_rated,
    with_texts,
)

TEXT = "The bridge fell. It rained all day long in town. Nobody was hurt there."
SPANS = (Span(0, 16), Span(17, 48), Span(49, 71))
START = ReadableWeights(words=8, most_words=8)


def scored(never: tuple[float, ...] = (0.0, 0.0, 0.0)) -> tuple[Analysis, Salience]:
    summarizer = Summarizer.load("rules")
    analysis = summarizer.analyze(TEXT)
    odds = (3.0, -3.0, 2.0)
    salience = replace(
        summarizer.pipeline.scorer.score(analysis),
        sentences=SentenceSalience(odds, odds, odds, never),
    )
    return analysis, salience


def rated(*summaries: tuple[tuple[Span, ...], float]) -> RatedText:
    return RatedText("a", tuple(RatedSummary(spans, overall) for spans, overall in summaries))


def test_the_features_of_a_summary_are_those_that_the_search_adds_up() -> None:
    analysis, salience = scored()
    given = rated(((SPANS[0], SPANS[2]), 4.0), (SPANS[:2], 2.5))
    text = counted_text(given, analysis, salience)
    assert text.overall == (4.0, 2.5)
    first, second = (dict(zip(FEATURES, counts, strict=True)) for counts in text.counts)
    assert (first["best"], second["best"]) == (5.0, 0.0)
    assert (first["jump"], second["jump"]) == (1.0, 0.0)
    assert (first["next"], second["next"]) == (0.0, 1.0)
    assert (first["word"], second["word"]) == (7, 10)
    assert (first["first"], second["first"]) == (True, True)


def test_summaries_with_captions_teach_nothing() -> None:
    analysis, salience = scored(never=(0.0, 1.0, 0.0))
    given = rated(((SPANS[0],), 4.0), ((SPANS[1],), 2.0), ((), 1.0))
    assert counted_text(given, analysis, salience).overall == (4.0,)


def test_rouge_is_added_where_there_is_a_reference() -> None:
    analysis, salience = scored()
    given = rated(((SPANS[0],), 4.0), ((SPANS[1],), 4.0))
    assert counted_text(given, analysis, salience, rouge_weight=0.1).overall == (4.0, 4.0)
    referenced = replace(given, references=(("The bridge fell.",),))
    found = counted_text(referenced, analysis, salience, rouge_weight=0.1).overall
    assert found[0] == pytest.approx(14.0)
    assert found[1] < 6.0


def made_up(n_texts: int = 40) -> list[CountedText]:
    """Make ratings that follow known weights exactly, each text on a level of its own."""
    rng = random.Random(0)
    texts = []
    for _ in range(n_texts):
        counts = [[rng.uniform(-1, 1) for _ in FEATURES] for _ in range(5)]
        level = rng.uniform(1, 4)
        overall = [level + 0.5 * row[0] - 0.25 * row[1] + 0.1 * row[2] for row in counts]
        texts.append(CountedText(tuple(map(tuple, counts)), tuple(overall)))
    return texts


def test_known_weights_are_found_again() -> None:
    fit = fit_weights(made_up(), start=START, fixed={}, ridge=0.0)
    assert fit.weights.best == pytest.approx(0.5)
    assert fit.weights.gain == pytest.approx(-0.25)
    assert fit.weights.salience == pytest.approx(0.1)
    assert fit.weights.first == pytest.approx(0.0, abs=1e-9)
    assert fit.explained == pytest.approx(1.0)
    assert fit.accuracy == 1.0
    assert (fit.n_texts, fit.n_summaries) == (40, 200)
    assert fit.weights.words == 8  # what is no coefficient stays


def test_a_ridge_makes_weights_smaller_and_fixed_ones_stay() -> None:
    free = fit_weights(made_up(), start=START, fixed={}, ridge=100.0)
    assert 0 < free.weights.best < 0.5
    fixed = fit_weights(made_up(), start=START, fixed={"best": 0.2}, ridge=0.0)
    assert fixed.weights.best == 0.2
    bounded = fit_weights(made_up(), start=START, fixed={"skip": 0.35, "words": 60}, ridge=0.0)
    assert (bounded.weights.skip, bounded.weights.words) == (0.35, 60)
    assert bounded.weights.best == pytest.approx(0.5)
    assert fixed.explained < 1


def test_nothing_to_compare_and_unknown_features_are_refused() -> None:
    alone = CountedText(((0.0,) * len(FEATURES),), (3.0,))
    with pytest.raises(InputError, match="two summaries"):
        fit_weights([alone], start=START, fixed={}, ridge=1.0)
    with pytest.raises(UsageError, match="unknown weight 'bets': use best, gain"):
        fit_weights(made_up(), start=START, fixed={"bets": 1.0}, ridge=1.0)


def test_weights_travel_in_the_settings_of_a_bundle() -> None:
    settings = tuned_settings({"language": "en", "sentences": {"hidden": 256}}, START)
    section = Field(settings, "settings").member("sentences")
    assert section.object()["hidden"] == 256
    assert ReadableWeights.of(section.member("readable").object()) == START
    assert settings["language"] == "en"


NEWS = (
    "The council voted on Tuesday to rebuild the old harbour bridge. The work will cost nine "
    "million euros and take two years. Shops near the bridge fear for their trade. The mayor "
    "promised them lower rents. A ferry will carry people across the harbour from May."
)


@pytest.fixture
def ratings(tmp_path: Path) -> tuple[Path, Path]:
    articles = tmp_path / "articles.jsonl"
    row = {"id": "n", "article": [NEWS], "highlights": ["The bridge will be rebuilt."]}
    articles.write_text(json.dumps(row) + "\n", encoding="utf-8")
    file = tmp_path / "ratings.jsonl"
    ends = [index + 1 for index, letter in enumerate(NEWS) if letter == "."]
    summaries = [
        {"spans": [[0, ends[1]]], "overall": 4.5},
        {"spans": [[0, ends[0]], [ends[3] + 1, ends[4]]], "overall": 3.5},
        {"spans": [[ends[1] + 1, ends[3]]], "overall": 2},
    ]
    file.write_text(json.dumps({"id": "n", "summaries": summaries}) + "\n", encoding="utf-8")
    return file, articles


def test_ratings_are_read_and_find_their_texts(ratings: tuple[Path, Path]) -> None:
    file, articles = ratings
    found = with_texts(file, read_rated(file), TextSources(articles=[articles]))
    assert found[0].text == NEWS
    assert found[0].references == (("The bridge will be rebuilt.",),)
    assert [each.overall for each in found[0].summaries] == [4.5, 3.5, 2.0]
    with pytest.raises(InputError, match="no file that was named has the text n"):
        with_texts(file, read_rated(file), TextSources())


def test_the_command_writes_a_bundle_with_fitted_weights(
    ratings: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, articles = ratings
    card = tmp_path / "card.md"
    card.write_text("# A card\n", encoding="utf-8")
    given = ["--ratings", str(file), "--articles", str(articles), "--quiet"]
    target = tmp_path / "tuned"
    extra = ["--fix", "jump=0.25", "--version", "9.9.9", "--card", str(card)]
    assert run(["tune-readable", str(target), *given, *extra]) == 0
    assert "summaries of 1 texts" in capsys.readouterr().out
    bundle = open_bundle(target)
    weights = Field({**bundle.settings}, "settings").member("sentences").member("readable")
    assert weights.object()["jump"] == 0.25
    assert bundle.model.version == "9.9.9"
    assert bundle.read("MODEL_CARD.md") == b"# A card\n"
    assert Summarizer.load(target).summarize(NEWS, words=20).text


@pytest.mark.parametrize("wrong", ["jump", "jump=much"])
def test_a_fixed_weight_must_be_a_number(
    wrong: str, ratings: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, articles = ratings
    arguments = ["--ratings", str(file), "--articles", str(articles), "--fix", wrong]
    assert run(["tune-readable", str(tmp_path / "b"), *arguments]) == 2
    assert f"--fix takes NAME=NUMBER, got '{wrong}'" in capsys.readouterr().err


def test_a_model_without_a_sentence_network_cannot_be_tuned(
    ratings: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--ratings", str(ratings[0]), "--model", "rules"]
    assert run(["tune-readable", str(tmp_path / "b"), *arguments]) == 2
    assert "no network for sentences" in capsys.readouterr().err


PAPER = (
    "A hedge is a row of shrubs beside a field. We measured soil temperature at five distances. In "
    "this study we show that gaps matter more than height. These results suggest that closing gaps "
    "would protect more crops."
)


def test_other_genres_have_weights_of_their_own(ratings: tuple[Path, Path], tmp_path: Path) -> None:
    file, articles = ratings
    ends = [index + 1 for index, letter in enumerate(PAPER) if letter == "."]
    spans = [[0, ends[0]], *([one + 1, other] for one, other in pairwise(ends))]
    row = {
        "id": "written-paper",
        "summaries": [
            {"spans": [spans[0], spans[2]], "overall": 4},
            {"spans": [spans[0]], "overall": 2},
        ],
    }
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(row) + "\n")
    extracts = tmp_path / "extracts.jsonl"
    extract = {
        "id": "written-paper",
        "source": "written",
        "genre": "paper",
        "split": "train",
        "spans": spans,
        "best": [2],
        "more": [],
        "never": [],
        "text": PAPER,
    }
    extracts.write_text(json.dumps(extract) + "\n", encoding="utf-8")
    given = ["--ratings", str(file), "--articles", str(articles), "--extracts", str(extracts)]
    target = tmp_path / "tuned"
    fixed = ["--fix", "jump=0.25", "--fix", "genres.first=0.5"]
    assert run(["tune-readable", str(target), *given, *fixed, "--quiet"]) == 0
    settings = Field({**open_bundle(target).settings}, "settings")
    news, others = (
        settings.member(section).member("readable").object() for section in ("sentences", "genres")
    )
    assert (news["jump"], others["first"]) == (0.25, 0.5)
    assert others["jump"] != 0.25
    assert news["first"] != 0.5


def test_texts_are_scored_by_heads_that_did_not_learn_from_them(tmp_path: Path) -> None:
    scorer = Summarizer.load().pipeline.scorer
    assert HeldOutScorers.of(scorer, None).scorer("any") is scorer
    with pytest.raises(InputError, match="no heads for parts"):
        HeldOutScorers.of(scorer, tmp_path)
    for fold in range(2):
        weights = (SHIPPED / "en" / "genres.safetensors").read_bytes()
        (tmp_path / f"fold-{fold}.safetensors").write_bytes(weights)
    found = HeldOutScorers.of(scorer, tmp_path)
    names = [f"text {number}" for number in range(20)]
    assert {found.scorer(name) is found.folds[fold_of(name, 2)] for name in names} == {True}
    assert {fold_of(name, 2) for name in names} == {0, 1}
