"""Training stage by stage: learning, resumption, frozen parts, warm starts, errors."""

import csv
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file, save_file  # noqa: E402 - after the check
from tests.tiny import tiny_examples  # noqa: E402
from tests.tiny_training import TINY, tiny_setup  # noqa: E402

from discobert.errors import ConfigError, InputError  # noqa: E402
from discobert.train.core.curves import read_curve  # noqa: E402
from discobert.train.summarizer.corpus import example_corpus  # noqa: E402
from discobert.train.summarizer.encoders import EncoderSetup  # noqa: E402
from discobert.train.summarizer.features.cache import CachedDocument  # noqa: E402
from discobert.train.summarizer.features.compute import feature_key  # noqa: E402
from discobert.train.summarizer.features.items import item_of  # noqa: E402
from discobert.train.summarizer.network import (  # noqa: E402
    WEIGHTS,
    build_summarizer,
    load_start,
    read_weights,
    whole_weights,
)
from discobert.train.summarizer.objective.losses import random_window  # noqa: E402
from discobert.train.summarizer.run_files import read_decoding  # noqa: E402
from discobert.train.summarizer.settings import (  # noqa: E402
    SummarizerTraining,
    TrainedPart,
)
from discobert.train.summarizer.train import (  # noqa: E402
    SummarizerRun,
    TrainingData,
    split_data,
)

CORPUS = example_corpus(tiny_examples())
ALL = TrainingData(CORPUS, ())
QUIET = replace(TINY, validate_every=0)


def run(
    training: SummarizerTraining,
    folder: Path,
    name: str,
    *,
    data: TrainingData = ALL,
    start: Path | None = None,
    max_steps: int | None = None,
    resume: bool = False,
) -> Path:
    made = SummarizerRun(
        training,
        tiny_setup(training),
        folder / name,
        folder / "cache",
        start=start,
        max_steps=max_steps,
    )
    return made.run(data, resume=resume)


def same(one: Path, two: Path) -> bool:
    first, second = read_weights(one), read_weights(two)
    return first.keys() == second.keys() and all(torch.equal(first[k], second[k]) for k in first)


@pytest.mark.parametrize("trained", ["document", "spans", "encoder"])
def test_an_interrupted_run_resumes_to_the_same_weights(trained: str, tmp_path: Path) -> None:
    training = replace(TINY, trained=trained, rank_weight=0.5)
    data = split_data(CORPUS, CORPUS, replace(training, validate_documents=1))
    whole = run(training, tmp_path, "whole", data=data)
    run(training, tmp_path, "parts", data=data, max_steps=2)
    assert not (tmp_path / "parts" / "summarizer.safetensors").exists()
    resumed = run(training, tmp_path, "parts", data=data, resume=True)
    assert same(whole, resumed)
    curves = [read_curve(folder / "curve.csv") for folder in (whole, resumed)]
    assert [row["rouge2"] for row in curves[0]] == [row["rouge2"] for row in curves[1]]


@pytest.mark.parametrize("trained", ["document", "spans", "encoder"])
def test_the_loss_falls_and_oracle_units_score_highest(trained: str, tmp_path: Path) -> None:
    training = replace(
        QUIET,
        trained=trained,
        epochs=120,
        rate=2e-2,
        soft_share=0.0,
        average_decay=0.0,
        dropout=0.0,
        validate_every=10,
        documents=2,
    )
    setup = tiny_setup(training)
    made = SummarizerRun(training, setup, tmp_path / "run", tmp_path / "cache")
    made.run(ALL)
    losses = [row["loss"] for row in read_curve(tmp_path / "run" / "curve.csv")]
    assert losses[-1] < 0.5 * losses[0]  # moving averages
    documents, predictions = made.predictions(CORPUS.first(2))
    for document, prediction in zip(documents, predictions, strict=True):
        chosen = document.features.item.chosen == 1
        assert prediction.logits[chosen].min() > prediction.logits[~chosen].max()


def test_only_the_chosen_part_changes(tmp_path: Path) -> None:
    before = tiny_setup().reader.state_dict()
    for trained, moved in (
        ("document", set()),
        ("spans", {"spans"}),
        ("encoder", {"spans", "branch"}),
    ):
        after = read_weights(run(replace(QUIET, trained=trained), tmp_path, trained))
        changed = {
            name.split(".")[0]
            for name, value in before.items()
            if not torch.equal(value, after[f"reader.{name}"])
        }
        assert changed == moved


