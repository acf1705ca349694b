"""Teacher labels, and analysers that are trained further from a bundle."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file  # noqa: E402

from discobert.analyser.load import neural_analyser  # noqa: E402
from discobert.cli.app import run  # noqa: E402
from discobert.data.document import SourceText  # noqa: E402
from discobert.data.summary import ModelId  # noqa: E402
from discobert.errors import ConfigError, InputError, UsageError  # noqa: E402
from discobert.store.bundle import Bundle, open_bundle, write_bundle  # noqa: E402
from discobert.store.treebanks.gum import GoldDocument, read_gum  # noqa: E402
from discobert.store.treebanks.teacher_labels import read_teacher_labels  # noqa: E402
from discobert.train.analyser import relabel as relabelling  # noqa: E402
from discobert.train.analyser.bundle_start import load_bundle  # noqa: E402
from discobert.train.analyser.documents import read_training_documents  # noqa: E402
from discobert.train.analyser.network import build_net, network_config  # noqa: E402
from discobert.train.analyser.relabel import Relabelling, relabel  # noqa: E402
from discobert.train.analyser.settings import AnalyserTraining  # noqa: E402
from discobert.train.analyser.train import train_analyser  # noqa: E402
from discobert.train.core.curves import read_curve  # noqa: E402
from discobert.train.export.analyser import RuntimeSettings, export_analyser  # noqa: E402

TRAINING = AnalyserTraining(
    epochs=40.0,
    documents_per_step=2,
    encoder_rate=6e-3,
    head_rate=6e-3,
    warmup_steps=2,
    average_decay=0.9,
    predicted_sentences=0.5,
    window_sizes=(280,),
)


@pytest.fixture(scope="module")
def teacher(mpnet: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("teacher")
    run = train_analyser("analyser", TRAINING, data=corpus, encoder=mpnet, out=folder / "run")
    export(run, folder / "bundle", mpnet, int8=False)
    return folder / "bundle"


@pytest.fixture(scope="module")
def base(encoder: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Make a bundle in int8, with a file and a setting of a summariser's in it."""
    folder = tmp_path_factory.mktemp("base")
    learned = replace(TRAINING, train_trunk=True)
    run = train_analyser("analyser", learned, data=corpus, encoder=encoder, out=folder / "run")
    plain = export(run, folder / "plain", encoder, int8=True)
    files = {name: plain.read(name) for name in plain.checksums if name != "config.json"}
    return write_bundle(
        folder / "bundle",
        model=plain.model,
        settings={**plain.settings, "summarizer": {"variant": "edu"}},
        files={**files, "summary.safetensors": b"weights"},
    )


def export(
    run: Path,
    path: Path,
    encoder: Path,
    *,
    int8: bool,
    base: Bundle | None = None,
    averaged: Sequence[Path] = (),
) -> Bundle:
    return export_analyser(
        run,
        path,
        encoder=encoder,
        model=ModelId("m", "1"),
        card="c",
        runtime=RuntimeSettings(int8=int8),
        base=base,
        averaged=averaged,
    )


def gold(corpus: Path) -> list[GoldDocument]:
    return [doc for doc in read_gum(corpus / "gum" / "gum_v11.jsonl") if doc.split == "train"]


def test_teacher_labels_equal_the_gold_the_teacher_learned(
    teacher: Path, corpus: Path, tmp_path: Path
) -> None:
    documents = gold(corpus)
    out = tmp_path / "taught.jsonl"
    assert relabel(documents, out, Relabelling(teacher)) == 4
    taught = {doc.id: doc for doc in read_teacher_labels(out)}
    assert set(taught) == {f"taught:{doc.id}" for doc in documents}
    for doc in documents:
        said = taught[f"taught:{doc.id}"]
        assert (said.text, said.edus) == (doc.text, doc.edus)
        assert set(said.nodes or ()) == set(doc.nodes or ())
        assert said.clusters == doc.clusters
        assert said.has_relations
        assert said.subjects is None


