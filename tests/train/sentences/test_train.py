"""Training of the sentence network on ten short articles, with the shipped encoder."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file  # noqa: E402 - after the check
from tests.train.written_texts import NEWS, article, article_extract, write_lines  # noqa: E402

from discobert.api import Summarizer  # noqa: E402
from discobert.data.document import SourceText  # noqa: E402
from discobert.data.summary import ModelId  # noqa: E402
from discobert.errors import ConfigError, UsageError  # noqa: E402
from discobert.scorer.load import SENTENCE_WEIGHTS  # noqa: E402
from discobert.store.bundle import find_bundle, open_bundle  # noqa: E402
from discobert.train.core.curves import read_curve  # noqa: E402
from discobert.train.export.sentences import export_sentences  # noqa: E402
from discobert.train.sentences.documents import StepPlan  # noqa: E402
from discobert.train.sentences.settings import SentenceTraining  # noqa: E402
from discobert.train.sentences.train import WEIGHTS, SentenceData, SentenceRun  # noqa: E402

TRAINING = SentenceTraining(
    steps=12,
    documents_per_step=5,
    warmup_steps=2,
    rate=1e-3,
    new_rate=1e-3,
    average_decay=0.5,
    half_precision=False,
    validation_documents=4,
    validate_every=6,
    log_every=1,
    never_epochs=2,
    head_epochs=2,
    checkpoint_minutes=60,
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> SentenceData:
    folder = tmp_path_factory.mktemp("sentences")
    articles = write_lines(folder / "train-0.jsonl", [article(index) for index in range(10)])
    return SentenceData(
        articles=[articles],
        validation=write_lines(folder / "validation.jsonl", [article(i) for i in range(6)]),
        extracts=[
            write_lines(folder / "extracts.jsonl", [article_extract(i) for i in range(7)]),
            write_lines(folder / "more.jsonl", [article_extract(i) for i in range(7, 10)]),
        ],
        extract_articles=[articles],
        cache=folder / "cache",
    )


def trained(data: SentenceData, out: Path, *, max_steps: int | None = None) -> SentenceRun:
    run = SentenceRun(TRAINING, data, open_bundle(find_bundle("en")), out, max_steps=max_steps)
    run.run(resume=(out / "checkpoint").exists())
    return run


@pytest.fixture(scope="module")
def finished(data: SentenceData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run") / "whole"
    trained(data, out)
    return out


def test_losses_fall(finished: Path) -> None:
    rows = [row for row in read_curve(finished / "curve.csv") if "risk" not in row]
    assert rows[-1]["bce"] < rows[0]["bce"]
    assert rows[-1]["list"] < rows[0]["list"]


def test_expected_rouge_counts_in_the_last_steps_alone(finished: Path) -> None:
    steps = [row["step"] for row in read_curve(finished / "curve.csv") if "risk" in row]
    assert min(steps) == 9  # of twelve steps, the last 40 %, from the eighth on


def test_an_interrupted_run_ends_with_the_same_weights(
    data: SentenceData, finished: Path, tmp_path: Path
) -> None:
    out = tmp_path / "resumed"
    trained(data, out, max_steps=7)
    assert not (out / WEIGHTS).exists()
    trained(data, out)
    whole, resumed = load_file(finished / WEIGHTS), load_file(out / WEIGHTS)
    assert whole.keys() == resumed.keys()
    for name, value in whole.items():
        assert torch.equal(value, resumed[name]), name


def test_cache_is_used_again(data: SentenceData, finished: Path) -> None:
    shards = sorted(path.name for path in (data.cache / "train-0").iterdir())
    assert shards == ["000000.labels.npz", "000000.npz"]
    with np.load(data.cache / "train-0" / "000000.npz") as shard:
        assert set(shard) == {"line", "n", "spans", "par", "a", "m"}
        assert shard["n"].sum() == len(shard["a"]) == len(shard["spans"])


def test_exported_bundle_scores_sentences(finished: Path, tmp_path: Path) -> None:
    base = open_bundle(find_bundle("en"))
    bundle = export_sentences(finished, tmp_path / "b", base=base, model=ModelId("toy", "1"))
    assert SENTENCE_WEIGHTS in bundle.checksums
    assert "by a language model" in bundle.read("MODEL_CARD.md").decode()
    pipeline = Summarizer.load(tmp_path / "b").pipeline
    analysis = pipeline.analyser.analyse(SourceText("t", "\n".join(NEWS[0])))
    salience = pipeline.scorer.score(analysis)
    assert salience.sentences is not None
    assert len(salience.sentences.best) == len(analysis.document.sentences)
    shipped = Summarizer.load("en").pipeline.scorer.score(analysis)
    assert shipped.sentences != salience.sentences
    assert len(shipped.scores.values) == len(salience.scores.values)  # EDUs read these scores


def test_plan_has_the_wanted_steps_and_can_be_repeated() -> None:
    plan = StepPlan([3, 9, 4, 8, 5], size=2, steps=7, seed=1)
    batches = list(plan)
    assert len(batches) == 7
    assert batches == list(plan)
    assert batches[-1].seen == 12
    assert {document for batch in batches[:3] for document in batch.documents} == set(range(5))


def test_settings_refuse_no_steps() -> None:
    with pytest.raises(ConfigError, match="steps"):
        replace(TRAINING, steps=0)


def test_files_of_extracts_must_differ_in_name(data: SentenceData, tmp_path: Path) -> None:
    one, other = data.extracts[0], tmp_path / "extracts.jsonl.xz"
    with pytest.raises(UsageError, match="rename one") as refused:
        replace(data, extracts=[one, data.extracts[1], other])
    assert str(one) in str(refused.value)
    assert str(other) in str(refused.value)
