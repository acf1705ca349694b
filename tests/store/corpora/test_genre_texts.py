"""Texts of AMALGUM, and GUM with all its human summaries."""

import json
from pathlib import Path

import pytest

from discobert.cli.app import run
from discobert.errors import InputError, UsageError
from discobert.store.corpora.extracts import headings_apart
from discobert.store.corpora.json_lines import ArticleSample
from discobert.store.treebanks.gum import read_gum


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    sentences = [["Keeping", "hens"], ["Hens", "need", "grain", "."], ["They", "lay", "."]]
    tokens = [token for sentence in sentences for token in sentence]
    row = {
        "doc": "GUM_whow_hens",
        "genre": "whow",
        "split": "dev",
        "license": "CC-BY-4.0",
        "tokens": tokens,
        "space_after": "1" * len(tokens),
        "sents": [0, 2, 6],
        "summaries": [{"by": "a", "text": "Hens need grain."}, {"by": "b", "text": "Hens lay."}],
    }
    file = tmp_path / "gum.jsonl"
    rows = [row, {**row, "doc": "GUM_whow_other", "split": "train"}]
    file.write_text("".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8")
    return file


def test_sentences_without_a_stop_stand_apart(corpus: Path) -> None:
    gold = next(read_gum(corpus))
    assert gold.text == "Keeping hens Hens need grain . They lay ."
    assert headings_apart(gold) == "Keeping hens\nHens need grain . They lay ."


def test_gum_is_read_with_all_its_summaries(corpus: Path) -> None:
    (article,) = ArticleSample(path=corpus, gum_splits=("dev", "test")).articles()
    assert (article.id, article.source) == ("GUM_whow_hens", "whow")
    assert article.references == (("Hens need grain.",), ("Hens lay.",))


def test_evaluate_averages_over_the_summaries(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--data", str(corpus), "--split", "dev", "--systems", "lead3", "--format", "json"]
    assert run(["evaluate", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["documents"] == 1
    # "keeping hens hens need grain they lay": three of seven words, then two of seven
    expected = 100 * (2 * 3 / (7 + 3) + 2 * 2 / (7 + 2)) / 2
    assert found["systems"]["lead3"]["rouge1"] == pytest.approx(expected, abs=0.01)


def test_a_part_that_is_not_there_and_a_text_without_summaries_are_named(corpus: Path) -> None:
    with pytest.raises(UsageError, match="no document is of devel: use dev or test"):
        next(ArticleSample(path=corpus, gum_splits=("devel",)).articles())
    rows = [{**json.loads(row), "summaries": []} for row in corpus.read_text().splitlines()]
    corpus.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputError, match="GUM_whow_hens has no human summary"):
        list(ArticleSample(path=corpus, gum_splits=("dev",)).articles())
