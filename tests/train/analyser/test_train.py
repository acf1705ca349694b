"""Training, exporting and running the analyser on a tiny corpus."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file, save_file  # noqa: E402

from discobert.analyser.load import neural_analyser  # noqa: E402
from discobert.analyser.neural import NeuralAnalyser  # noqa: E402
from discobert.data.document import SourceText  # noqa: E402
from discobert.data.rst import nodes  # noqa: E402
from discobert.data.summary import ModelId  # noqa: E402
from discobert.errors import ConfigError, InputError  # noqa: E402
from discobert.store.bundle import open_bundle  # noqa: E402
from discobert.train.analyser.network import build_net, load_weights, network_config  # noqa: E402
from discobert.train.analyser.settings import AnalyserTraining  # noqa: E402
from discobert.train.analyser.train import train_analyser  # noqa: E402
from discobert.train.core import checkpoint, loop  # noqa: E402
from discobert.train.core.curves import read_curve  # noqa: E402
from discobert.train.export.analyser import RuntimeSettings, export_analyser  # noqa: E402

TRAINING = AnalyserTraining(
    sources=("gum",),
    epochs=40.0,
    documents_per_step=2,
    encoder_rate=6e-3,
    head_rate=6e-3,
    warmup_steps=2,
    explore=0.2,
    average_decay=0.9,
    predicted_sentences=0.5,
    train_trunk=True,
    window_sizes=(280,),
)
TEXT = "The cat sat on the mat, because it was late.\nHe said that the dog ran."


@pytest.fixture(scope="module")
def trained(encoder: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    return train_analyser("analyser", TRAINING, data=corpus, encoder=encoder, out=out)


def test_four_documents_are_overfitted_and_analysed_without_torch(
    trained: Path, encoder: Path, tmp_path: Path
) -> None:
    analysis = export(trained, tmp_path / "b", encoder).analyse(SourceText("a", TEXT))
    doc = analysis.document
    assert [doc.edu_text(i) for i in range(len(doc.edus))] == [
        "The cat sat on the mat,",
        "because it was late.",
        "He said",
        "that the dog ran.",
    ]
    assert all(edu.has_subject for edu in doc.edus)
    assert [[m.span.of(TEXT) for m in c.mentions] for c in analysis.coref] == [["The cat", "it"]]


def test_interrupted_training_resumes_to_the_same_weights(
    encoder: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = replace(TRAINING, epochs=4.0, dropout=0.1)
    train_analyser("analyser", short, data=corpus, encoder=encoder, out=tmp_path / "whole")
    eager = replace(short, checkpoint_minutes=0.0)
    saved = []
    keep = checkpoint.save_checkpoint

    def save_and_stop(folder: Path, **parts: object) -> None:
        keep(folder, **parts)  # type: ignore[arg-type]
        saved.append(folder)
        if len(saved) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(loop, "save_checkpoint", save_and_stop)
    with pytest.raises(KeyboardInterrupt):
        train_analyser("analyser", eager, data=corpus, encoder=encoder, out=tmp_path / "cut")
    train_analyser(
        "analyser", eager, data=corpus, encoder=encoder, out=tmp_path / "cut", resume=True
    )
    whole = load_file(tmp_path / "whole" / "analyser.safetensors")
    resumed = load_file(tmp_path / "cut" / "analyser.safetensors")
    assert whole.keys() == resumed.keys()
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)


def test_losses_on_the_dev_split_stop_training_and_choose_the_weights(
    encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    watched = replace(TRAINING, epochs=12.0, validate_every=3, average_decay=0.0)
    train_analyser("analyser", watched, data=corpus, encoder=encoder, out=tmp_path / "whole")
    rows = [row for row in read_curve(tmp_path / "whole" / "curve.csv") if "dev_loss" in row]
    assert [row["step"] for row in rows] == [3, 6, 9, 12, 15, 18, 21, 24]
    assert rows[-1]["dev_loss"] < 0.8 * rows[0]["dev_loss"]
    weights = watched.loss_weights()
    parts = sum(weights[name] * rows[0][f"dev_{name}"] for name in weights)
    assert rows[0]["dev_loss"] == pytest.approx(parts, rel=1e-4)
    worse = replace(watched, encoder_rate=0.5, head_rate=0.5, patience=1)
    train_analyser("analyser", worse, data=corpus, encoder=encoder, out=tmp_path / "short")
    short = read_curve(tmp_path / "short" / "curve.csv")
    assert short[-1]["step"] < 24
    best = load_file(tmp_path / "short" / "best.safetensors")
    kept = load_file(tmp_path / "short" / "analyser.safetensors")
    assert all(torch.equal(best[name], kept[name]) for name in best)


def test_validation_changes_no_weight(encoder: Path, corpus: Path, tmp_path: Path) -> None:
    short = replace(TRAINING, epochs=4.0, dropout=0.1, guessed_edus=0.5, piece_dropout=0.1)
    train_analyser("analyser", short, data=corpus, encoder=encoder, out=tmp_path / "alone")
    # The last weights are the best only if no other were measured.
    watched = replace(short, validate_every=8)
    train_analyser("analyser", watched, data=corpus, encoder=encoder, out=tmp_path / "watched")
    alone, measured = (
        load_file(tmp_path / name / "analyser.safetensors") for name in ("alone", "watched")
    )
    assert all(torch.equal(alone[name], measured[name]) for name in alone)


def test_validation_needs_a_dev_split(encoder: Path, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "gum").mkdir()
    lines = (corpus / "gum" / "gum_v11.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "gum" / "gum_v11.jsonl").write_text("".join(lines[:4]))
    watched = replace(TRAINING, validate_every=1)
    with pytest.raises(ConfigError, match="no dev split"):
        train_analyser("analyser", watched, data=tmp_path, encoder=encoder, out=tmp_path / "run")


def test_a_stage_starts_from_an_earlier_one(trained: Path, encoder: Path) -> None:
    net = build_net(network_config(encoder), encoder, train_lower=False)
    load_weights(net, trained)
    stored = load_file(trained / "analyser.safetensors")
    assert torch.equal(net.tags.weight, stored["tags.weight"])
    assert not net.trunk.embeddings.words.weight.requires_grad


def test_heads_train_alone_on_a_frozen_encoder(
    trained: Path, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    frozen = replace(TRAINING, epochs=3.0, freeze_encoder=True)
    train_analyser("coref", frozen, data=corpus, encoder=encoder, out=tmp_path, start=trained)
    before = load_file(trained / "analyser.safetensors")
    after = load_file(tmp_path / "analyser.safetensors")
    changed = {name.split(".")[0] for name in before if not torch.equal(before[name], after[name])}
    assert changed == {"mentions", "links"}


def export(run: Path, bundle: Path, encoder: Path, *parsers: Path) -> NeuralAnalyser:
    export_analyser(
        run,
        bundle,
        encoder=encoder,
        model=ModelId("m", "1"),
        card="c",
        runtime=RuntimeSettings(int8=False),
        parsers=parsers,
    )
    written = open_bundle(bundle)
    return neural_analyser(written.read, written.settings)


def test_parsers_over_one_encoder_are_averaged(
    trained: Path, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    again = replace(TRAINING, epochs=4.0, freeze_encoder=True, guessed_edus=0.5, seed=2)
    train_analyser("parser", again, data=corpus, encoder=encoder, out=other, start=trained)
    before = load_file(trained / "analyser.safetensors")
    after = load_file(other / "analyser.safetensors")
    changed = {name.split(".")[0] for name in before if not torch.equal(before[name], after[name])}
    assert changed == {"edus", "states"}
    lone, second, both = (
        export(run, tmp_path / f"b{n}", encoder, *more)
        for n, (run, *more) in enumerate([(trained,), (other,), (trained, other)])
    )
    assert both.parser.weights.n_parsers == 2
    outputs = both.parser.weights.outputs
    np.testing.assert_allclose(outputs[0], lone.parser.weights.outputs[0] / 2)
    np.testing.assert_allclose(outputs[1], second.parser.weights.outputs[0] / 2)
    pooled = np.ones((3, 48), dtype=np.float32)
    vectors = [a.edu_graph.session.run(None, {"pooled": pooled})[0] for a in (lone, second, both)]
    np.testing.assert_allclose(np.concatenate(vectors[:2], 1), vectors[2], atol=1e-6)
    analyses = [analyser.analyse(SourceText("a", TEXT)) for analyser in (lone, second, both)]
    assert nodes(analyses[0].rst) == nodes(analyses[1].rst) == nodes(analyses[2].rst)


def test_a_parser_predicts_the_trees_of_its_teachers(
    trained: Path, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    untaught = tmp_path / "untaught"
    shutil.copytree(trained, untaught)
    weights = load_file(untaught / "analyser.safetensors")
    for name in [name for name in weights if name.startswith(("edus.", "states."))]:
        del weights[name]  # so that it starts from random numbers
    save_file(weights, untaught / "analyser.safetensors")
    alone = replace(TRAINING, epochs=20.0, freeze_encoder=True, teacher_share=1.0)
    taught = train_analyser(
        "parser",
        alone,
        data=corpus,
        encoder=encoder,
        out=tmp_path / "taught",
        start=untaught,
        teachers=[trained, trained],
    )
    pupil, teacher = (
        export(run, tmp_path / f"b{n}", encoder) for n, run in enumerate((taught, trained))
    )
    assert pupil.parser.weights.n_parsers == 1
    said = [analyser.analyse(SourceText("a", TEXT)).rst for analyser in (pupil, teacher)]
    assert nodes(said[0]) == nodes(said[1])


def test_teachers_need_a_frozen_encoder(
    trained: Path, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="freeze_encoder"):
        train_analyser(
            "parser",
            replace(TRAINING, epochs=1.0),
            data=corpus,
            encoder=encoder,
            out=tmp_path,
            start=trained,
            teachers=[trained],
        )


def test_a_parser_over_another_encoder_is_refused(
    trained: Path, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    short = replace(TRAINING, epochs=1.0)
    train_analyser("parser", short, data=corpus, encoder=encoder, out=other, start=trained)
    with pytest.raises(ConfigError, match="trained over another encoder"):
        export(trained, tmp_path / "b", encoder, other)
    with pytest.raises(ConfigError, match="trained over another encoder"):
        train_analyser(
            "parser",
            replace(short, freeze_encoder=True),
            data=corpus,
            encoder=encoder,
            out=tmp_path / "c",
            start=trained,
            teachers=[other],
        )


def test_a_parser_of_other_relations_is_refused(
    trained: Path, encoder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(trained, other)
    settings = json.loads((other / "config.json").read_text())
    settings["training"]["relations"].reverse()
    (other / "config.json").write_text(json.dumps(settings))
    with pytest.raises(ConfigError, match="other relations"):
        export(trained, tmp_path / "b", encoder, other)


def test_a_folder_without_a_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a BERT checkpoint"):
        network_config(tmp_path)


def test_a_truncated_checkpoint_is_refused(encoder: Path, corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    (folder / "state.json").write_text('{"format": 1, "posi')
    with pytest.raises(InputError, match="damaged or incomplete"):
        train_analyser(
            "analyser", TRAINING, data=corpus, encoder=encoder, out=tmp_path, resume=True
        )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("epochs", 0.0),
        ("documents_per_step", 0),
        ("teacher_share", 1.5),
        ("gold_repeats", 0),
        ("piece_dropout", 1.0),
    ],
)
def test_settings_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=name):
        AnalyserTraining(**{name: value})  # type: ignore[arg-type]