def test_processes_write_what_one_writes(teacher: Path, corpus: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    relabel(gold(corpus), one, Relabelling(teacher, limit=3, seed=5))
    relabel(gold(corpus), two, Relabelling(teacher, limit=3, seed=5, jobs=2))
    assert one.read_bytes() == two.read_bytes()
    with pytest.raises(UsageError, match="exists already"):
        relabel(gold(corpus), one, Relabelling(teacher))


def test_a_cut_run_goes_on(
    teacher: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, how = gold(corpus), Relabelling(teacher)
    relabel(documents, tmp_path / "whole.jsonl", how)
    out, part = tmp_path / "cut.jsonl", tmp_path / f"cut.jsonl.{how.model_key}.part"
    whole = (tmp_path / "whole.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    part.write_bytes(lines[0] + lines[1] + lines[2][:20])
    asked = []
    say = relabelling.Labeller.__call__

    def note(self: relabelling.Labeller, doc: GoldDocument) -> bytes:
        asked.append(doc.id)
        return say(self, doc)

    monkeypatch.setattr(relabelling.Labeller, "__call__", note)
    relabel(documents, out, how, resume=True)
    assert out.read_bytes() == whole
    assert len(asked) == 2
    assert not part.exists()


def test_lines_of_other_documents_are_not_gone_on_with(
    teacher: Path, corpus: Path, tmp_path: Path
) -> None:
    how = Relabelling(teacher)
    (tmp_path / f"t.jsonl.{how.model_key}.part").write_text('{"id": "somebody else"}\n')
    with pytest.raises(InputError, match="of other documents"):
        relabel(gold(corpus), tmp_path / "t.jsonl", how, resume=True)


def test_another_model_does_not_go_on_with_the_lines(
    base: Bundle, teacher: Path, corpus: Path, tmp_path: Path
) -> None:
    assert Relabelling(teacher).model_key != Relabelling(base.path).model_key
    out = tmp_path / "t.jsonl"
    (tmp_path / f"t.jsonl.{Relabelling(base.path).model_key}.part").write_text("of the other\n")
    assert relabel(gold(corpus), out, Relabelling(teacher, limit=1), resume=True) == 1
    assert len(out.read_text().splitlines()) == 1


def test_teacher_labels_of_nc_licence_are_left_out(tmp_path: Path) -> None:
    document = {
        "format": 1,
        "id": "a",
        "text": "It rained.",
        "sentences": [[0, 10]],
        "edus": [{"start": 0, "end": 10, "sentence": 0}],
        "tree": {"edu": 0},
        "genre": "news",
    }
    path = tmp_path / "t.jsonl"
    rows = [{**document, "non_commercial": flag} for flag in (True, False)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    allowed = read_training_documents([], AnalyserTraining(), teacher_labels=[path])
    assert [doc.non_commercial for doc in allowed] == [False]


def test_gold_documents_are_repeated_and_teacher_labels_are_not(
    teacher: Path, corpus: Path, tmp_path: Path
) -> None:
    path, files = tmp_path / "t.jsonl", [corpus / "gum" / "gum_v11.jsonl"]
    relabel(gold(corpus), path, Relabelling(teacher, limit=2))
    often = AnalyserTraining(gold_repeats=3)
    met = [doc.id for doc in read_training_documents(files, often, teacher_labels=[path])]
    assert len(met) == 3 * 4 + 2
    assert sum(name.startswith("taught:") for name in met) == 2
    assert len(read_training_documents(files, AnalyserTraining())) == 4


def test_a_bundle_is_trained_further_above_its_lower_layers(
    base: Bundle, teacher: Path, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    taught, run = tmp_path / "taught.jsonl", tmp_path / "run"
    relabel(gold(corpus), taught, Relabelling(teacher))
    short = replace(TRAINING, epochs=10.0, encoder_rate=1e-3)
    train_analyser(
        "analyser",
        short,
        data=corpus,
        encoder=encoder,
        out=run,
        bundle=base,
        teacher_labels=[taught],
    )
    written = export(run, tmp_path / "new", encoder, int8=True, base=base)
    changed = {name for name in base.checksums if base.checksums[name] != written.checksums[name]}
    assert changed == {"branch.onnx", "words.onnx", "edus.onnx", "heads.safetensors"}
    assert written.settings["summarizer"] == {"variant": "edu"}
    analyser = neural_analyser(written.read, written.settings)
    text = gold(corpus)[0].text
    document = analyser.analyse(SourceText("a", text)).document
    assert [document.edu_text(i) for i in range(len(document.edus))] == [
        "the cat sat on the mat ,",
        "because it was late .",
        "he said",
        "that the dog ran .",
    ]


def test_runs_from_one_start_are_averaged(
    base: Bundle, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    runs = []
    for seed in (1, 2):
        short = replace(TRAINING, epochs=2.0, seed=seed, piece_dropout=0.2)
        runs.append(
            train_analyser(
                "analyser",
                short,
                data=corpus,
                encoder=encoder,
                out=tmp_path / f"run{seed}",
                bundle=base,
            )
        )
    one, two = (load_file(run / "analyser.safetensors")["tags.weight"] for run in runs)
    assert not torch.equal(one, two)
    written = export(runs[0], tmp_path / "mean", encoder, int8=False, averaged=runs[1:])
    net = build_net(network_config(encoder), encoder, train_lower=False)
    load_bundle(net, written)
    torch.testing.assert_close(net.tags.weight.detach(), (one + two) / 2)
    with pytest.raises(ConfigError, match="did not start from the same weights"):
        export(runs[0], tmp_path / "no", encoder, int8=False, averaged=[base.path.parent / "run"])


@pytest.mark.parametrize("trusted", [True, False])
def test_trees_of_other_relations_are_used_only_with_silver_trees(
    trusted: bool, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    silver = tmp_path / "amalgum"
    silver.mkdir()
    lines = (corpus / "gum" / "gum_v11.jsonl").read_text().splitlines()
    rows = [{k: v for k, v in json.loads(line).items() if k != "ontogum"} for line in lines[:4]]
    path = silver / "amalgum_v02_silver.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    short = replace(TRAINING, sources=("amalgum",), epochs=5.0, silver_trees=trusted)
    run = train_analyser("analyser", short, data=tmp_path, encoder=encoder, out=tmp_path / "run")
    last = read_curve(run / "curve.csv")[-1]
    assert ("tree" in last) is trusted
    assert "boundary" in last


def test_weights_come_back_out_of_graphs(base: Bundle, encoder: Path, tmp_path: Path) -> None:
    run = base.path.parent / "run"
    exact = export(run, tmp_path / "exact", encoder, int8=False)
    wanted = load_file(run / "analyser.safetensors")
    for bundle, worst in ((exact, 2e-3), (base, 0.06)):
        net = build_net(network_config(encoder), encoder, train_lower=False)
        load_bundle(net, bundle)
        found = net.state_dict()
        for name, value in wanted.items():
            if bundle is base and (".widen." in name or ".narrow." in name):
                continue  # the order of inner features is another one
            off = (found[name] - value).abs().max() / value.abs().max().clamp(min=1e-3)
            assert float(off) < worst, name


def test_outlier_features_are_joined_at_their_places(base: Bundle, encoder: Path) -> None:
    net = build_net(network_config(encoder), encoder, train_lower=False).eval()
    load_bundle(net, base)
    upper = neural_analyser(base.read, base.settings).upper.model.session
    trunk = torch.randn(1, 9, 16)
    zeros = torch.zeros((1, 9), dtype=torch.long)
    with torch.no_grad():
        ours = net.branch(trunk, zeros, zeros).numpy()
    feed = {"trunk": trunk.numpy(), "shapes": zeros.numpy(), "places": zeros.numpy()}
    theirs = upper.run(None, feed)[0]
    assert np.abs(ours - theirs).mean() < 0.05 * np.abs(theirs).mean()


def test_a_run_is_not_exported_above_other_lower_layers(
    base: Bundle, encoder: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="was not trained over the lower layers"):
        export(base.path.parent / "run", tmp_path / "new", encoder, int8=True, base=base)


def test_the_lower_layers_of_a_bundle_are_not_trained(
    base: Bundle, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="train_trunk = false"):
        train_analyser(
            "analyser",
            replace(TRAINING, train_trunk=True),
            data=corpus,
            encoder=encoder,
            out=tmp_path,
            bundle=base,
        )


def test_a_bundle_of_other_relations_is_refused(
    base: Bundle, encoder: Path, corpus: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="other relations"):
        train_analyser(
            "parser",
            replace(TRAINING, relations=("cause",)),
            data=corpus,
            encoder=encoder,
            out=tmp_path,
            bundle=base,
        )


def test_the_commands_relabel_train_and_export(
    base: Bundle,
    teacher: Path,
    encoder: Path,
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    taught, settings = tmp_path / "taught.jsonl", tmp_path / "settings.toml"
    settings.write_text("epochs = 1.0\nwindow_sizes = [280]\nwarmup_steps = 1\ngold_repeats = 2\n")
    where = ["--data", str(corpus), "--model"]
    labelled = ["relabel", str(taught), *where, str(teacher), "--source", "gum", "--jobs", "1"]
    assert run([*labelled, "--limit", "2", "--quiet"]) == 0
    assert len(taught.read_text().splitlines()) == 2
    learned, start = ["--out", str(tmp_path / "run")], ["--encoder", str(encoder)]
    learned += ["--config", str(settings), "--taught", str(taught), *start, "--quiet"]
    assert run(["train", "analyser", *where, str(base.path), *learned]) == 0
    new = tmp_path / "new"
    given = ["--model", str(base.path), *start, "--version", "2"]
    assert run(["export", str(tmp_path / "run"), str(new), *given]) == 0
    assert open_bundle(new).checksums["trunk.onnx"] == base.checksums["trunk.onnx"]
    capsys.readouterr()
    assert run([*labelled, "--source", "wikipedia"]) == 2
    assert "unknown source 'wikipedia'" in capsys.readouterr().err
    assert run(["train", "summarizer", *where, str(base.path), *learned]) == 2
    assert "--taught is for the analyser alone" in capsys.readouterr().err