def test_a_warm_start_carries_over_from_cached_means_to_the_encoder(tmp_path: Path) -> None:
    first = run(replace(QUIET, average_decay=0.0), tmp_path, "document")
    frozen = replace(QUIET, trained="encoder", rate=1e-12, encoder_rate=1e-12, weight_decay=0.0)
    second = run(frozen, tmp_path, "encoder", start=first)
    for name, value in read_weights(first).items():
        torch.testing.assert_close(read_weights(second)[name], value, atol=1e-5, rtol=1e-4)


def test_the_result_is_interpolated_with_the_start(tmp_path: Path) -> None:
    first = run(QUIET, tmp_path, "first")
    again = replace(QUIET, seed=7)
    new = read_weights(run(again, tmp_path, "again", start=first))
    mixed = read_weights(run(replace(again, start_share=0.25), tmp_path, "mixed", start=first))
    old = read_weights(first)
    assert any(not torch.equal(new[name], old[name]) for name in old)
    for name in old:
        assert torch.allclose(mixed[name], 0.75 * new[name] + 0.25 * old[name], atol=1e-6)


def test_a_ranker_learns_alone(tmp_path: Path) -> None:
    first = run(QUIET, tmp_path, "document")
    training = replace(QUIET, trained="ranker", rank_weight=1.0)
    second = run(training, tmp_path, "ranker", start=first)
    old, new = read_weights(first), read_weights(second)
    assert all(torch.equal(new[name], value) for name, value in old.items())
    assert any(name.startswith("document.ranker.") for name in new)


def test_another_shape_does_not_fit(tmp_path: Path) -> None:
    first = run(QUIET, tmp_path, "document")
    with pytest.raises(ConfigError, match="does not fit this network"):
        run(replace(QUIET, context_layers=2), tmp_path, "deeper", start=first)
    with pytest.raises(ConfigError, match="does not fit this network"):
        run(replace(QUIET, context_feed_forward=64), tmp_path, "wider", start=first)


def test_a_missing_or_truncated_start_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        run(QUIET, tmp_path, "document", start=tmp_path / "nowhere")
    first = run(QUIET, tmp_path, "document")
    path = first / "summarizer.safetensors"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(InputError, match="damaged or cut short"):
        run(QUIET, tmp_path, "again", start=first)


def test_a_truncated_checkpoint_is_refused(tmp_path: Path) -> None:
    run(QUIET, tmp_path, "cut", max_steps=2)
    path = tmp_path / "cut" / "checkpoint" / "optimizer.safetensors"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(InputError, match="is damaged or incomplete"):
        run(QUIET, tmp_path, "cut", resume=True)


def test_resume_on_nothing_starts_anew(tmp_path: Path) -> None:
    plain, resumed = run(QUIET, tmp_path, "a"), run(QUIET, tmp_path, "b", resume=True)
    assert same(plain, resumed)


def test_validation_documents_are_not_learned_from(tmp_path: Path) -> None:
    data = split_data(CORPUS, CORPUS, replace(TINY, validate_documents=4))
    with pytest.raises(InputError, match="no document is left"):
        run(TINY, tmp_path, "none", data=data)
    held_out = split_data(example_corpus([*tiny_examples()] * 2), None, TINY)
    assert [document.article.id for document in held_out.validation] == ["storm"]
    assert split_data(CORPUS, None, replace(TINY, validate_documents=0)).validation == ()


def test_best_weights_are_kept_and_training_stops_early(tmp_path: Path) -> None:
    training = replace(TINY, epochs=40.0, validate_every=1, patience=2, rate=1e-9)
    data = split_data(CORPUS, CORPUS, replace(training, validate_documents=1))
    steps: list[int] = []
    made = SummarizerRun(
        training,
        tiny_setup(),
        tmp_path / "run",
        tmp_path / "cache",
        on_step=lambda progress: steps.append(progress.step),
    )
    made.run(data)
    rows = read_curve(tmp_path / "run" / "curve.csv")
    scores = [row["rouge2"] for row in rows]
    best = scores.index(max(scores))
    assert len(steps) == len(rows) == best + 1 + training.patience
    kept, final = load_file(tmp_path / "run" / "best.safetensors"), read_weights(tmp_path / "run")
    assert all(torch.equal(kept[name], final[name]) for name in kept)


