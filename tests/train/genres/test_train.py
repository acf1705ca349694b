"""Training of the heads for other genres on a few short texts, with the shipped encoder."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file  # noqa: E402 - after the check
from tests.train.written_texts import (  # noqa: E402
    PAPERS,
    article,
    article_extract,
    extracts_of,
    write_lines,
)

from discobert import Summarizer  # noqa: E402
from discobert.cli.app import run  # noqa: E402
from discobert.errors import InputError  # noqa: E402
from discobert.scorer.load import GENRE_SECTION, GENRE_WEIGHTS  # noqa: E402
from discobert.store.bundle import find_bundle, open_bundle  # noqa: E402
from discobert.train.genres.examples import ExampleReader  # noqa: E402
from discobert.train.genres.settings import GenreTraining  # noqa: E402
from discobert.train.genres.train import RECORD, WEIGHTS, train_genres  # noqa: E402

TRAINING = GenreTraining(width=4, seeds=2, epochs=3, documents_per_step=3, folds=2)
NEWS = (
    "Police arrested three men in Leeds on Tuesday. A car was burnt there, a spokesman said.",
    "Rovers beat City to win the cup on Sunday. Fans sang all night in the streets.",
    "A bank cut four hundred jobs on Friday. Its shares rose by noon, and unions were angry.",
    "The storm closed two airports, officials said. Snow fell for nine hours on Monday.",
)


def gum_record(name: str, sentences: list[list[str]], split: str, summary: str) -> dict[str, Any]:
    tokens = [token for sentence in sentences for token in sentence]
    starts = [sum(len(other) for other in sentences[:index]) for index in range(len(sentences))]
    return {
        "doc": name,
        "genre": "academic",
        "split": split,
        "license": "CC-BY-4.0",
        "tokens": tokens,
        "space_after": "1" * len(tokens),
        "sents": starts,
        "summaries": [{"by": "one", "text": summary}, {"by": "two", "text": summary}],
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("genres")
    rows = extracts_of(NEWS, "news") + extracts_of(PAPERS, "paper")
    write_lines(folder / "extracts" / "extracts.jsonl.xz", [])
    write_lines(folder / "more.jsonl", rows)
    sentences = [["Hedges", "cool", "fields", "."], ["Gaps", "matter", "most", "."]]
    gum = [
        gum_record("GUM_academic_hedges", sentences, "train", "Gaps in hedges matter most."),
        gum_record("GUM_academic_held", sentences, "dev", "Gaps matter."),
        {**gum_record("GUM_academic_unread", sentences, "train", ""), "summaries": []},
    ]
    write_lines(folder / "gum" / "gum_v11.jsonl.xz", gum)
    write_lines(folder / "amalgum" / "amalgum_v02_silver.jsonl.xz", [])
    write_lines(folder / "cnndm" / "train-7.jsonl.xz", [])
    return folder


@pytest.fixture(scope="module")
def finished(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run") / "genres"
    bundle = open_bundle(find_bundle("en"))
    train_genres(TRAINING, data=data, extracts=[data / "more.jsonl"], bundle=bundle, out=out)
    return out


def record_of(run_folder: Path) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((run_folder / RECORD).read_text(encoding="utf-8"))
    return found


def test_the_record_counts_what_was_learned_from(finished: Path) -> None:
    record = record_of(finished)
    assert (record["extracts"], record["summarised"]) == (6, 1)
    assert record["dev"]["all"]["documents"] == 1  # the news extract is none of another genre
    assert 0 <= record["news_accuracy"] <= 1
    assert sorted(path.name for path in finished.glob("fold-*")) == [
        "fold-0.safetensors",
        "fold-1.safetensors",
    ]


def test_the_same_settings_and_data_give_the_same_weights(
    data: Path, finished: Path, tmp_path: Path
) -> None:
    bundle = open_bundle(find_bundle("en"))
    train_genres(TRAINING, data=data, extracts=[data / "more.jsonl"], bundle=bundle, out=tmp_path)
    one, other = load_file(finished / WEIGHTS), load_file(tmp_path / WEIGHTS)
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert torch.equal(value, other[name]), name


def test_news_and_papers_of_the_data_are_told_apart(finished: Path, tmp_path: Path) -> None:
    target = tmp_path / "bundle"
    assert run(["export", str(finished), str(target), "--model", "en"]) == 0
    bundle = open_bundle(target)
    assert GENRE_WEIGHTS in bundle.checksums
    assert GENRE_SECTION in bundle.settings
    assert "## Texts that are no news" in bundle.read("MODEL_CARD.md").decode()
    scorer = Summarizer.load(target).pipeline.scorer
    analyze = Summarizer.load(target).analyze
    assert all(scorer.score(analyze(text)).other is None for text in NEWS[:3])
    assert all(scorer.score(analyze(text)).other is not None for text in PAPERS[:3])


def test_texts_of_further_news_are_found_beside_the_others(data: Path, tmp_path: Path) -> None:
    for part in ("gum", "amalgum"):
        shutil.copytree(data / part, tmp_path / part)
    write_lines(tmp_path / "cnndm" / "train-7.jsonl.xz", [article(0)])
    extracts = write_lines(tmp_path / "news.jsonl", [article_extract(0), article_extract(1)])
    reader = ExampleReader.of(open_bundle(find_bundle("en")))
    with pytest.raises(InputError, match="have the text news-1"):
        list(reader.extracts([extracts], tmp_path))
    write_lines(tmp_path / "cnndm" / "train-4.jsonl.xz", [article(1)])
    assert [each.id for each in reader.extracts([extracts], tmp_path)] == ["news-0", "news-1"]


def test_without_extracts_or_summaries_there_is_nothing_to_train_on(
    data: Path, tmp_path: Path
) -> None:
    bundle = open_bundle(find_bundle("en"))
    with pytest.raises(InputError, match="no extracts, or no human summaries"):
        train_genres(TRAINING, data=data, extracts=(), bundle=bundle, out=tmp_path)


def test_the_command_trains(data: Path, tmp_path: Path) -> None:
    config = tmp_path / "genres.toml"
    config.write_text("width = 2\nseeds = 1\nepochs = 1\nfolds = 2\n", encoding="utf-8")
    given = ["--config", str(config), "--data", str(data), "--quiet"]
    extracts = ["--extracts", str(data / "more.jsonl")]
    assert run(["train", "genres", *given, *extracts, "--out", str(tmp_path / "run")]) == 0
    assert (tmp_path / "run" / WEIGHTS).is_file()


@pytest.mark.parametrize("wrong", [{"folds": 1}, {"width": 0}, {"dropout": 1.0}])
def test_impossible_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Exception, match="must be"):
        GenreTraining(**wrong)