def test_lengths_are_tuned_in_the_end(tmp_path: Path) -> None:
    training = replace(TINY, tune_documents=2, rank_weight=0.5)
    data = split_data(CORPUS, CORPUS, training)
    out = run(training, tmp_path, "tuned", data=data)
    table = (out / "tuning.csv").read_text().splitlines()
    assert any(line.startswith("rank,") for line in table)
    best = read_decoding(out)
    assert f"{best.rule.value},{best.value},{best.blocking}" in (out / "tuning.csv").read_text()


def test_lengths_can_be_tuned_again_on_other_documents(tmp_path: Path) -> None:
    made = SummarizerRun(QUIET, tiny_setup(), tmp_path / "run", tmp_path / "cache")
    made.run(ALL)
    assert not (tmp_path / "run" / "tuning.csv").exists()
    best = made.tune(CORPUS.first(3))
    assert best == read_decoding(tmp_path / "run")
    with (tmp_path / "run" / "tuning.csv").open() as file:
        rows = list(csv.DictReader(file))
    sums = [sum(float(row[name]) for name in ("rouge1", "rouge2", "rougeL")) for row in rows]
    found = rows[sums.index(max(sums))]
    assert (found["rule"], int(found["value"])) == (best.rule.value, best.value)


def test_the_resolved_settings_travel_with_the_weights(tmp_path: Path) -> None:
    out = run(QUIET, tmp_path, "run")
    content = json.loads((out / "config.json").read_text())
    assert content["training"]["context_layers"] == 1
    assert content["encoder"] == {"kind": "shared", "hidden": 16}
    assert content["parameters"] == sum(
        value.numel() for value in load_file(out / "summarizer.safetensors").values()
    )


def test_features_depend_on_what_they_should_depend_on() -> None:
    setup = tiny_setup()

    def facts(**changes: object) -> object:
        training = replace(TINY, **changes)  # type: ignore[arg-type]
        return feature_key(training, setup, training.items())

    assert facts(seed=3, variant="edu", rate=1.0) == facts()
    for change in (
        {"variant": "sentence"},
        {"max_pieces": 9},
        {"reach": "window"},
        {"trained": "spans"},
    ):
        assert facts(**change) != facts()
    assert facts(trained="encoder", reach="window") == facts(trained="encoder")


def test_later_windows_give_other_weights_than_first_ones(tmp_path: Path) -> None:
    first = replace(QUIET, trained="encoder", later_windows=0.0, window_pieces=60, max_pieces=60)
    later = replace(first, later_windows=1.0, max_pieces=1024)
    assert not same(run(first, tmp_path, "first"), run(later, tmp_path, "later"))
    document = cached_document(tiny_setup(), later)
    window = random_window(document, later, random.Random(1))
    assert int(window.item.units.sentences[0]) > 0
    assert window.item.n_pieces == len(window.inputs) <= 60
    assert random_window(document, first, random.Random(1)) is document


def cached_document(setup: EncoderSetup, training: SummarizerTraining) -> CachedDocument:
    """Return the first document with the vectors of its pieces."""
    item = item_of(CORPUS.first(1)[0], training.items(), setup.lay_out(training))
    assert item.layout is not None
    return CachedDocument(item, setup.lower.vectors(item.layout))


def test_load_start_restores_every_weight(tmp_path: Path) -> None:
    out = run(QUIET, tmp_path, "run")
    net = build_summarizer(QUIET, tiny_setup())
    fresh = {name: value.clone() for name, value in net.state_dict().items()}
    load_start(net, out)
    stored, loaded = read_weights(out), net.state_dict()
    assert loaded.keys() == stored.keys()
    assert all(torch.equal(loaded[name], stored[name]) for name in stored)
    assert any(not torch.equal(fresh[name], stored[name]) for name in stored)


def test_an_encoder_alone_fits_below_another_document_part(tmp_path: Path) -> None:
    taught = build_summarizer(QUIET, tiny_setup())
    mark = "reader.spans.score.bias"
    taught.get_parameter(mark).data.fill_(3.0)
    save_file(whole_weights(taught, TrainedPart.ALIGN), tmp_path / WEIGHTS)
    net = build_summarizer(replace(QUIET, width=8), tiny_setup())
    load_start(net, tmp_path)
    assert net.get_parameter(mark).item() == 3.0


def test_another_width_is_refused_with_one_line(tmp_path: Path) -> None:
    out = run(QUIET, tmp_path, "run")

    with pytest.raises(ConfigError, match="size mismatch for document") as caught:
        load_start(build_summarizer(replace(QUIET, width=8), tiny_setup()), out)
    assert "\n" not in str(caught.value)
